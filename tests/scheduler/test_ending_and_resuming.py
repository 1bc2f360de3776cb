"""How a run ends, or is stopped, and what the next life takes up."""

from __future__ import annotations

import pytest
from lab import Lab, leased, only, running_lab
from policies import policy_with

from orchestrator.scheduler.commands import CancelLease, FinishRun
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.scheduler.events import OptimiserFailed, SuggestionsMade
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.time_events import TimeRanOut
from orchestrator.scheduler.transitions import Phase, TrialState


def test_the_target_ends_the_run_and_calls_off_what_runs() -> None:
    lab = running_lab(workers=2, target=5.0)
    commands = lab.succeed("1.1", value=5.0)
    assert [cancel.lease for cancel in only(CancelLease, commands)] == ["2.1"]
    assert lab.trial(2).state is TrialState.ABANDONED
    assert lab.state.end.why == "the target was reached"


@pytest.mark.parametrize("takes_back", [True, False])
def test_what_a_lost_worker_still_works_on_when_it_comes_back_may_finish_while_a_run_stops(
    takes_back: bool,
) -> None:
    lab = Lab(policy_with(trials=10))
    lab.start(points=({"x": 1.0}, {"x": 2.0}), takes_back=takes_back)
    lab.join("w1")
    lab.join("w2")
    lab.stop()
    lab.leave("w2")
    commands = lab.join("w2", held=["2.1"])
    if not takes_back:
        assert [cancel.lease for cancel in only(CancelLease, commands)] == ["2.1"], "as in older journals"
        return
    assert only(CancelLease, commands) == []
    assert lab.leases("w2") == ["2.1"]
    assert not only(FinishRun, lab.succeed("1.1"))
    assert only(FinishRun, lab.succeed("2.1", worker="w2"))
    assert (lab.state.tally.completed, lab.state.resumable) == (2, True)


def test_a_target_of_a_minimisation_is_reached_from_above() -> None:
    lab = running_lab(goal="minimise", target=5.0)
    lab.succeed("1.1", value=5.1)
    assert lab.state.phase is Phase.ACTIVE
    lab.suggest()
    lab.succeed("2.1", value=4.9)
    assert lab.state.phase is Phase.FINISHED


def test_patience_ends_the_run_after_so_many_trials_without_improvement() -> None:
    lab = running_lab(patience=2)
    for number, value in enumerate([1.0, 2.0, 0.0, 1.5], start=1):
        assert lab.state.phase is Phase.ACTIVE
        lab.succeed(f"{number}.1", value=value)
        if lab.state.optimiser.asking:
            lab.suggest()
    assert lab.state.end.why == "no improvement in 2 trials"


def test_a_patience_of_one_trial_is_said_as_one() -> None:
    lab = running_lab(patience=1)
    for number in (1, 2):
        lab.succeed(f"{number}.1", value=1.0)
        if lab.state.optimiser.asking:
            lab.suggest()
    assert lab.state.end.why == "no improvement in 1 trial"


def test_time_ends_the_run() -> None:
    lab = running_lab()
    commands = lab.happen(TimeRanOut(at=lab.tick()))
    assert only(FinishRun, commands)
    assert not lab.state.resumable


def test_time_is_over_at_its_last_second_and_not_after_it() -> None:
    lab = running_lab(time_s=50.0)
    lab.happen(TimeRanOut(at=50.0))
    assert (lab.state.phase, lab.state.end.why) == (Phase.FINISHED, "the time budget ran out")


@pytest.mark.parametrize(
    ("policy", "ending"),
    [
        (policy_with(trials=10), "the optimiser has no more points to suggest"),
        (policy_with(trials=10, candidates=True), "every candidate was tried"),
        (
            policy_with(trials=10, tried_once=True),
            "every point was tried, and with `noise: 0` a second value at one tells nothing",
        ),
    ],
)
def test_fewer_suggestions_than_asked_for_end_the_run_once_all_is_settled(
    policy: Policy, ending: str
) -> None:
    lab = Lab(policy)
    lab.start()
    lab.join("w1")
    lab.happen(SuggestionsMade(at=lab.tick(), ask=1, suggestions=(Suggested(parameters={"x": 1}),)))
    lab.suggest(0) if lab.state.optimiser.asking else None
    lab.succeed("1.1")
    if lab.state.optimiser.asking:
        lab.suggest(0)
    assert lab.state.end.why == ending


def test_a_hopeless_optimiser_ends_the_run_badly_and_leaves_it_resumable() -> None:
    lab = running_lab()
    lab.happen(OptimiserFailed(at=lab.tick(), message="out of memory"))
    commands = lab.succeed("1.1")
    assert only(FinishRun, commands) == [FinishRun(reason="the optimiser failed", failed=True)]
    assert lab.state.resumable


def test_an_optimiser_that_fails_once_the_run_is_over_changes_nothing_of_how_it_ended() -> None:
    lab = running_lab(trials=1)
    lab.succeed("1.1")
    assert lab.happen(OptimiserFailed(at=lab.tick(), message="out of memory")) == []
    assert (lab.state.end.why, lab.state.end.badly) == ("every trial of the budget is settled", False)


def test_a_stopped_run_finishes_what_runs_and_starts_nothing() -> None:
    lab = running_lab(workers=2)
    assert only(FinishRun, lab.stop()) == []
    assert leased(lab.succeed("1.1")) == []
    assert only(FinishRun, lab.succeed("2.1", worker="w2")) == [FinishRun(reason="stopped on request")]
    assert lab.state.resumable


@pytest.mark.parametrize(
    ("policy", "ending"),
    [({"trials": 2}, "every trial of the budget is settled"), ({"target": 5.0}, "the target was reached")],
)
def test_what_finished_the_last_of_its_work_while_stopping_has_ended_as_it_would_have(
    policy: dict[str, float], ending: str
) -> None:
    lab = running_lab(workers=2, **policy)
    lab.stop()
    lab.succeed("1.1", value=1.0)
    assert only(FinishRun, lab.succeed("2.1", value=5.0, worker="w2")) == [FinishRun(reason=ending)]
    assert not lab.state.resumable


def test_a_stopped_run_waits_for_all_that_runs_though_the_target_is_reached_meanwhile() -> None:
    lab = running_lab(workers=2, target=5.0)
    lab.stop()
    assert only(CancelLease, lab.succeed("1.1", value=5.0)) == []
    assert lab.leases("w2") == ["2.1"]
    ended = only(FinishRun, lab.succeed("2.1", value=6.0, worker="w2"))
    assert ended == [FinishRun(reason="the target was reached")]


def test_a_run_stopped_now_keeps_its_trials_for_the_next_life() -> None:
    lab = running_lab(workers=2)
    commands = lab.stop(now=True)
    assert {cancel.lease for cancel in only(CancelLease, commands)} == {"1.1", "2.1"}
    assert only(FinishRun, commands)
    lab.resume()
    assert leased(lab.join("w1")) != []
    assert lab.trial(1).attempts.failed == 0


def test_an_answer_that_comes_while_stopping_is_kept_for_the_next_life() -> None:
    lab = Lab(policy_with(trials=10))
    lab.start()
    lab.join("w1")
    lab.suggest()
    lab.join("w2")
    assert lab.state.optimiser.asking == 1
    lab.stop()
    lab.suggest()
    assert lab.trial(2).state is TrialState.QUEUED
    lab.succeed("1.1")
    lab.resume()
    assert leased(lab.join("w1")) == ["2.1"]


@pytest.mark.parametrize("others", [0, 1], ids=["ended", "still draining"])
def test_a_worker_thought_lost_that_comes_back_to_a_stopped_run_is_called_off(others: int) -> None:
    lab = running_lab(workers=1 + others)
    lab.leave("w1")
    lab.stop()
    assert lab.state.phase is (Phase.DRAINING if others else Phase.FINISHED)
    commands = lab.join("w1", held=["1.1"])
    assert [cancel.lease for cancel in only(CancelLease, commands)] == ["1.1"]
    assert (lab.trial(1).state, lab.leases("w1")) == (TrialState.QUEUED, [])


def test_after_a_resume_local_workers_leases_are_free_and_others_are_awaited() -> None:
    lab = Lab(policy_with(trials=10))
    lab.start()
    lab.join("local-1", local=True)
    lab.suggest()
    lab.join("far")
    lab.suggest()
    lab.resume()
    assert lab.trial(1).state is TrialState.QUEUED
    assert lab.trial(2).state is TrialState.RUNNING
    assert leased(lab.join("far", held=["2.1"])) == []
    assert lab.trial(2).worker == "far"
    assert lab.trial(1).attempts.failed == 0


def test_a_result_from_before_the_crash_counts_after_it() -> None:
    lab = Lab(policy_with(trials=10))
    lab.start()
    lab.suggest()
    lab.join("far")
    lab.resume()
    lab.join("far")
    lab.succeed("1.1", value=2.0, worker="far")
    assert lab.trial(1).value == 2.0
