"""How many jobs a run has work for: in all, and at the moment. Pure: of the state alone."""

from __future__ import annotations

import math

from orchestrator.scheduler.room import is_room_left, slots_each
from orchestrator.scheduler.standing import budget_left
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase


def jobs_wanted(state: State, at_most: int) -> int:
    """How many jobs there is work for: what the budget and the mode let run at a time, less what others run,
    as each job's worker takes as many as the last one did.
    """
    if state.phase is not Phase.ACTIVE:
        return 0
    left = 0 if state.exhausted else budget_left(state)
    to_do = math.inf if left is None else len(state.unsettled) + left
    return _jobs_for(state, min(to_do, state.policy.at_a_time), at_most)


def jobs_wanted_now(state: State, at_most: int) -> int:
    """How many of these would have something to do now: none is submitted for what comes after what runs, as
    the next round, which may be long in coming.
    """
    wanted = jobs_wanted(state, at_most)
    return min(wanted, _jobs_for(state, len(state.unsettled), at_most)) if _nothing_follows(state) else wanted


def _nothing_follows(state: State) -> bool:
    """Whether no trial is made before some of those under way have ended."""
    if state.policy.mode != "asynchronous":
        return bool(state.unsettled)
    return state.awaits_results or (is_room_left(state) and not state.queue and state.asking is None)


def _jobs_for(state: State, evaluations: float, at_most: int) -> int:
    of_jobs = {job.worker for job in state.jobs.known.values()}
    others = sum(worker.capacity for name, worker in state.workers.items() if name not in of_jobs)
    wanted = max(0.0, evaluations * slots_each(state) - others) / state.jobs.slots
    return at_most if wanted >= at_most else math.ceil(wanted)
