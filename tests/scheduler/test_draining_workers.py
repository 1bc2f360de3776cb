"""A worker that drains finishes what it has, and is given nothing more; nobody's trial suffers from it."""

from __future__ import annotations

from lab import Lab, asked, leased
from policies import policy_with

from orchestrator.scheduler.events import WorkerBeganDraining
from orchestrator.scheduler.transitions import TrialState


def draining_lab(slots: int = 2, **rules: object) -> Lab:
    """A lab whose only worker, w1, is given one trial and then says that it drains."""
    lab = Lab(policy_with(**{"trials": 10, "attempts": 1, **rules}))  # type: ignore[arg-type]
    lab.start()
    lab.suggest(1)
    lab.join("w1", slots)
    assert lab.leases("w1") == ["1.1"]
    drain(lab, "w1")
    return lab


def drain(lab: Lab, worker: str) -> None:
    assert lab.happen(WorkerBeganDraining(at=lab.tick(), worker=worker)) == []


def test_it_is_given_nothing_for_its_free_slots() -> None:
    lab = draining_lab()
    lab.suggest()
    assert lab.leases("w1") == ["1.1"]
    assert lab.trial(2).state is TrialState.QUEUED


def test_what_it_finishes_counts_and_leaves_no_slot_behind() -> None:
    lab = draining_lab()
    lab.suggest()
    assert leased(lab.succeed("1.1")) == []
    assert lab.trial(1).state is TrialState.COMPLETED
    assert lab.state.crew.slots == 0


def test_what_waits_goes_to_another() -> None:
    lab = draining_lab()
    lab.suggest()
    assert leased(lab.join("w2")) == ["2.1"]


def test_no_point_is_asked_for_a_slot_that_it_closes_and_one_is_for_each_of_others() -> None:
    lab = Lab(policy_with(trials=10))
    lab.start()
    lab.suggest()
    lab.join("w1", slots=2)
    lab.suggest()
    drain(lab, "w1")
    assert asked(lab.succeed("1.1")) == []
    assert asked(lab.join("w2")) == [1]


def test_it_leaves_and_nothing_has_failed() -> None:
    lab = draining_lab()
    lab.suggest()
    lab.leave("w1", lost=False)
    assert [trial.attempts.failed for trial in lab.state.trials.values()] == [0, 0]
    assert leased(lab.join("w2", slots=2)) == ["1.2", "2.1"]


def test_another_process_of_its_name_is_given_work_again() -> None:
    lab = draining_lab()
    lab.suggest()
    lab.succeed("1.1")
    assert leased(lab.join("w1")) == ["2.1"]


def test_one_that_says_with_its_hello_that_it_drains_keeps_what_it_holds_and_gets_no_more() -> None:
    lab = draining_lab()
    lab.suggest()
    lab.resume()
    assert leased(lab.join("w1", slots=2, held=["1.1"], draining=True)) == []
    assert lab.leases("w1") == ["1.1"]
    assert lab.state.crew.slots == 1
    lab.succeed("1.1")
    assert lab.trial(1).state is TrialState.COMPLETED


def test_a_trial_that_it_takes_up_again_is_the_last_one_that_it_has() -> None:
    lab = draining_lab(attempts=2)
    lab.leave("w1")
    lab.suggest()
    lab.join("w1", slots=2, held=["1.1"], draining=True)
    assert (lab.leases("w1"), lab.state.crew.slots) == (["1.1"], 1)
    lab.succeed("1.1")
    assert (lab.leases("w1"), lab.state.crew.slots) == ([], 0)


def test_who_is_not_there_cannot_drain() -> None:
    lab = draining_lab()
    drain(lab, "w1")
    drain(lab, "nobody")
    assert lab.state.crew.slots == 1
