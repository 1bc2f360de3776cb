"""The nodes of the algorithm that an optimiser's process keeps, looked after while nothing is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from orchestrator.algorithms.base import Algorithm
from orchestrator.runtime.optimiser.messages import NodesNoted

if TYPE_CHECKING:
    from orchestrator.algorithms.additive.decentralised_choice import DecentralisedChoice

ATTEND_EVERY_S = 5.0
"""Nodes that are cut off do not say so."""


class AttendedNodes:
    """Of one algorithm after the other; most have none. ``say`` takes what people should know."""

    def __init__(self, say: Callable[[NodesNoted], None]) -> None:
        self._tell = say
        self._nodes: DecentralisedChoice | None = None

    def begin(self, algorithm: Algorithm, names: Sequence[str]) -> None:
        """Listen for an algorithm's nodes; those of the one before dial again, and are its nodes then.

        ``names`` are the parameters'. Raises AddressError or KeyFileError where it cannot be listened.
        """
        self.end(over=False)
        if not hasattr(algorithm, "nodes"):
            return
        # Comes with all of an additive algorithm, for which the process of any other would wait in vain.
        from orchestrator.algorithms.additive.decentralised_choice import Decentralised

        if isinstance(algorithm, Decentralised):
            self._nodes = algorithm.nodes
            self._nodes.open(self._say, names)

    def attend(self) -> list[int]:
        """Look after them; what to wait for on their account, `ATTEND_EVERY_S` at most."""
        if self._nodes is None:
            return []
        self._nodes.attend()
        return [] if self._nodes.descriptor is None else [self._nodes.descriptor]

    def end(self, *, over: bool) -> None:
        """Nothing more is asked. ``over``: for good, so that nodes elsewhere may end as well."""
        if self._nodes is not None:
            (self._nodes.close if over else self._nodes.release)()
            self._nodes = None

    def _say(self, sentence: str, *, waiting: bool = False) -> None:
        self._tell(NodesNoted(sentence, waiting))
