"""What the optimiser's process says: to the scheduler, as events; to people, as sentences."""

from __future__ import annotations

from typing import Literal

from orchestrator.runtime.optimiser.messages import (
    Answer,
    GainEstimated,
    GainFailed,
    NodesNoted,
    RefitBegun,
    RefitDone,
    RefitFailed,
    Reply,
    Stock,
)
from orchestrator.scheduler.events import (
    Event,
    RefitFinished,
    RemainingGainEstimated,
    StockTaken,
    SuggestionsMade,
)
from orchestrator.scheduler.state import State


def event_of(reply: Reply, state: State, now: float) -> Event | None:
    """The event that a reply is; None if it is none, or of a model or an ask that is no more."""
    match reply:
        case Answer() if reply.ask >= state.optimiser.asks:
            return SuggestionsMade(
                at=now,
                ask=reply.ask,
                suggestions=tuple(reply.suggestions),
                seconds=reply.seconds,
                insight=reply.insight,
                first_trial=len(state.trials) + 1,
                left_out=tuple(reply.left_out),
            )
        case RefitDone() if reply.model == state.optimiser.model:
            return RefitFinished(
                at=now,
                number=reply.number,
                observations=reply.observations,
                payload=reply.payload,
                seconds=reply.seconds,
                model=reply.model,
            )
        case GainEstimated() if reply.model == state.optimiser.model:
            return RemainingGainEstimated(
                at=now,
                refit=reply.number,
                observations=reply.observations,
                draws=reply.draws,
                seconds=reply.seconds,
                model=reply.model,
            )
        case Stock() if reply.model == state.optimiser.model:
            return StockTaken(
                at=now, observations=reply.observations, insight=reply.insight, model=reply.model
            )
        case _:
            return None


def words_of(reply: Reply) -> tuple[Literal["info", "warning"], str] | None:
    """What people are told of a reply, if it is not for the event that it is."""
    match reply:
        case RefitBegun():
            return "info", f"refit {reply.number} begins, from {reply.observations} results"
        case RefitFailed():
            return "warning", f"refit {reply.number} failed ({reply.message}); the model goes on"
        case GainFailed():
            return "warning", f"what is left to gain could not be estimated ({reply.message})"
        case NodesNoted():
            return "info", reply.sentence
        case _:
            return None
