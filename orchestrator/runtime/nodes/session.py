"""What a node does with each thing asked of it: pure, so that a test can play the asker.

It holds its own factors' functions and never sees another's.
"""

from __future__ import annotations

from orchestrator.maximisers.factors.factor_description import read_description
from orchestrator.maximisers.factors.factor_objective import LocalObjective
from orchestrator.maximisers.message_passing.nodes import FactorPlace, NodeHost, VariablePlace
from orchestrator.maximisers.message_passing.programs import program_called
from orchestrator.runtime.nodes.frames import (
    Assign,
    Finish,
    FromNode,
    NodeAssigned,
    NodeReport,
    NodeResults,
    Phase,
    Request,
    Start,
    read_arrays,
    read_letters,
    write_arrays,
    write_letters,
)


class NodeSession:
    """The factors held, and the nodes of the running program.

    Frames of an older run than the last one started are answered with nothing.
    """

    def __init__(self) -> None:
        self._assignment: int | None = None
        self._factors: list[tuple[FactorPlace, LocalObjective]] = []
        self._variables: list[VariablePlace] = []
        self._host = NodeHost([])
        self._run = 0

    @property
    def held(self) -> tuple[int, ...]:
        """The numbers of the factors held, from 0."""
        return tuple(place.index for place, _ in self._factors)

    def answer(self, frame: Request) -> FromNode | None:
        """The reply to a frame, None for those that have none. Raises ValueError for what cannot be done."""
        if isinstance(frame, Assign):
            self._take_on(frame)
            return NodeAssigned(assignment=frame.assignment)
        if isinstance(frame, Start):
            self._start(frame)
            return NodeReport(run=frame.run, step=0, finished=False, letters={})
        if frame.run != self._run:
            return None
        if isinstance(frame, Finish):
            results = {name: write_arrays(found) for name, found in self._host.results().items()}
            return NodeResults(run=self._run, results=results)
        if isinstance(frame, Phase):
            self._host.begin(frame.phase)
        else:
            self._host.deliver(read_letters(frame.letters))
        return NodeReport(
            run=self._run,
            step=frame.step,
            finished=self._host.finished,
            letters=write_letters(self._host.outgoing()),
        )

    def _take_on(self, frame: Assign) -> None:
        if frame.assignment != self._assignment:
            self._assignment, self._factors, self._variables = frame.assignment, [], []
        local = read_description(frame.factor.description).local_objective()
        self._factors.append((frame.factor.place, local))
        self._variables += frame.variables

    def _start(self, frame: Start) -> None:
        program = program_called(frame.program)
        inputs = {name: read_arrays(arrays) for name, arrays in frame.inputs.items()}
        self._run = frame.run
        self._host = NodeHost(
            [
                *(
                    program.factor_node(place, local, frame.settings, inputs.get(place.name, {}))
                    for place, local in self._factors
                ),
                *(
                    program.variable_node(place, frame.settings, inputs.get(place.name, {}))
                    for place in self._variables
                ),
            ]
        )
