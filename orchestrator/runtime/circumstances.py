"""Why nothing moves, as far as it stands in no event: who was turned away, and what the optimiser does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from orchestrator.runtime.optimiser.messages import (
    Answer,
    NodesNoted,
    RefitBegun,
    RefitDone,
    RefitFailed,
    Reply,
)


@dataclass(frozen=True, slots=True)
class JobsSeen:
    """How a run's jobs stand. Of those ``running`` the workers of some are still ``coming``; ``waiting`` are
    those that have not begun, the first ``waiting_since`` that time of the run, and ``why``, in the queue's
    words, each with how many; ``doubted`` are those of which nobody knows whether there are any.

    ``submitting_since``: another is being submitted. ``silent_since``: the queue has not answered since.
    ``refused`` is why it took none last; ``given_up``: none is submitted any more, as they came to nothing,
    the last with ``last_words``. ``amiss`` says how many ended as they should not have, and what to do about
    it, the last ``amiss_at``.
    """

    running: int = 0
    coming: int = 0
    waiting: int = 0
    doubted: int = 0
    why: Mapping[str, int] = field(default_factory=dict)
    waiting_since: float | None = None
    submitting_since: float | None = None
    silent_since: float | None = None
    refused: str = ""
    given_up: bool = False
    last_words: str = ""
    amiss: str = ""
    amiss_at: float = 0.0


@dataclass(slots=True)
class Circumstances:
    """As they are at the moment; the runtime writes them, and whoever shows the run reads them.

    ``refit_since``: a refit is being computed, since that time of the run. ``last_refused`` is the reason,
    in words, for which the last worker that came was not welcomed, and ``keys_refused`` counts those that
    came with an unknown or revoked key, of which ``key_refused`` says in words what the last one was, and
    ``keyless_refused`` those without one, or with one for another orchestrator. ``nodes_awaited`` says which
    factors the ask under way waits for nodes of, if it does. ``jobs`` are those of a queue, where the run
    submits some.
    """

    refit_since: float | None = None
    last_refused: str = ""
    keys_refused: int = 0
    key_refused: str = ""
    keyless_refused: int = 0
    nodes_awaited: str = ""
    jobs: JobsSeen | None = None

    def turned_away(self, reason: str) -> None:
        """A worker was not welcomed; or, without a reason, the last that came was."""
        self.last_refused = reason

    def optimiser_replied(self, reply: Reply, now: float) -> None:
        """What the optimiser says may tell what it does."""
        match reply:
            case RefitBegun():
                self.refit_since = now
            case RefitDone() | RefitFailed():
                self.refit_since = None
            case NodesNoted():
                self.nodes_awaited = reply.sentence if reply.waiting else ""
            case Answer():
                self.nodes_awaited = ""
            case _:
                pass
