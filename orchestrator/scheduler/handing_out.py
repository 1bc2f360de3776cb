"""Which trial goes to which worker next."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from orchestrator.scheduler.comparisons import uncompared
from orchestrator.scheduler.reservations import Reservations
from orchestrator.scheduler.rules.places import away
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.scheduler.worker import IN_DOUBT, Worker


def next_to_lease(state: State) -> tuple[Trial, Worker] | None:
    """The first trial in the queue that may go to a worker which waits for work and has room for it, and
    that worker. Where a trial waits for room, a worker is reserved for it.
    """
    policy = state.policy
    if not state.waiting.queue or not state.crew.idle:
        return None
    if state.started.in_turn and state.running >= policy.mode.at_a_time:
        return None
    if (waiting := len(uncompared(state))) and state.running + waiting >= state.room:
        return None
    shared = state.shared_now
    reserved: Reservations | None = None
    for number in state.waiting.queue:
        trial = state.trials[number]
        if (trial.approved or not policy.evaluations.approval) and not away(shared, trial.parameters):
            if reserved is None or trial.slots <= reserved.most_free:
                for worker in _idle_for(state, trial):
                    has_room = trial.slots <= worker.free and (reserved is None or worker not in reserved)
                    if has_room and may_try(state, worker, trial):
                        return trial, worker
            if trial.slots > 1:
                reserved = reserved or Reservations(state.crew.workers.values())
                reserved.reserve_for(trial, partial(may_try, state))
                if reserved.most_free <= 0:
                    return None
    return None


def may_try(state: State, worker: Worker, trial: Trial) -> bool:
    """Elsewhere than where it failed, if that is in doubt: a sick machine must not use up the attempts of
    all trials. Where there is no other place, there. The worker whose machine may travel only so far, or
    takes time to change, is the one that had the last trial, as long as it is there: others would stand
    somewhere else.
    """
    workers, last = state.crew.workers, state.apparatus.last_leased
    if state.policy.where.one_machine and last is not None and last.worker in workers:
        return worker.name == last.worker
    if worker.place not in trial.attempts.failed_at or worker.failed_in_a_row < IN_DOUBT:
        return True
    large_enough = (other for other in workers.values() if other.slots >= trial.slots)
    takers = (other for other in large_enough if not other.draining)
    return all(other.place in trial.attempts.failed_at for other in takers)


def _idle_for(state: State, trial: Trial) -> Iterable[Worker]:
    """Those who wait for work, the longest idle first; but where the trial goes on from another, first
    those where that lies.
    """
    begun = state.begun(trial)
    if begun is None:
        return state.crew.idle.values()
    return sorted(state.crew.idle.values(), key=lambda worker: worker.place != begun.place)
