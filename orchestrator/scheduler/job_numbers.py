"""How many jobs a run has work for: in all, and at the moment. Pure: of the state alone."""

from __future__ import annotations

import math
from collections.abc import Iterator

from orchestrator.scheduler.room import is_room_left, slots_each
from orchestrator.scheduler.standing import budget_left
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase


def jobs_wanted(state: State, at_most: int) -> int:
    """How many jobs there is work for: what the budget and the mode let run at a time, less what others run,
    as each job's worker takes as many as the last one did. What waits for larger ones is no work for them.
    """
    if state.phase is not Phase.ACTIVE:
        return 0
    left = 0 if state.optimiser.exhausted else budget_left(state)
    to_do = math.inf if left is None else len(state.unsettled) - _too_large(state) + left
    return _jobs_for(state, min(to_do, state.policy.mode.at_a_time), at_most)


def jobs_wanted_now(state: State, at_most: int) -> int:
    """How many of these would have something to do now: none is submitted for what comes after what runs, as
    the next round, which may be long in coming.
    """
    wanted = jobs_wanted(state, at_most)
    if not _nothing_follows(state):
        return wanted
    return min(wanted, _jobs_for(state, len(state.unsettled) - _too_large(state), at_most))


def _nothing_follows(state: State) -> bool:
    """Whether no trial is made before some of those under way have ended."""
    if state.policy.mode.kind != "asynchronous":
        return bool(state.unsettled)
    optimiser, crew = state.optimiser, state.crew
    if (
        optimiser.awaits_results
        or optimiser.asking is not None
        or len(state.waiting.queue) > _too_large(state)
    ):
        return optimiser.awaits_results
    # Where all that waits is too large, no more is asked for, though some stand idle, or none is left.
    return is_room_left(state) or (bool(state.waiting.queue) and (bool(crew.idle) or not crew.workers))


def first_too_large(state: State) -> int | None:
    """The number of the first trial that waits and is larger than any worker that came of a job of this life:
    its other jobs are as small. None if none is.
    """
    return next(_too_large_ones(state), None)


def _too_large(state: State) -> int:
    return sum(1 for _ in _too_large_ones(state))


def _too_large_ones(state: State) -> Iterator[int]:
    largest = state.jobs.largest
    if largest and state.policy.evaluations.slots is not None:
        yield from (number for number in state.waiting.queue if state.trials[number].slots > largest)


def _jobs_for(state: State, evaluations: float, at_most: int) -> int:
    of_jobs = {job.worker for job in state.jobs.known.values()}
    others = sum(worker.capacity for name, worker in state.crew.workers.items() if name not in of_jobs)
    wanted = max(0.0, evaluations * slots_each(state) - others) / state.jobs.slots
    return at_most if wanted >= at_most else math.ceil(wanted)
