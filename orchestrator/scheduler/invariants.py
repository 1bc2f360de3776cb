"""What is true of the scheduler after every event. Tests and the simulated lab check it after every step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TypeAlias

from orchestrator.objectives import as_good
from orchestrator.scheduler.front import scores
from orchestrator.scheduler.handing_out import next_to_lease
from orchestrator.scheduler.rules.places import away
from orchestrator.scheduler.standing import ROUNDING
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase, TrialState
from orchestrator.scheduler.trial import Trial

Claim: TypeAlias = tuple[bool, str]
"""Whether something holds, and the sentence that says it."""


def violations(state: State) -> list[str]:
    """A sentence for each invariant that does not hold; empty when all is well."""
    claims = chain(
        _of_the_trials(state),
        _of_the_workers(state),
        _of_the_counts(state),
        _of_what_is_learned(state),
        _of_the_jobs(state),
        _of_the_run(state),
        _of_the_best(state),
    )
    return [sentence for holds, sentence in claims if not holds]


def _of_the_trials(state: State) -> Iterator[Claim]:
    trials = state.trials
    yield list(trials) == list(range(1, len(trials) + 1)), "trials are numbered 1, 2, 3 without a gap"
    unsettled = {number for number, trial in trials.items() if not trial.settled}
    yield set(state.unsettled) == unsettled, "the unsettled trials are those not settled"
    queued = [number for number, trial in trials.items() if trial.state is TrialState.QUEUED]
    yield sorted(state.waiting.queue) == queued, "the queue holds each queued trial once"
    for number in state.waiting.queue:
        yield state.may_wait(trials[number]), f"trial {number} waits within the bounds, and where it is held"
    for number, trial in trials.items():
        runs = trial.state is TrialState.RUNNING
        yield runs == (trial.lease is not None), f"trial {number} has a lease if and only if it runs"
        yield (
            trial.attempts.failed <= state.policy.evaluations.attempts,
            f"trial {number} failed more often than allowed",
        )
        yield (
            (trial.value is not None)
            == (trial.state is TrialState.COMPLETED and not state.policy.results.compared),
            f"trial {number} has a value if and only if it is completed, and not compared instead",
        )
        yield (
            (trial.forecast is not None) == (trial.state is TrialState.STOPPED),
            f"trial {number} has a forecast if and only if it was stopped",
        )
        yield (trial.settled_at is not None) == trial.settled, f"trial {number} knows when it was settled"
        yield (
            0 <= trial.suggested.continues < number,
            f"trial {number} goes on from an earlier one, if from any",
        )
    leases = [trial.lease for trial in trials.values() if trial.lease is not None]
    yield len(leases) == len(set(leases)), "no two trials share a lease"


def _of_the_workers(state: State) -> Iterator[Claim]:
    crew = state.crew
    for name, worker in crew.workers.items():
        for lease, number in worker.running.items():
            trial = state.trials[number]
            yield trial.lease == lease, f"{name} holds {lease}, which is not the trial's live lease"
            yield trial.worker == name, f"{name} holds {lease} of {trial.worker}"
        yield (name in crew.idle) == (worker.free > 0), f"{name} is idle if and only if it has a free slot"
        taken = sum(state.trials[number].slots for number in worker.running.values())
        yield worker.taken == taken, f"{name} knows how many of its slots are taken"
        works = bool(worker.running)
        yield works == (worker.idle_since is None), f"{name} knows since when it has no lease, if it has none"
    held = [lease for worker in crew.workers.values() for lease in worker.running]
    yield len(held) == len(set(held)), "no lease is held by two workers"
    yield set(crew.idle) <= set(crew.workers), "only connected workers are idle"
    yield not set(crew.parted) & set(crew.workers), "nobody who is connected has left"
    yield not any(worker.draining for worker in crew.idle.values()), "nobody who drains waits for work"
    yield crew.slots == sum(worker.capacity for worker in crew.workers.values()), "the slots are counted"


def _of_the_jobs(state: State) -> Iterator[Claim]:
    known, connected = state.jobs.known, state.crew.workers
    yield all(number <= state.jobs.asked for number in known), "the last job was asked for last"
    yield sum(job.heard_at is None for job in known.values()) <= 1, "one job is submitted after the other"
    workers = [job.worker for job in known.values()]
    yield len(workers) == len(set(workers)), "no two jobs have workers of the same name"
    for job in known.values():
        yield not job.here or job.worker in connected, f"{job.worker} of job {job.number} is connected"


def _of_the_counts(state: State) -> Iterator[Claim]:
    budget, tally = state.policy.budget.trials, state.tally
    yield (
        budget is None or state.budgeted <= budget,
        f"{state.budgeted} trials exceed the budget of {budget}",
    )
    cost = state.policy.budget.cost
    yield (
        cost is None or tally.spent < cost + 1.0,
        f"what {tally.spent:g} cost exceeds the budget of {cost} by an evaluation",
    )
    paid = sum(trial.cost for trial in state.trials.values())
    yield abs(paid - tally.spent) <= ROUNDING * max(1, len(state.trials)), "what trials cost is added up"
    yield 0 <= tally.withdrawn <= tally.abandoned, "trials that were withdrawn are abandoned"
    states = Counter(trial.state for trial in state.trials.values())
    yield tally.completed == states[TrialState.COMPLETED], "completed trials are counted once"
    yield tally.failed == states[TrialState.FAILED], "failed trials are counted once"
    yield tally.stopped == states[TrialState.STOPPED], "stopped trials are counted once"
    yield tally.abandoned == states[TrialState.ABANDONED], "abandoned trials are counted once"


def _of_what_is_learned(state: State) -> Iterator[Claim]:
    learned = sorted(trial.number for trial in state.observed)
    due = sorted(
        number
        for number, trial in state.trials.items()
        if trial.settled and trial.state is not TrialState.ABANDONED
    )
    yield (
        not any(
            state.counts(trial) and away(state.optimiser.fixed, trial.parameters) for trial in state.observed
        ),
        "an optimiser that holds parameters still knows of nothing elsewhere",
    )
    yield (
        learned == [*range(1 - state.tally.known, 1), *due],
        "what was learned is kept once, for another model",
    )
    yield bool(state.unsettled) or not state.untold, "a round that is settled is told"
    for number, trial in state.trials.items():
        yield not trial.forgotten or number in due, f"something came of trial {number}, to be forgotten"


def _of_the_run(state: State) -> Iterator[Claim]:
    yield state.phase is not Phase.ACTIVE or not state.paused, "an active run is not paused"
    yield state.phase is not Phase.PAUSED or state.paused, "a run pauses because a person said so"
    if state.phase is Phase.ACTIVE:
        yield next_to_lease(state) is None, "no trial waits while a worker is idle that may try it"
    if state.phase is Phase.FINISHED:
        yield not any(trial.lease for trial in state.trials.values()), "nothing runs in a finished run"
        yield bool(state.end.why), "a finished run says why it ended"


def _of_the_best(state: State) -> Iterator[Claim]:
    counting = [trial for trial in state.observed if state.counts(trial) and state.may_be_best(trial)]
    if state.policy.sought.further:
        yield state.found.best is None, "of several objectives no trial is the best"
        yield from _of_the_front(state, counting)
        return
    yield not state.found.front, "of one objective there is no front"
    values = [trial.value for trial in counting if trial.value is not None]
    yield bool(values) == (state.found.best is not None), "there is a best trial if any value counts"
    if values:
        best = max(values) if state.policy.sought.goal == "maximise" else min(values)
        yield (
            state.found.best is not None
            and state.found.best.value is not None
            and state.counts(state.found.best)
            and not state.policy.sought.better(best, state.found.best.value),
            "the best trial has the best value",
        )


def _of_the_front(state: State, counting: Sequence[Trial]) -> Iterator[Claim]:
    """``counting`` are the trials that may be of it."""
    known = {trial.number: own for trial in counting if (own := scores(state.policy, trial)) is not None}
    front = {trial.number for trial in state.found.front}
    different = front <= known.keys() and len(front) == len(state.found.front)
    yield different, "the front is of different trials, whose objectives are all known"
    if not different:
        return
    for number, own in known.items():
        beaten = any(as_good(known[other], own) for other in front - {number})
        if number in front:
            yield not beaten, f"trial {number} of the front is not beaten by another of it"
        else:
            yield beaten, f"trial {number} is in the front unless one of it beats it"
