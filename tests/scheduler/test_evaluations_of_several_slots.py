"""Evaluations take several slots of a worker: who gets what, what waits for room, and what is asked for."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lab import Lab, leased, only
from policies import policy_with

from orchestrator.scheduler import handing_out, room
from orchestrator.scheduler.commands import Ask, Evaluate, Tell
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.scheduler.events import (
    ResultArrived,
    TrialApproved,
    WorkerBeganDraining,
)
from orchestrator.scheduler.handling import fitting
from orchestrator.scheduler.job_numbers import jobs_wanted
from orchestrator.scheduler.liveness import Liveness, Patience
from orchestrator.scheduler.room import why_it_waits
from orchestrator.scheduler.rules.slots_needed import SlotsNeeded
from orchestrator.scheduler.transitions import Phase, TrialState


def all_alike(slots: int) -> SlotsNeeded:
    return SlotsNeeded(lambda _: float(slots), same=slots, most=1_024)


BY_SIZE = SlotsNeeded(lambda parameters: float(parameters["size"]), most=1_024)


def lab_of(needed: SlotsNeeded, **policy: object) -> Lab:
    lab = Lab(policy_with(**{"trials": 20, "slots": needed, **policy}))  # type: ignore[arg-type]
    lab.start()
    return lab


def of_sizes(lab: Lab, *sizes: float) -> list[str]:
    """Answer what is asked for, one ask after the other; the leases that are given."""
    given: list[str] = []
    for size in sizes:
        given += leased(lab.answer(Suggested(parameters={"size": size})))
    return given


def queue_of(lab: Lab, *sizes: float) -> None:
    """In one answer."""
    lab.state.optimiser.asking = len(sizes)
    lab.answer(*(Suggested(parameters={"size": size}) for size in sizes))


def on(lab: Lab, worker: str) -> list[int]:
    return list(lab.state.crew.workers[worker].running.values())


def test_as_many_run_as_fit_and_no_more_are_asked_for() -> None:
    lab = lab_of(all_alike(4))
    assert lab.state.optimiser.asking == 1  # one is ready for the first worker
    lab.join("w1", slots=14)
    lab.suggest()
    assert lab.state.optimiser.asking == 2
    lab.suggest()
    worker = lab.state.crew.workers["w1"]
    assert len(worker.running) == 3
    assert worker.taken == 12
    assert worker.free == 2
    assert lab.state.optimiser.asking is None
    assert only(Evaluate, lab.succeed("1.1")) == []
    assert lab.state.optimiser.asking == 1


def test_it_is_told_how_many_slots_an_evaluation_has() -> None:
    lab = lab_of(all_alike(3))
    lab.join("w1", slots=4)
    assert [command.slots for command in only(Evaluate, lab.suggest())] == [3]


def test_where_each_takes_its_own_they_are_asked_for_one_by_one_as_long_as_slots_are_free() -> None:
    lab = lab_of(BY_SIZE)
    lab.join("w1", slots=8)
    assert of_sizes(lab, 2, 5, 1) == ["1.1", "2.1", "3.1"]
    assert lab.state.crew.workers["w1"].free == 0
    assert lab.state.optimiser.asking is None
    lab.succeed("3.1")
    assert lab.state.optimiser.asking == 1
    of_sizes(lab, 3)
    assert lab.state.waiting.queue
    assert lab.state.optimiser.asking is None, "what is free is for the one that waits"


def test_a_part_of_a_slot_is_one_and_rounding_makes_no_more() -> None:
    needed = SlotsNeeded(lambda parameters: parameters["size"], most=8)
    sizes = [needed.of({"size": size}) for size in (0.2, 3.2, 4.000000000001, 0.0, -3.0, math.nan, math.inf)]
    assert sizes == [1, 4, 4, 0, 0, 0, 0]


def test_a_large_trial_has_the_worker_reserved_that_lacks_fewest_slots() -> None:
    lab = lab_of(BY_SIZE)
    lab.join("w1", slots=4)
    lab.join("w2", slots=4)
    queue_of(lab, 3, 2, 4, 1, 1, 1)
    assert (on(lab, "w1"), on(lab, "w2")) == ([1, 4], [2]), "slots of `w2` wait for trial 3"
    lab.succeed("4.1")
    assert on(lab, "w1") == [1, 5]
    lab.succeed("2.1", worker="w2")
    assert on(lab, "w2") == [3]
    lab.succeed("1.1")
    assert on(lab, "w1") == [5, 6]


def test_of_workers_of_two_sizes_that_one_is_reserved_too() -> None:
    lab = lab_of(BY_SIZE)
    lab.join("w1", slots=4)
    lab.join("w2", slots=8)
    queue_of(lab, 3, 5, 4, 1)
    assert (on(lab, "w1"), on(lab, "w2")) == ([1, 4], [2]), "a slot of `w2` is wanting for trial 3"


def test_nobody_is_reserved_for_what_failed_there_and_is_for_another_to_try() -> None:
    lab = lab_of(BY_SIZE, attempts=9)
    lab.join("w1", slots=4)
    queue_of(lab, 4)
    lab.fail("1.1")
    lab.fail("1.2")
    lab.join("w2", slots=4)
    queue_of(lab, 2)
    lab.fail("1.3")
    queue_of(lab, 1)
    assert (on(lab, "w1"), on(lab, "w2")) == ([3], [2]), "slots of `w2` wait for trial 1"
    lab.succeed("2.1", worker="w2")
    assert on(lab, "w2") == [1]


def test_no_large_trial_waits_for_ever_behind_small_ones() -> None:
    lab = lab_of(BY_SIZE, trials=100)
    lab.join("w1", slots=4)
    of_sizes(lab, 1, 1, 1, 1)
    lab.succeed("1.1")
    of_sizes(lab, 4)
    for number in (2, 3, 4):
        assert lab.state.trials[5].state is TrialState.QUEUED
        assert lab.state.optimiser.asking is None
        lab.succeed(f"{number}.1")
    assert lab.state.trials[5].state is TrialState.RUNNING


def test_a_trial_that_fits_no_worker_here_waits_for_a_larger_one_and_others_run() -> None:
    lab = lab_of(BY_SIZE)
    lab.join("w1", slots=2)
    assert of_sizes(lab, 8, 1, 1) == ["2.1", "3.1"]
    waits = lab.state.trials[1]
    expected = "it takes 8 slots of a worker, and the largest that is here has 2"
    assert why_it_waits(lab.state, waits) == expected
    assert leased(lab.join("w2", slots=8)) == ["1.1"]


def test_what_waits_for_room_is_told_how_much_there_is_of_it_at_most() -> None:
    lab = lab_of(BY_SIZE)
    lab.join("w1", slots=4)
    lab.join("w2", slots=8)
    assert of_sizes(lab, 3, 6, 3) == ["1.1", "2.1"]
    waits = lab.state.trials[3]
    assert why_it_waits(lab.state, waits) == "it takes 3 slots of a worker, and none has more than 2 free"
    for worker in ("w1", "w2"):
        lab.happen(WorkerBeganDraining(at=lab.tick(), worker=worker))
    expected = "it takes 3 slots of a worker, and the largest that is here has 0"
    assert why_it_waits(lab.state, waits) == expected


def test_what_waits_for_larger_workers_does_not_pile_up() -> None:
    lab = lab_of(BY_SIZE, trials=100)
    lab.join("w1", slots=3)
    of_sizes(lab, 8, 9, 10)
    assert lab.state.optimiser.asking is None
    assert len(lab.state.waiting.queue) == 3


def test_what_no_worker_can_ever_have_has_failed_at_once_and_is_learned() -> None:
    needed = SlotsNeeded(lambda p: p["size"], most=8, whose="this machine")
    lab = lab_of(needed)
    lab.join("w1", slots=8)
    of_sizes(lab, 9)
    trial = lab.state.trials[1]
    assert (trial.state, trial.message) == (TrialState.FAILED, "it takes 9 slots, and this machine has 8")
    assert [(told.trial, told.value) for told in only(Tell, lab.commands)] == [(1, None)]
    of_sizes(lab, math.nan)
    assert lab.state.trials[2].message.startswith("expected `slots` of a worker, 1 or more, got none")
    assert lab.state.optimiser.asking == 1


def test_a_run_in_which_nothing_fits_stops() -> None:
    lab = lab_of(SlotsNeeded(lambda p: p["size"], most=8, whose="this machine"), give_up_after=3, trials=None)
    lab.join("w1", slots=8)
    of_sizes(lab, 9, 10, 11)
    assert lab.state.phase is Phase.FINISHED
    assert "it takes 11 slots, and this machine has 8" in lab.state.end.message


def test_in_a_round_what_fits_nowhere_is_told_with_the_others() -> None:
    lab = lab_of(SlotsNeeded(lambda p: p["size"], most=2), mode="synchronous", batch=3)
    lab.join("w1", slots=2)
    queue_of(lab, 9, 1, 1)
    assert only(Tell, lab.commands) == []
    lab.succeed("2.1")
    lab.succeed("3.1")
    assert sorted(told.trial for told in only(Tell, lab.commands)) == [1, 2, 3]


def test_trials_that_wait_for_approval_have_their_slots_counted() -> None:
    lab = lab_of(BY_SIZE, approval=True)
    lab.join("w1", slots=4)
    of_sizes(lab, 3, 3)
    assert lab.state.optimiser.asking is None
    assert leased(lab.happen(TrialApproved(at=lab.tick(), trial=2))) == ["2.1"]


def test_a_worker_that_drains_has_no_more_slots_than_it_uses() -> None:
    lab = lab_of(BY_SIZE)
    lab.join("w1", slots=8)
    of_sizes(lab, 3, 2)
    lab.happen(WorkerBeganDraining(at=lab.tick(), worker="w1"))
    assert lab.state.crew.slots == 5
    lab.succeed("1.1")
    assert lab.state.crew.slots == 2
    assert not lab.state.crew.idle


def test_a_worker_that_is_back_holds_the_slots_of_its_leases() -> None:
    lab = lab_of(BY_SIZE)
    lab.join("w1", slots=8)
    of_sizes(lab, 3, 4)
    lab.resume()
    lab.join("w1", slots=8, held=["1.1", "2.1"])
    assert lab.state.crew.workers["w1"].taken == 7
    lab.leave("w1")
    assert lab.state.crew.slots == 0
    assert list(lab.state.waiting.queue) == [2, 1]


def test_the_time_of_a_worker_is_counted_by_slots() -> None:
    lab = lab_of(all_alike(4))
    lab.join("w1", slots=4)
    lab.suggest()
    lab.succeed("1.1")
    assert lab.state.crew.workers["w1"].busy_s == 4.0


@pytest.mark.parametrize(("needed", "jobs"), [(all_alike(4), 10), (all_alike(2), 5), (BY_SIZE, 3)])
def test_jobs_are_submitted_for_as_many_slots_as_the_trials_take(needed: SlotsNeeded, jobs: int) -> None:
    lab = lab_of(needed)
    lab.state.jobs.slots = 8
    assert jobs_wanted(lab.state, 100) == jobs


def test_what_waits_at_a_worker_goes_to_one_that_has_room_for_it() -> None:
    lab = lab_of(all_alike(4))
    lab.join("w1", slots=4)
    lab.suggest()
    liveness = Liveness(timeout_s=None, patience=Patience(heartbeat_s=1.0))
    liveness.joined("w1", now=0.0)
    liveness.granted("1.1", "w1", 0.0)
    liveness.beat("w1", ["1.1"], now=1.0, waiting=["1.1"])
    lab.join("w2", slots=3)
    assert liveness.outwaited(lab.state, 1e6) == []
    lab.join("w3", slots=4)
    assert [expired.lease for expired in liveness.outwaited(lab.state, 1e6)] == ["1.1"]


def test_nothing_is_asked_for_ahead_of_those_that_fit() -> None:
    lab = lab_of(all_alike(16))
    lab.join("w1", slots=4)
    assert lab.state.optimiser.asking == 1, "one is ready for a worker that is large enough"
    lab.suggest()
    assert lab.state.optimiser.asking is None
    assert only(Ask, lab.commands)[-1].count == 1


def test_of_quick_ones_as_many_are_kept_ready_as_fit() -> None:
    lab = lab_of(all_alike(4), trials=1_000)
    lab.join("w1", slots=14)
    while lab.state.optimiser.asking:
        queue_of(lab, *[4] * lab.state.optimiser.asking)
    lab.succeed("1.1", elapsed=0.005)
    assert lab.state.optimiser.asking == 1 + 3


def test_one_is_made_ready_for_the_next_worker_while_the_only_one_that_is_large_enough_drains() -> None:
    lab = lab_of(all_alike(4))
    lab.join("w1", slots=4)
    lab.suggest()
    assert lab.state.optimiser.asking is None
    lab.happen(WorkerBeganDraining(at=lab.tick(), worker="w1"))
    assert lab.state.optimiser.asking == 1


def test_a_large_trial_is_tried_again_where_it_failed_if_all_others_are_too_small() -> None:
    lab = lab_of(BY_SIZE, attempts=3)
    lab.join("small", slots=2)
    lab.join("w1", slots=8)
    of_sizes(lab, 8)
    for attempt in (1, 2):
        lab.fail(f"1.{attempt}")
    assert lab.state.trials[1].state is TrialState.RUNNING


def test_of_many_that_wait_for_many_workers_each_worker_is_looked_at_a_few_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    workers = 20
    lab = lab_of(BY_SIZE, trials=200)
    for number in range(workers):
        lab.join(f"w{number}", slots=16)
    queue_of(lab, *[9] * 100)
    assert len(lab.state.waiting.queue) == 80
    asked = list[str]()
    may_try = handing_out.may_try
    for module in (handing_out, room):
        monkeypatch.setattr(module, "may_try", lambda *of: asked.append(of[1].name) or may_try(*of))
    given = lab.scheduler.handle(ResultArrived(at=lab.tick(), worker="w7", lease="8.1", value=1.0))
    assert leased(given) == ["21.1"]
    assert len(asked) < 4 * workers


def test_what_waits_is_held_against_the_largest_worker_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = lab_of(BY_SIZE, trials=200)
    lab.join("w1", slots=16)
    held = list[int]()
    monkeypatch.setattr(fitting, "why_too_large", lambda _, trial: held.append(trial.number) or "")
    queue_of(lab, *[9] * 50)
    for number in range(1, 11):
        lab.succeed(f"{number}.1")
    assert held == [*range(1, 51)]


def test_of_what_finds_no_worker_that_is_large_enough_a_smaller_trial_has_a_smaller_one_reserved() -> None:
    lab = lab_of(BY_SIZE)
    lab.join("w1", slots=16)
    lab.join("w2", slots=4)
    queue_of(lab, 9, 3, 12, 14, 4, 1)
    assert (on(lab, "w1"), on(lab, "w2")) == ([1], [2])
    assert list(lab.state.waiting.queue) == [3, 4, 5, 6], (
        "12 waits for w1, 14 for another, 4 for w2: none is for 1"
    )


def test_what_waits_for_approval_leaves_free_what_it_does_not_take() -> None:
    lab = lab_of(BY_SIZE, approval=True)
    lab.join("w1", slots=8)
    lab.join("w2", slots=4)
    queue_of(lab, 5, 6)
    lab.happen(TrialApproved(at=lab.tick(), trial=1))
    of_sizes(lab, 3)
    assert lab.state.optimiser.asking == 1, "of w2 one slot is free once trial 3 has three"
    of_sizes(lab, 1)
    assert lab.state.optimiser.asking is None


LASTS_AT_MOST = 5
evaluations = st.lists(st.tuples(st.integers(1, 6), st.integers(1, LASTS_AT_MOST)), min_size=1, max_size=25)


@settings(max_examples=100, deadline=None)
@given(evaluations, st.lists(st.integers(1, 5), max_size=2))
def test_every_trial_is_evaluated_in_turn_whatever_they_take(
    evaluations: list[tuple[int, int]], others: list[int]
) -> None:
    """By workers of which one is large enough for each; a tick is as long as nothing else happens."""
    lab = lab_of(BY_SIZE, trials=len(evaluations))
    workers = {"w0": 6, **{f"w{i}": slots for i, slots in enumerate(others, start=1)}}
    for name, slots in workers.items():
        lab.join(name, slots=slots)
    ends: dict[str, int] = {}
    first_since = (0, 0)
    for tick in range(10_000):
        while lab.state.optimiser.asking is not None:
            of_sizes(lab, evaluations[len(lab.state.trials)][0])
        if lab.state.phase is Phase.FINISHED:
            break
        for worker in lab.state.crew.workers.values():
            assert worker.taken <= worker.slots
            for lease, number in worker.running.items():
                ends.setdefault(lease, tick + evaluations[number - 1][1])
        first = min(lab.state.waiting.queue, default=0)
        first_since = first_since if first_since[0] == first else (first, tick)
        # What the worker that is reserved lacks gets less by each evaluation that ends there.
        assert not first or tick - first_since[1] <= LASTS_AT_MOST * max(workers.values())
        for lease in [lease for lease, end in ends.items() if end == tick]:
            worker = next(name for name, one in lab.state.crew.workers.items() if lease in one.running)
            lab.succeed(lease, worker=worker)
    assert lab.state.tally.completed == len(evaluations)
