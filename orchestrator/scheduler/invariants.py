"""What is true of the scheduler after every event. Tests and the simulated lab check it after every step."""

from __future__ import annotations

from orchestrator.objectives import as_good
from orchestrator.scheduler.front import scores
from orchestrator.scheduler.state import State, Trial
from orchestrator.scheduler.transitions import Phase, TrialState


def violations(state: State) -> list[str]:
    """A sentence for each invariant that does not hold; empty when all is well."""
    found: list[str] = []

    def expect(holds: bool, sentence: str) -> None:
        if not holds:
            found.append(sentence)

    trials = state.trials
    expect(list(trials) == list(range(1, len(trials) + 1)), "trials are numbered 1, 2, 3 without a gap")
    budget = state.policy.trials
    expect(
        budget is None or state.budgeted <= budget, f"{state.budgeted} trials exceed the budget of {budget}"
    )
    expect(0 <= state.withdrawn <= state.abandoned, "trials that were withdrawn are abandoned")

    unsettled = {number for number, trial in trials.items() if not trial.settled}
    expect(set(state.unsettled) == unsettled, "the unsettled trials are those not settled")
    queued = [number for number, trial in trials.items() if trial.state is TrialState.QUEUED]
    expect(sorted(state.queue) == queued, "the queue holds each queued trial once")

    leases: list[str] = []
    for number, trial in trials.items():
        running = trial.state is TrialState.RUNNING
        expect(running == (trial.lease is not None), f"trial {number} has a lease if and only if it runs")
        expect(trial.failures <= state.policy.attempts, f"trial {number} failed more often than allowed")
        expect(
            (trial.value is not None) == (trial.state is TrialState.COMPLETED),
            f"trial {number} has a value if and only if it is completed",
        )
        expect(
            (trial.forecast is not None) == (trial.state is TrialState.STOPPED),
            f"trial {number} has a forecast if and only if it was stopped",
        )
        expect((trial.settled_at is not None) == trial.settled, f"trial {number} knows when it was settled")
        if trial.lease is not None:
            leases.append(trial.lease)
    expect(len(leases) == len(set(leases)), "no two trials share a lease")

    held: list[str] = []
    for name, worker in state.workers.items():
        held.extend(worker.running)
        for lease, number in worker.running.items():
            expect(
                trials[number].lease == lease, f"{name} holds {lease}, which is not the trial's live lease"
            )
            expect(trials[number].worker == name, f"{name} holds {lease} of {trials[number].worker}")
        expect((name in state.idle) == (worker.free > 0), f"{name} is idle if and only if it has a free slot")
    expect(len(held) == len(set(held)), "no lease is held by two workers")
    expect(set(state.idle) <= set(state.workers), "only connected workers are idle")
    expect(not any(worker.draining for worker in state.idle.values()), "nobody who drains waits for work")
    expect(state.slots == sum(worker.capacity for worker in state.workers.values()), "the slots are counted")

    counts = [trial.state for trial in trials.values()]
    expect(state.completed == counts.count(TrialState.COMPLETED), "completed trials are counted once")
    expect(state.failed == counts.count(TrialState.FAILED), "failed trials are counted once")
    expect(state.stopped == counts.count(TrialState.STOPPED), "stopped trials are counted once")
    expect(state.abandoned == counts.count(TrialState.ABANDONED), "abandoned trials are counted once")

    told = sorted(trial.number for trial in state.observed)
    learned = sorted(
        number
        for number, trial in trials.items()
        if trial.settled and trial.state is not TrialState.ABANDONED
    )
    expect(told == [*range(1 - state.known, 1), *learned], "what was learned is kept once, for another model")
    expect(bool(state.unsettled) or not state.untold, "a round that is settled is told")
    for trial in state.observed:
        expect(
            not trial.forgotten or trial.value is not None,
            f"trial {trial.number} had a value to be forgotten",
        )
    for number in state.queue:
        expect(state.inside(trials[number].parameters), f"trial {number} waits within the bounds")
    expect(state.phase is not Phase.ACTIVE or not state.paused, "an active run is not paused")
    expect(state.phase is not Phase.PAUSED or state.paused, "a run pauses because a person said so")

    if state.phase is Phase.ACTIVE:
        expect(state.next_to_lease is None, "no trial waits while a worker is idle that may try it")
    if state.phase is Phase.FINISHED:
        expect(not leases, "nothing runs in a finished run")
        expect(bool(state.ending), "a finished run says why it ended")
    counting = [t for t in state.observed if state.counts(t) and not t.broken]
    completed = [t.value for t in counting if t.value is not None]
    if state.policy.further:
        expect(state.best is None, "of several objectives no trial is the best")
        return found + _of_the_front(state, counting)
    expect(not state.front, "of one objective there is no front")
    expect(bool(completed) == (state.best is not None), "there is a best trial if any value counts")
    if completed:
        best = max(completed) if state.policy.goal == "maximise" else min(completed)
        expect(
            state.best is not None
            and state.best.value is not None
            and state.counts(state.best)
            and not state.policy.better(best, state.best.value),
            "the best trial has the best value",
        )
    return found


def _of_the_front(state: State, counting: list[Trial]) -> list[str]:
    """What does not hold of the front among the trials that count."""
    found = []
    known = {trial.number: own for trial in counting if (own := scores(state.policy, trial)) is not None}
    front = {trial.number for trial in state.front}
    if not front <= known.keys() or len(front) < len(state.front):
        return ["the front is of different trials, whose objectives are all known"]
    for number, own in known.items():
        beaten = any(as_good(known[other], own) for other in front - {number})
        if number in front and beaten:
            found.append(f"trial {number} of the front is not beaten by another of it")
        if number not in front and not beaten:
            found.append(f"trial {number} is in the front unless one of it beats it")
    return found
