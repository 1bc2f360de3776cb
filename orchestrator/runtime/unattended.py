"""How long nobody worked on a run, whose clock, if it has one, went on, and what follows from it."""

from __future__ import annotations

from datetime import datetime

from orchestrator.scheduler.state import State


def unattended_s(state: State, now: datetime) -> float:
    """How long nobody had worked on a run in all its lives, by the time of day; 0 where nothing follows from
    it.
    """
    if state.policy.where.clock is None:
        return 0.0
    since_it_was_told = now - datetime.fromisoformat(state.unattended.wall).astimezone()
    # A time of day that was set back meanwhile does not turn machines back.
    return max(
        state.unattended.seconds, state.unattended.shown_s + since_it_was_told.total_seconds() - state.at
    )


def ends_at_once(state: State, now: datetime) -> str:
    """Why a run on which nobody works would be over as soon as it is resumed, or nothing."""
    clock = state.policy.where.clock
    if not state.resumable or clock is None:
        return "" if state.resumable else state.end.why
    shown_s = state.at + unattended_s(state, now)
    return clock.ended_words if shown_s >= clock.end_s else ""


def later_bounds(state: State, now: datetime) -> tuple[float, float] | None:
    """What bounds would let a run go on whose clock has come to its end; None if it has not."""
    clock = state.policy.where.clock
    if clock is None:
        return None
    (low, high), shown = clock.bounds, (state.at + unattended_s(state, now)) / clock.unit_s
    if shown < high:
        return None
    while high <= shown:
        high *= 2.0
    return low, high
