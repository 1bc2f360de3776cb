"""Factors' nodes in processes of their own, here or on other hosts, choosing points together over ZeroMQ.

The asker passes letters on and adds up the values of whole points; it computes nothing of any factor. With
the same factors the answer is the one of `InProcessExchange`: the nodes are the same, and numbers cross
exactly.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np

from orchestrator.maximisers.message_passing.exchange import NodeError, Outcome
from orchestrator.maximisers.message_passing.nodes import (
    Message,
    Program,
    Settings,
    Shapes,
    factor_name,
    variable_name,
    variable_places,
)
from orchestrator.maximisers.message_passing.programs import program_called
from orchestrator.runtime.nodes.frames import (
    Deliver,
    Finish,
    FromNode,
    Letters,
    NodeReport,
    NodeResults,
    Phase,
    Request,
    Start,
    read_arrays,
    write_arrays,
)
from orchestrator.runtime.nodes.hub import NodeHub, Peer
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph


class ProcessExchange:
    """An `Exchange` whose nodes live with peers; made by a `NodeTeam`, good until it makes the next one."""

    def __init__(
        self,
        graph: FactorGraph,
        coupled: bool,
        hub: NodeHub,
        owner: Sequence[Peer],
        numbers: itertools.count[int],
    ) -> None:
        self.graph = graph
        self.coupled = coupled
        self._hub = hub
        self._peers = list(dict.fromkeys(owner))
        self._numbers = numbers
        self._peer_of = {factor_name(i): peer for i, peer in enumerate(owner)}
        for place in variable_places(graph):
            self._peer_of[variable_name(place.index)] = owner[place.factors[0]]

    def run(self, program: str, settings: Settings, inputs: Mapping[str, Message]) -> Outcome:
        """See `Exchange.run`."""
        chosen = program_called(program)
        run = next(self._numbers)
        step, rounds = 0, 0
        given: dict[Peer, dict[str, dict[str, object]]] = {peer: {} for peer in self._peers}
        for name, message in inputs.items():
            if name in self._peer_of:
                given[self._peer_of[name]][name] = write_arrays(message)
        self._report(
            {
                peer: Start(run=run, program=program, settings=dict(settings), inputs=arrays)
                for peer, arrays in given.items()
            },
            run,
            step,
        )
        for phase, limit in enumerate(chosen.limits(settings)):
            step += 1
            reports = self._report(
                {peer: Phase(run=run, step=step, phase=phase) for peer in self._peers}, run, step
            )
            for _ in range(limit):
                step += 1
                rounds += 1
                reports = self._report(self._deliveries(run, step, reports), run, step)
                if all(report.finished for report in reports):
                    break
        answers = self._hub.ask(
            {peer: Finish(run=run) for peer in self._peers},
            run,
            lambda answer: isinstance(answer, NodeResults) and answer.run == run,
        )
        return Outcome(self._results(answers, self._expected(chosen, inputs)), rounds)

    def _expected(self, program: Program, inputs: Mapping[str, Message]) -> dict[str, Shapes]:
        """What each node's result holds, by the node's name."""
        factors = {factor_name(i) for i in range(self.graph.size)}
        return {
            name: (program.factor_result if name in factors else program.variable_result)(
                inputs.get(name, {})
            )
            for name in self._peer_of
        }

    def _results(
        self, answers: Mapping[Peer, FromNode], expected: Mapping[str, Shapes]
    ) -> dict[str, Message]:
        """Of each node what its own peer says of it. Raises NodeError where that is not as ``expected``."""
        results: dict[str, Message] = {}
        for peer, answer in answers.items():
            assert isinstance(answer, NodeResults)
            try:
                own = {n: read_arrays(f) for n, f in answer.results.items() if self._peer_of.get(n) == peer}
            except (ValueError, TypeError) as error:
                raise NodeError(f"{peer} answered with what is no array of numbers: {error}") from None
            for name, found in own.items():
                _check_result(peer, name, found, expected[name])
            results.update(own)
        if lacking := sorted(self._peer_of.keys() - results.keys()):
            raise NodeError(f"{self._peer_of[lacking[0]]} said nothing of {', '.join(lacking)}")
        return results

    def _deliveries(self, run: int, step: int, reports: Sequence[NodeReport]) -> dict[Peer, Request]:
        bags: dict[Peer, Letters] = {peer: {} for peer in self._peers}
        for report in reports:
            for recipient, mail in report.letters.items():
                peer = self._peer_of.get(recipient)
                if peer is None:
                    raise NodeError(f"a node wrote to {recipient!r}, who is nobody in this factor graph")
                bags[peer].setdefault(recipient, {}).update(mail)
        return {peer: Deliver(run=run, step=step, letters=letters) for peer, letters in bags.items()}

    def _report(self, questions: Mapping[Peer, Request], run: int, step: int) -> list[NodeReport]:
        def is_answer(answer: FromNode) -> bool:
            return isinstance(answer, NodeReport) and answer.run == run and answer.step == step

        answers = self._hub.ask(questions, run, is_answer)
        return [answer for answer in answers.values() if isinstance(answer, NodeReport)]


def _check_result(peer: Peer, name: str, found: Message, expected: Shapes) -> None:
    shapes = {part: array.shape for part, array in found.items()}
    if shapes != expected:
        raise NodeError(
            f"{peer} answered wrongly: expected results of {name}, with {_in_words(expected)}; got "
            f"{_in_words(shapes)}"
        )
    if not all(np.isfinite(array).all() for array in found.values()):
        raise NodeError(
            f"{peer} answered wrongly: expected finite numbers as results of {name}, got some that are not"
        )


def _in_words(shapes: Shapes) -> str:
    return ", ".join(f"{part} {shape}" for part, shape in shapes.items()) or "nothing"
