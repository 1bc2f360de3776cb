"""What becomes of trials and workers, one story a test: events in, commands out."""

from __future__ import annotations

from typing import get_args

import pytest
from lab import Lab, asked, leased, only, running_lab
from policies import policy_with

from orchestrator.scheduler.commands import Acknowledge, AdoptRefit, CancelLease, FinishRun, Tell
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.scheduler.events import (
    Event,
    FailureArrived,
    LeaseExpired,
    RefitFinished,
    ResultArrived,
    SuggestionsMade,
    TrialFoundHopeless,
)
from orchestrator.scheduler.handling.crew import SENT_IN_VAIN
from orchestrator.scheduler.machine import HANDLERS
from orchestrator.scheduler.transitions import Phase, TrialState


def test_every_kind_of_event_has_a_handler_and_nothing_else_has() -> None:
    assert set(HANDLERS) == set(get_args(Event))


def test_a_trial_goes_from_the_ask_to_the_optimiser_s_knowledge() -> None:
    lab = Lab(policy_with(trials=1))
    assert asked(lab.start()) == [1]
    assert leased(lab.suggest()) == []
    assert leased(lab.join("w1")) == ["1.1"]
    commands = lab.succeed("1.1", value=7.0, elapsed=30.0)
    assert only(Acknowledge, commands) == [Acknowledge(worker="w1", lease="1.1", counted=True)]
    assert [(tell.trial, tell.value, tell.seconds) for tell in only(Tell, commands)] == [(1, 7.0, 30.0)]
    assert only(FinishRun, commands) == [FinishRun(reason="every trial of the budget is settled")]
    assert lab.state.phase is Phase.FINISHED


def test_of_what_is_stopped_the_optimiser_is_told_what_is_foreseen_and_how_surely() -> None:
    lab = running_lab()
    (tell,) = only(Tell, lab.find_unlikely("1.1", mean=4.0, deviation=3.0))
    assert (tell.value, tell.variance, tell.foreseen) == (4.0, 9.0, True)


def test_only_one_ask_is_under_way_and_it_grows_with_what_is_missing() -> None:
    lab = Lab(policy_with(trials=10))
    lab.start()
    for number in range(1, 5):
        assert asked(lab.join(f"w{number}")) == []
    assert asked(lab.suggest()) == [3]
    lab.suggest()
    assert lab.state.running == 4


def test_the_budget_is_never_exceeded_however_many_workers_join() -> None:
    lab = running_lab(workers=8, trials=3)
    assert len(lab.state.trials) == 3
    for lease in ["1.1", "2.1", "3.1"]:
        lab.succeed(lease, worker=str(lab.trial(int(lease[0])).worker))
    assert lab.state.phase is Phase.FINISHED


def test_a_failed_attempt_is_tried_again_and_the_last_one_fails_the_trial() -> None:
    lab = running_lab(attempts=2)
    assert leased(lab.fail("1.1")) == ["1.2"]
    commands = lab.fail("1.2")
    assert lab.trial(1).state is TrialState.FAILED
    assert [(tell.trial, tell.value) for tell in only(Tell, commands)] == [(1, None)]


def test_what_a_failed_attempt_returned_is_kept_where_the_next_returns_nothing() -> None:
    """It may be read otherwise, and be a value then."""
    lab = running_lab(attempts=2)
    lab.happen(
        FailureArrived(
            at=lab.tick(), worker="w1", lease="1.1", kind="invalid", message="no loss", extras={"los": 3.0}
        )
    )
    lab.fail("1.2")
    assert (lab.trial(1).state, lab.trial(1).extras) == (TrialState.FAILED, {"los": 3.0})


def test_a_lost_worker_s_trial_goes_to_another() -> None:
    lab = running_lab(workers=2)
    lab.succeed("2.1", worker="w2")
    lab.suggest()
    lab.leave("w1")
    assert lab.trial(1).state is TrialState.QUEUED
    assert leased(lab.succeed("3.1", worker="w2"))[:1] == ["1.2"]


def test_a_goodbye_that_comes_after_the_worker_was_given_up_changes_nothing() -> None:
    lab = running_lab()
    lab.leave("w1")
    assert lab.leave("w1", lost=False) == []
    assert (lab.trial(1).state, lab.trial(1).attempts.failed) == (TrialState.QUEUED, 1)


def test_a_worker_that_says_goodbye_costs_its_trial_no_attempt() -> None:
    lab = running_lab(attempts=1)
    lab.leave("w1", lost=False)
    assert lab.trial(1).state is TrialState.QUEUED
    assert lab.trial(1).attempts.failed == 0


def test_the_first_result_of_a_trial_counts_and_the_second_is_thanked() -> None:
    lab = running_lab(workers=2)
    lab.leave("w1")
    lab.succeed("2.1", worker="w2")
    assert lab.leases("w2") == ["1.2"]
    commands = lab.succeed("1.1", value=3.0, worker="w1")
    assert (lab.trial(1).value, lab.trial(1).worker) == (3.0, "w1")
    assert [cancel.lease for cancel in only(CancelLease, commands)] == ["1.2"]
    late = lab.succeed("1.2", value=4.0, worker="w2")
    assert only(Acknowledge, late)[0].counted is False
    assert only(Tell, late) == []
    assert lab.trial(1).value == 3.0
    assert lab.state.tally.late == 1


@pytest.mark.parametrize(
    "lease",
    [
        *("9.1", "1.7", "1.0", "x", "", "1", "1.1.1", "٣.1", "1.01", "9" * 30 + ".1"),
        pytest.param("9" * 5_000 + ".1", id="a trial of more digits than Python reads"),
        pytest.param("1." + "9" * 5_000, id="an attempt of more digits than Python reads"),
    ],
)
def test_a_result_for_a_lease_that_was_never_given_changes_nothing(lease: str) -> None:
    lab = running_lab()
    commands = lab.happen(ResultArrived(at=lab.tick(), worker="w1", lease=lease, value=1.0))
    assert only(Tell, commands) == []
    assert lab.trial(1).state is TrialState.RUNNING


def test_a_worker_that_comes_back_goes_on_with_what_it_holds() -> None:
    lab = running_lab()
    assert leased(lab.join("w1", held=["1.1"])) == []
    assert lab.leases("w1") == ["1.1"]
    assert lab.trial(1).attempts.failed == 0


def test_a_worker_that_comes_back_without_its_lease_may_have_finished_it() -> None:
    lab = running_lab(attempts=1)
    assert leased(lab.join("w1")) == []
    lab.succeed("1.1")
    assert lab.trial(1).state is TrialState.COMPLETED


def test_a_lease_that_a_worker_turns_out_to_have_lost_is_tried_again() -> None:
    lab = running_lab()
    lab.join("w1")
    assert leased(lab.happen(LeaseExpired(at=lab.tick(), lease="1.1", reason="w1 lost it"))) == ["1.2"]
    assert lab.trial(1).attempts.failed == 1


def test_a_worker_thought_lost_takes_up_again_what_nobody_else_has() -> None:
    lab = running_lab()
    lab.leave("w1")
    assert leased(lab.join("w1", held=["1.1"])) == []
    assert lab.trial(1).lease == "1.1"
    assert lab.trial(1).state is TrialState.RUNNING


def test_what_a_worker_still_has_of_another_run_is_not_taken_for_a_trial_that_waits_here() -> None:
    lab = running_lab()
    lab.leave("w1")
    assert leased(lab.join("w1", held=["1.1"], foreign=["1.1"])) == ["1.2"]
    assert lab.trial(1).lease == "1.2"


def test_a_worker_thought_lost_is_called_off_what_another_has() -> None:
    lab = running_lab(workers=2)
    lab.leave("w1")
    lab.succeed("2.1", worker="w2")
    commands = lab.join("w1", held=["1.1"])
    assert [cancel.lease for cancel in only(CancelLease, commands)] == ["1.1"]


def test_an_expired_lease_is_cancelled_and_tried_again() -> None:
    lab = running_lab()
    commands = lab.happen(LeaseExpired(at=lab.tick(), lease="1.1", reason="overdue"))
    assert [cancel.lease for cancel in only(CancelLease, commands)] == ["1.1"]
    assert leased(commands) == ["1.2"]


def test_a_lease_that_its_worker_never_had_is_another_s_and_costs_no_attempt() -> None:
    lab = running_lab(workers=2, attempts=1)
    lab.succeed("2.1", worker="w2")
    commands = lab.happen(LeaseExpired(at=lab.tick(), lease="1.1", reason="never had it", counts=False))
    assert [cancel.lease for cancel in only(CancelLease, commands)] == ["1.1"]
    assert leased(commands) == ["1.2"]
    assert (lab.trial(1).worker, lab.trial(1).attempts.failed) == ("w2", 0)
    lab.succeed("1.2", worker="w2")
    assert lab.trial(1).state is TrialState.COMPLETED


def test_a_trial_that_nobody_ever_takes_up_fails_in_the_end() -> None:
    lab = running_lab(attempts=2)
    for _ in range(SENT_IN_VAIN + 1):
        assert lab.trial(1).attempts.failed == 0
        lab.happen(LeaseExpired(at=lab.tick(), lease=str(lab.trial(1).lease), reason="in vain", counts=False))
    assert lab.trial(1).attempts.failed == 1
    lab.happen(LeaseExpired(at=lab.tick(), lease=str(lab.trial(1).lease), reason="in vain", counts=False))
    assert lab.trial(1).state is TrialState.FAILED
    assert lab.trial(1).message == "in vain"


def test_sequential_means_one_at_a_time_whatever_the_workers() -> None:
    lab = running_lab(workers=4, mode="sequential")
    assert lab.state.running == 1
    lab.succeed("1.1", worker=str(lab.trial(1).worker))
    lab.suggest()
    assert lab.state.running == 1


def test_synchronous_waits_for_the_whole_round() -> None:
    lab = running_lab(workers=4, mode="synchronous", batch=3)
    assert lab.state.running == 3
    for number in (1, 2):
        assert asked(lab.succeed(f"{number}.1", worker=str(lab.trial(number).worker))) == []
    assert asked(lab.succeed("3.1", worker=str(lab.trial(3).worker))) == [3]


def test_a_round_is_told_when_all_of_it_is_settled_whichever_evaluation_was_over_first() -> None:
    lab = running_lab(workers=4, mode="synchronous", batch=3)
    for number in (2, 3):
        assert only(Tell, lab.succeed(f"{number}.1", worker=str(lab.trial(number).worker))) == []
    assert lab.state.found.best is not None
    told = only(Tell, lab.succeed("1.1", worker=str(lab.trial(1).worker)))
    assert [tell.trial for tell in told] == [1, 2, 3]


def test_a_round_told_in_part_in_an_older_journal_is_told_before_the_refit_made_of_it() -> None:
    lab = running_lab(workers=4, mode="synchronous", batch=3)
    lab.succeed("2.1", worker=str(lab.trial(2).worker))
    commands = lab.happen(RefitFinished(at=lab.tick(), number=1, observations=1, payload={}))
    assert [type(c) for c in commands if isinstance(c, Tell | AdoptRefit)] == [Tell, AdoptRefit]


@pytest.mark.parametrize(("elapsed", "ready"), [(1e6, False), (20.0, True)])
def test_points_are_ready_where_evaluations_are_short_against_asks(elapsed: float, ready: bool) -> None:
    lab = running_lab(workers=2, trials=100)
    for _ in range(5):
        lab.succeed(lab.leases("w1")[0], elapsed=elapsed)
        if lab.state.optimiser.asking:
            lab.suggest()
    assert (len(lab.state.waiting.queue) > 0) == ready


def test_a_refit_is_adopted_once_at_its_place() -> None:
    lab = running_lab()
    event = RefitFinished(at=lab.tick(), number=1, observations=5, payload={"a": 1})
    assert only(AdoptRefit, lab.happen(event)) == [AdoptRefit(number=1, observations=5, payload={"a": 1})]
    assert lab.happen(event) == []


def test_an_answer_to_another_ask_is_ignored() -> None:
    lab = Lab(policy_with(trials=10))
    lab.start()
    lab.happen(SuggestionsMade(at=lab.tick(), ask=7, suggestions=(Suggested(parameters={"x": 1}),)))
    assert lab.state.trials == {}
    assert lab.state.optimiser.asking == 1


@pytest.mark.parametrize("found", ["hopeless", "unlikely", "overdue"])
def test_what_is_found_of_a_lease_that_has_ended_stops_nobody_else_s_attempt(found: str) -> None:
    lab = running_lab(workers=2)
    lab.leave("w1")
    lab.succeed("2.1", worker="w2")
    assert lab.leases("w2") == ["1.2"]
    if found == "unlikely":
        commands = lab.find_unlikely("1.1")
    elif found == "hopeless":
        commands = lab.happen(TrialFoundHopeless(at=lab.tick(), lease="1.1", reason="stopped: loss was 9"))
    else:
        commands = lab.happen(LeaseExpired(at=lab.tick(), lease="1.1", reason="no result"))
        assert lab.happen(LeaseExpired(at=lab.tick(), lease="2.1", reason="no result")) == []
    assert only(CancelLease, commands) == []
    assert (lab.trial(1).state, lab.trial(1).lease) == (TrialState.RUNNING, "1.2")
