"""Why nothing moves, as far as it stands in no event: who was turned away, and what the optimiser does."""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.runtime.optimiser.messages import (
    Answer,
    NodesNoted,
    RefitBegun,
    RefitDone,
    RefitFailed,
    Reply,
)


@dataclass(frozen=True, slots=True)
class Refit:
    """A refit that is being computed, since that time of the run."""

    number: int
    since: float


@dataclass(slots=True)
class Circumstances:
    """As they are at the moment; the runtime writes them, and whoever shows the run reads them.

    ``last_refused`` is the reason, in words, for which the last worker that came was not welcomed, and
    ``keys_refused`` counts those that came with an unknown or revoked key, of which ``key_refused`` says in
    words what the last one was, and ``keyless_refused`` those without one, or with one for another
    orchestrator. ``nodes_awaited`` says which factors the ask under way waits for nodes of, if it does.
    """

    refit: Refit | None = None
    last_refused: str = ""
    keys_refused: int = 0
    key_refused: str = ""
    keyless_refused: int = 0
    nodes_awaited: str = ""

    def turned_away(self, reason: str) -> None:
        """A worker was not welcomed; or, without a reason, the last that came was."""
        self.last_refused = reason

    def optimiser_replied(self, reply: Reply, now: float) -> None:
        """What the optimiser says may tell what it does."""
        match reply:
            case RefitBegun():
                self.refit = Refit(reply.number, now)
            case RefitDone() | RefitFailed():
                self.refit = None
            case NodesNoted():
                self.nodes_awaited = reply.sentence if reply.waiting else ""
            case Answer():
                self.nodes_awaited = ""
            case _:
                pass
