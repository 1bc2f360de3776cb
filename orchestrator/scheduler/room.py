"""How many more trials could run now, where what they take of workers may differ from one to the next.

A trial that waits for room has a worker reserved (`reservations`): what comes behind it runs elsewhere, so
that no large trial waits behind small ones for ever.
"""

from __future__ import annotations

import math
from functools import partial

from orchestrator.scheduler.handing_out import may_try
from orchestrator.scheduler.reservations import Reservations
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.rules.slots_needed import SlotsNeeded
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial


def at_a_time(state: State) -> int:
    """About how many trials run at a time: one a slot, or as many as fit; where that depends on the trial, as
    many as do now. 1 at least.
    """
    needed = state.policy.evaluations.slots
    if needed is None:
        return max(1, state.crew.slots)
    if needed.same is None:
        return max(1, state.running)
    return max(1, sum(worker.capacity // needed.same for worker in state.crew.workers.values()))


def room_left(state: State, ahead: int) -> int:
    """How many points to ask for, beside ``ahead`` that are kept ready. Where it depends on the point how
    much it takes, one at a time, as long as slots are free that nothing waits for.
    """
    needed = state.policy.evaluations.slots
    assert needed is not None
    waiting = len(state.waiting.queue)
    if needed.same is not None:
        return _that_fit(state, needed.same) + ahead - waiting
    if not state.crew.workers:
        return 1 - waiting
    # What is too large for those that are here waits for others: not without end.
    free = waiting < max(1, state.crew.slots) and _is_any_free(state, needed)
    return max(int(free), ahead - waiting)


def is_room_left(state: State) -> bool:
    """Whether another trial could run now."""
    return bool(state.crew.idle) if state.policy.evaluations.slots is None else room_left(state, 0) > 0


def slots_each(state: State) -> float:
    """How many slots a trial takes, on average of those that there are where it depends on the trial."""
    needed = state.policy.evaluations.slots
    if needed is None:
        return 1
    if needed.same is not None:
        return needed.same
    taken = [trial.slots for trial in state.trials.values() if trial.slots > 0]
    return sum(taken) / len(taken) if taken else 1


def _that_fit(state: State, slots: int) -> int:
    """Of so many each; one is made ready for the first worker that is large enough, where none is here."""
    if not any(worker.slots >= slots for worker in state.crew.workers.values() if not worker.draining):
        return 1
    return sum(worker.free // slots for worker in state.crew.idle.values())


def _is_any_free(state: State, needed: SlotsNeeded) -> bool:
    """Whether any slot is free once all that waits has what it fits into, or waits for."""
    free = {name: worker.free for name, worker in state.crew.idle.items()}
    reserved: Reservations | None = None
    too_large = math.inf
    for number in state.waiting.queue:
        if not free:
            return False
        trial = state.trials[number]
        if needed.why_not(trial.slots):
            continue
        fits = (name for name, slots in free.items() if slots >= trial.slots)
        # What is free gets less: where one does not fit, no larger one behind it does.
        if trial.slots < too_large and (name := next(fits, None)) is not None:
            free[name] -= trial.slots
            if not free[name]:
                del free[name]
            continue
        too_large = min(too_large, trial.slots)
        reserved = reserved or Reservations(state.crew.workers.values())
        if (worker := reserved.reserve_for(trial, partial(may_try, state))) is not None:
            free.pop(worker.name, None)
    return bool(free)


def why_too_large(policy: Policy, trial: Trial) -> str:
    """Why no worker can ever have a trial, in a sentence; nothing if one can."""
    return "" if policy.evaluations.slots is None else policy.evaluations.slots.why_not(trial.slots)


def why_it_waits(state: State, trial: Trial) -> str:
    """For how many slots a trial waits, and whose, in words; nothing where it waits for something else."""
    takes = f"it takes {trial.slots} slots of a worker"
    largest = max((worker.slots for worker in state.crew.workers.values() if not worker.draining), default=0)
    if largest < trial.slots:
        return f"{takes}, and the largest that is here has {largest}"
    free = max((worker.free for worker in state.crew.idle.values()), default=0)
    return "" if free >= trial.slots else f"{takes}, and none has more than {free} free"
