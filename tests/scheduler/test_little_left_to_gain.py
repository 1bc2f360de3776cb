"""A run that ends because its model says that little is left to gain."""

from __future__ import annotations

import pytest
from lab import Lab, asked, leased, only
from policies import policy_with

from orchestrator.scheduler.amendment_events import Amendment, BoundsAmended, BudgetAmended, RunPaused
from orchestrator.scheduler.commands import AdoptRefit, Ask, CancelLease, Command, EstimateGain, FinishRun
from orchestrator.scheduler.endings import AMENDED
from orchestrator.scheduler.events import OptimiserFailed, RefitFinished, RemainingGainEstimated
from orchestrator.scheduler.time_events import TimeRanOut
from orchestrator.scheduler.transitions import Phase, TrialState
from orchestrator.scheduler.words.story import story

LITTLE = (0.0,) * 15 + (0.064,)
MUCH = (0.0,) * 15 + (1.6,)
WORDS = (
    "the model expects less than 0.01 to be left to gain "
    "(expected 0.004, with probability 0.94 less than 0.01 is left)"
)


def lab_with(workers: int = 1, **rules: object) -> Lab:
    """One trial each is in hand."""
    lab = Lab(policy_with(**{"trials": 20, "expected_gain": 0.01, **rules}))  # type: ignore[arg-type]
    lab.start()
    for number in range(1, workers + 1):
        lab.join(f"w{number}")
        if lab.state.optimiser.asking:
            lab.suggest()
    return lab


def refit(lab: Lab, number: int) -> list[Command]:
    event = RefitFinished(
        at=lab.tick(), number=number, observations=1, payload={}, model=lab.state.optimiser.model
    )
    return lab.happen(event)


def estimate(lab: Lab, number: int, draws: tuple[float, ...], model: int = 0) -> list[Command]:
    return lab.happen(
        RemainingGainEstimated(at=lab.tick(), refit=number, observations=5, draws=draws, model=model)
    )


def test_after_each_refit_the_optimiser_is_to_say_what_is_left_where_anything_hangs_on_it() -> None:
    assert [type(command) for command in refit(lab_with(), 1)] == [AdoptRefit, EstimateGain]
    assert [type(command) for command in refit(lab_with(expected_gain=None), 1)] == [AdoptRefit]


def test_two_refits_in_a_row_that_leave_little_end_the_run_and_say_so() -> None:
    lab = lab_with()
    lab.succeed("1.1")
    lab.suggest()
    lab.succeed("2.1")
    estimate(lab, 1, LITTLE)
    assert lab.state.phase is Phase.ACTIVE
    assert only(FinishRun, estimate(lab, 2, LITTLE)) == [FinishRun(reason=WORDS)]
    assert lab.state.phase is Phase.FINISHED
    assert not lab.state.resumable


@pytest.mark.parametrize(
    "told",
    [
        [(1, LITTLE), (2, MUCH), (3, LITTLE)],
        [(1, LITTLE), (1, LITTLE)],
        [(2, LITTLE), (1, LITTLE)],
        [(1, LITTLE), (2, ())],
        [(1, LITTLE), (2, (0.01,))],
    ],
    ids=["much between", "the same refit", "an older refit", "no draws", "not less than that"],
)
def test_less_than_that_does_not_end_it(told: list[tuple[int, tuple[float, ...]]]) -> None:
    lab = lab_with()
    for number, draws in told:
        estimate(lab, number, draws)
    assert lab.state.phase is Phase.ACTIVE


def test_without_the_budget_estimates_end_nothing() -> None:
    lab = lab_with(expected_gain=None)
    for number in (1, 2, 3):
        estimate(lab, number, LITTLE)
    assert lab.state.phase is Phase.ACTIVE


def test_what_runs_may_finish_and_counts_and_what_waits_is_abandoned() -> None:
    lab = lab_with(workers=2, mode="synchronous", batch=3)
    assert [trial.state for trial in lab.state.trials.values()] == [
        TrialState.RUNNING,
        TrialState.RUNNING,
        TrialState.QUEUED,
    ]
    estimate(lab, 1, LITTLE)
    commands = estimate(lab, 2, LITTLE)
    assert only(CancelLease, commands) == []
    assert lab.state.phase is Phase.DRAINING
    assert (lab.trial(3).state, lab.trial(3).message) == (TrialState.ABANDONED, WORDS)
    assert leased(lab.succeed("1.1", value=3.0)) == []
    assert only(FinishRun, lab.succeed("2.1", worker="w2", value=9.0)) == [FinishRun(reason=WORDS)]
    assert lab.state.found.best is lab.trial(2)


def draining(workers: int = 1) -> Lab:
    lab = lab_with(workers)
    estimate(lab, 1, LITTLE)
    estimate(lab, 2, LITTLE)
    assert lab.state.phase is Phase.DRAINING
    return lab


def test_an_attempt_that_fails_meanwhile_is_not_made_again() -> None:
    lab = draining()
    assert only(FinishRun, lab.fail("1.1"))
    assert (lab.state.end.why, lab.trial(1).state) == (WORDS, TrialState.ABANDONED)


def test_a_request_to_stop_lets_what_runs_finish_and_a_second_one_now_does_not() -> None:
    lab = draining(workers=2)
    assert only(CancelLease, lab.stop()) == []
    assert lab.state.running == 2
    assert len(only(CancelLease, lab.stop(now=True))) == 2
    assert (lab.state.phase, lab.state.end.why) == (Phase.FINISHED, WORDS)


def test_time_that_runs_out_meanwhile_ends_the_waiting() -> None:
    lab = draining()
    assert only(FinishRun, lab.happen(TimeRanOut(at=lab.tick()))) == [FinishRun(reason=WORDS)]


def test_a_run_killed_meanwhile_stays_stopped_when_it_is_resumed() -> None:
    lab = lab_with()
    lab.join("w1", local=True)
    estimate(lab, 1, LITTLE)
    estimate(lab, 2, LITTLE)
    commands = lab.resume()
    assert only(FinishRun, commands) == [FinishRun(reason=WORDS)]
    assert leased(commands) == []
    assert (lab.state.phase, lab.trial(1).state) == (Phase.FINISHED, TrialState.ABANDONED)


def test_another_bound_that_is_reached_first_ends_the_run() -> None:
    lab = lab_with(target=5.0)
    estimate(lab, 1, LITTLE)
    lab.succeed("1.1", value=6.0)
    assert lab.state.end.why == "the target was reached"


def test_a_pause_does_not_keep_it_from_ending() -> None:
    lab = lab_with()
    lab.succeed("1.1")
    lab.happen(RunPaused(at=lab.tick()))
    estimate(lab, 1, LITTLE)
    assert only(FinishRun, estimate(lab, 2, LITTLE)) == [FinishRun(reason=WORDS)]


# -- amended ----------------------------------------------------------------------------------------------


def test_a_model_that_begins_anew_has_said_nothing_yet() -> None:
    lab = lab_with()
    estimate(lab, 1, LITTLE)
    lab.happen(BoundsAmended(at=lab.tick(), bounds={"x": (0, 9)}))
    assert lab.state.optimiser.gains == ()
    estimate(lab, 2, LITTLE, model=0)
    assert lab.state.optimiser.gains == ()
    estimate(lab, 1, LITTLE, model=1)
    estimate(lab, 2, LITTLE, model=1)
    assert lab.state.end.why == WORDS


def test_a_threshold_that_is_raised_ends_the_run_by_what_was_said_before() -> None:
    lab = lab_with(expected_gain=0.001)
    lab.succeed("1.1")
    estimate(lab, 1, LITTLE)
    estimate(lab, 2, LITTLE)
    assert lab.state.phase is Phase.ACTIVE
    lab.happen(BudgetAmended(at=lab.tick(), expected_gain=0.01))
    assert lab.state.end.why == WORDS


@pytest.mark.parametrize("change", [{"expected_gain": 0.001}, {"lifted": ("expected_gain",)}], ids=str)
def test_a_run_that_ended_so_goes_on_where_the_threshold_is_lowered_or_lifted(
    change: dict[str, object],
) -> None:
    lab = lab_with()
    lab.succeed("1.1")
    estimate(lab, 1, LITTLE)
    estimate(lab, 2, LITTLE)
    lab.happen(BudgetAmended(at=lab.tick(), trials=99))
    assert (lab.state.end.why, lab.state.resumable) == (WORDS, False)
    lab.happen(BudgetAmended(at=lab.tick(), **change))  # type: ignore[arg-type]
    assert (lab.state.end.why, lab.state.resumable) == (AMENDED, True)
    lab.resume()
    assert lab.state.phase is Phase.ACTIVE


@pytest.mark.parametrize(
    "change",
    [
        BudgetAmended(at=9.0, expected_gain=0.001),
        BudgetAmended(at=9.0, lifted=("expected_gain",)),
        BoundsAmended(at=9.0, bounds={"x": (0, 9)}),
    ],
    ids=["lowered", "lifted", "another model"],
)
def test_a_run_that_is_about_to_end_so_goes_on_where_that_is_no_reason_any_more(change: Amendment) -> None:
    lab = draining()
    lab.happen(change)
    assert (lab.state.phase, lab.state.end.why) == (Phase.ACTIVE, "")
    assert only(Ask, lab.succeed("1.1"))
    lab.suggest()
    assert lab.trial(2).state is TrialState.RUNNING


def test_it_does_not_go_on_with_an_optimiser_that_has_failed_meanwhile() -> None:
    lab = draining()
    lab.happen(OptimiserFailed(at=lab.tick(), message="it died too often"))
    lab.happen(BudgetAmended(at=lab.tick(), lifted=("expected_gain",)))
    assert lab.state.phase is Phase.DRAINING
    assert only(FinishRun, lab.succeed("1.1")) == [FinishRun(reason="the optimiser failed", failed=True)]
    assert lab.state.resumable


def test_what_was_said_before_the_budget_was_lifted_ends_nothing_once_it_is_back() -> None:
    lab = lab_with()
    estimate(lab, 1, LITTLE)
    lab.happen(BudgetAmended(at=lab.tick(), lifted=("expected_gain",)))
    lab.happen(BudgetAmended(at=lab.tick(), expected_gain=0.01))
    estimate(lab, 2, LITTLE)
    assert lab.state.phase is Phase.ACTIVE
    estimate(lab, 3, LITTLE)
    assert lab.state.phase is Phase.DRAINING


def test_a_threshold_that_comes_later_has_the_optimiser_asked_at_once_if_it_has_a_model() -> None:
    lab = lab_with(expected_gain=None)
    amended = BudgetAmended(at=lab.tick(), expected_gain=0.01)
    assert only(EstimateGain, lab.happen(amended)) == []
    lab = lab_with(expected_gain=None)
    refit(lab, 3)
    assert only(EstimateGain, lab.happen(amended)) == [EstimateGain(refit=3)]
    assert only(EstimateGain, lab.happen(BudgetAmended(at=lab.tick(), trials=30))) == []


def test_the_story_says_what_was_expected() -> None:
    lab = lab_with()
    estimate(lab, 1, LITTLE)
    told = "\n".join(story(lab.policy, lab.events))
    assert "the model expects 0.004 to be left to gain, from 5 results" in told


def test_points_that_come_when_it_is_already_ending_are_not_taken() -> None:
    lab = lab_with(workers=2)
    assert asked(lab.join("w3")) == [1]
    estimate(lab, 1, LITTLE)
    estimate(lab, 2, LITTLE)
    assert lab.state.phase is Phase.DRAINING
    lab.suggest()
    assert len(lab.state.trials) == 2


def test_a_refit_that_comes_during_a_pause_has_the_optimiser_say_what_is_left_as_well() -> None:
    lab = lab_with()
    lab.happen(RunPaused(at=lab.tick()))
    assert only(EstimateGain, refit(lab, 1)) == [EstimateGain(refit=1)]
