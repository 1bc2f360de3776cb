"""Choosing a point together: a message-passing maximiser over nodes, wherever they are.

All places give the same point, as the nodes and their messages are the same. Machines with another processor
or another kernel of linear algebra round sums otherwise, by about 1e-14, and may choose otherwise where it is
close.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from orchestrator.algorithms.additive.algorithm import Climbed
from orchestrator.algorithms.additive.factor_functions import FactorFunctions
from orchestrator.algorithms.additive.node_places import NodePlace, Say, Team, open_team
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.maximum import Maximum
from orchestrator.maximisers.message_passing.exchange import Exchange, NodeError
from orchestrator.unit_cube.domain import Domain

ATTEMPTS = 4
"""At one point, each after a node was lost; the last with nodes of this machine only."""


class MessagePassing(Protocol):
    """`Admm`, `MaxSum` or `SeparateFactors` with its settings.

    Attributes:
        name: as it is told of why a point was chosen.
    """

    name: ClassVar[str]

    def maximise(
        self,
        exchange: Exchange,
        domain: Domain,
        rng: np.random.Generator,
        incumbents: FloatArray | None = None,
    ) -> Maximum:
        """The best feasible point found over all factors of the exchange; ``incumbents`` (k, D) compete."""
        ...


def _on_standard_error(sentence: str, *, waiting: bool = False) -> None:
    del waiting
    print(sentence, file=sys.stderr)


class DecentralisedChoice:
    """The nodes of one algorithm. They end with `close`, or when this object does.

    Until `open` says otherwise, what people should know goes to standard error.
    """

    def __init__(self, place: NodePlace, domain: Domain) -> None:
        self._place: NodePlace = place
        self._domain = domain
        self._team: Team | None = None
        self._at_our_end: weakref.finalize[[], DecentralisedChoice] | None = None
        self._say: Say = _on_standard_error
        self._names: Sequence[str] = ()

    def open(self, say: Say, names: Sequence[str]) -> None:
        """Listen for nodes from now on, if they may dial in. ``names`` are the parameters'.

        Raises AddressError or KeyFileError where that cannot be.
        """
        self._say, self._names = say, names
        if not isinstance(self._place, str):
            self._nodes()

    @property
    def descriptor(self) -> int | None:
        """Becomes readable when `attend` has something to do; None where nobody can dial in."""
        return None if self._team is None else self._team.descriptor

    @property
    def notes(self) -> Sequence[str]:
        """Who held what at the last choice, in words."""
        return () if self._team is None else self._team.notes

    def attend(self) -> None:
        """Look after the nodes between two choices. Returns at once."""
        if self._team is not None:
            self._team.attend()

    def release(self) -> None:
        """Stop listening; nodes elsewhere wait for the next who listens, as after a death."""
        if self._team is not None:
            self._team.close()
            self._forget_team()

    def close(self) -> None:
        """End the nodes, wherever they are; the next choice opens anew."""
        if self._team is not None:
            self._team.dismiss()
            self._forget_team()

    def climb(
        self, acquisition: FactorFunctions, maximiser: MessagePassing, incumbents: FloatArray, seed: int
    ) -> Climbed:
        """The maximum that the nodes agree on; ``incumbents`` (k, D) compete.

        A node that is lost on the way is replaced and the choice made again, with the same outcome; NodeError
        is raised when that fails too often.
        """
        domain = self._domain if acquisition.within is None else acquisition.within

        def agree() -> Maximum:
            exchange = self._nodes()(acquisition.graph, acquisition.factors, acquisition.coupled)
            return maximiser.maximise(exchange, domain, np.random.default_rng(seed), incumbents)

        maximum = self._despite_losses(agree)
        report = maximum.report
        why: dict[str, Any] = {"nodes": acquisition.graph.size}
        if report.rounds:
            why[f"{maximiser.name} rounds"] = report.rounds
        # Max-sum measures none.
        if report.residual:
            why[f"{maximiser.name} residual"] = report.residual
        return Climbed(maximum.point, why, acquisition.objective.values)

    def _despite_losses(self, agree: Callable[[], Maximum]) -> Maximum:
        for attempt in range(2, ATTEMPTS + 1):
            try:
                return agree()
            except NodeError as error:
                self._nodes().mend(error, alone=attempt == ATTEMPTS)
        return agree()

    def _nodes(self) -> Team:
        if self._team is None:
            self._team = open_team(self._place, self._say, self._names)
            self._at_our_end = weakref.finalize(self, self._team.close)
        return self._team

    def _forget_team(self) -> None:
        """It has ended; what would end it with this object keeps it alive no longer."""
        if self._at_our_end is not None:
            self._at_our_end.detach()
        self._team = self._at_our_end = None


@runtime_checkable
class Decentralised(Protocol):
    """An algorithm that chooses with nodes, of which whoever runs it has to take care."""

    @property
    def nodes(self) -> DecentralisedChoice: ...
