"""What becomes of a run that a person changes while it goes on, or after its end."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from lab import Lab, asked, leased, only
from policies import policy_with

from orchestrator.scheduler.amendment_events import (
    BoundsAmended,
    BudgetAmended,
    ObservationsForgotten,
    ResultsAdded,
    RunContinued,
    RunPaused,
)
from orchestrator.scheduler.commands import AdoptRefit, FinishRun, Rebuild, Tell
from orchestrator.scheduler.endings import AMENDED
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.events import RefitFinished, SuggestionsMade
from orchestrator.scheduler.time_events import TimeRanOut
from orchestrator.scheduler.transitions import Phase, TrialState


def lab_with(values: list[float], **rules: object) -> Lab:
    """One worker that has evaluated the points 0, 1, 2 and so on, and has the next in hand."""
    lab = Lab(policy_with(**{"trials": 10, **rules}))  # type: ignore[arg-type]
    lab.start()
    lab.suggest()
    lab.join("w1")
    for number, value in enumerate(values, start=1):
        lab.succeed(f"{number}.1", value=value)
        if lab.state.optimiser.asking:
            lab.suggest()
    return lab


def bounds(lab: Lab, low: float, high: float) -> BoundsAmended:
    return BoundsAmended(at=lab.tick(), bounds={"x": (low, high)})


def forgotten(lab: Lab, *trials: int) -> ObservationsForgotten:
    return ObservationsForgotten(at=lab.tick(), trials=trials, reason="the sensor was unplugged")


def told(commands: Iterable[object]) -> list[int]:
    return [tell.trial for tell in only(Tell, commands)]


def test_within_narrower_bounds_the_optimiser_begins_anew_and_is_told_what_lies_inside() -> None:
    lab = lab_with([5.0, 1.0, 2.0])
    commands = lab.happen(bounds(lab, 1, 9))
    assert only(Rebuild, commands) == [Rebuild(model=1, bounds={"x": (1, 9)}, trials=10)]
    assert told(commands) == [2, 3]
    assert lab.state.found.best is lab.trial(3)
    assert lab.trial(1).value == 5.0


def test_within_wider_bounds_what_was_left_out_counts_again_in_the_old_order() -> None:
    lab = lab_with([5.0, 1.0, 2.0])
    lab.happen(bounds(lab, 1, 9))
    commands = lab.happen(bounds(lab, -9, 9))
    assert told(commands) == [1, 2, 3]
    assert lab.state.found.best is lab.trial(1)


def test_queued_trials_outside_are_abandoned_with_the_reason_and_cost_no_budget() -> None:
    lab = Lab(policy_with(trials=3))
    lab.start(points=({"x": 1}, {"x": 5}, {"x": 2}))
    lab.happen(bounds(lab, 0, 3))
    assert lab.trial(2).state is TrialState.ABANDONED
    assert lab.trial(2).message == "outside the amended bounds: x = 5 is not in [0, 3]"
    assert lab.state.budgeted == 2
    lab.join("w1", slots=2)
    lab.succeed("1.1")
    lab.suggest(x=2.5)
    lab.succeed("3.1")
    assert only(FinishRun, lab.succeed("4.1"))


def test_a_running_trial_outside_finishes_is_recorded_and_is_not_told() -> None:
    lab = lab_with([1.0])
    lab.happen(bounds(lab, 5, 9))
    commands = lab.succeed("2.1", value=100.0)
    assert told(commands) == []
    assert lab.trial(2).value == 100.0
    assert lab.state.found.best is None


def test_a_running_trial_outside_is_not_tried_a_second_time() -> None:
    lab = lab_with([1.0])
    lab.happen(bounds(lab, 5, 9))
    lab.fail("2.1")
    assert lab.trial(2).state is TrialState.ABANDONED


def test_a_running_trial_outside_is_not_among_the_points_that_an_ask_knows_of() -> None:
    lab = lab_with([1.0])
    lab.join("w2")
    commands = lab.happen(bounds(lab, 5, 9))
    (ask,) = [command for command in commands if type(command).__name__ == "Ask"]
    assert ask.pending == ()  # type: ignore[attr-defined]


def test_what_the_optimiser_chose_and_computed_before_the_new_beginning_is_left_alone() -> None:
    lab = lab_with([1.0])
    lab.join("w2")
    assert lab.state.optimiser.asking == 1
    before = lab.state.optimiser.asks
    lab.happen(bounds(lab, 0, 9))
    assert lab.state.optimiser.asks == before + 1
    made = lab.scheduler.handle(SuggestionsMade(at=lab.tick(), ask=before, suggestions=()))
    assert made == []
    stale = RefitFinished(at=lab.tick(), number=4, observations=1, payload={})
    assert lab.happen(stale) == []
    fresh = RefitFinished(at=lab.tick(), number=1, observations=1, payload={}, model=1)
    assert len(only(AdoptRefit, lab.happen(fresh))) == 1


def test_a_forgotten_value_stays_recorded_and_nothing_follows_from_it() -> None:
    lab = lab_with([5.0, 1.0, 2.0])
    commands = lab.happen(forgotten(lab, 1))
    assert told(commands) == [2, 3]
    assert (lab.trial(1).value, lab.trial(1).state) == (5.0, TrialState.COMPLETED)
    assert lab.trial(1).forgotten == "the sensor was unplugged"
    assert lab.state.found.best is lab.trial(3)
    assert lab.state.tally.completed == 3


def test_a_known_result_can_be_added_and_forgotten() -> None:
    lab = lab_with([1.0], patience=3)
    known = (KnownResult(parameters={"x": 3}, value=7.0),)
    commands = lab.happen(ResultsAdded(at=lab.tick(), results=known))
    assert told(commands) == [0]
    assert lab.state.found.best is not None
    assert lab.state.found.best.value == 7.0
    lab.happen(forgotten(lab, 0))
    assert lab.state.found.best is lab.trial(1)


def test_a_target_that_a_glitch_had_reached_lets_the_run_go_on_once_it_is_forgotten() -> None:
    lab = lab_with([1e9], target=10.0)
    assert lab.state.end.why == "the target was reached"
    assert not lab.state.resumable
    lab.happen(forgotten(lab, 1))
    assert lab.state.end.why == AMENDED
    assert lab.state.resumable
    assert asked(lab.resume()) == [1]


def test_a_run_whose_budget_is_raised_after_its_end_goes_on_when_it_is_resumed() -> None:
    lab = lab_with([1.0, 2.0], trials=2)
    assert lab.state.phase is Phase.FINISHED
    lab.happen(BudgetAmended(at=lab.tick(), trials=3))
    assert lab.state.phase is Phase.FINISHED
    assert lab.state.resumable
    lab.resume()
    lab.suggest()
    lab.join("w1")
    assert only(FinishRun, lab.succeed("3.1"))
    assert not lab.state.resumable


@pytest.mark.parametrize(("pays_for_begun", "wanted"), [(True, 4), (False, 1)])
def test_what_an_end_leaves_before_it_was_begun_is_not_paid_for_but_in_older_journals(
    pays_for_begun: bool, wanted: int
) -> None:
    lab = Lab(policy_with(trials=5, target=10.0))
    lab.start(points=tuple({"x": float(x)} for x in range(5)), pays_for_begun=pays_for_begun)
    lab.join("w1", slots=2)
    lab.succeed("1.1", value=11.0)
    assert [trial.attempts.given for trial in lab.state.trials.values()] == [1, 1, 0, 0, 0]
    assert lab.state.end.why == "the target was reached"
    lab.happen(BudgetAmended(at=lab.tick(), lifted=("target",), trials=6))
    lab.resume()
    lab.join("w1", slots=9)
    while lab.state.optimiser.asking:
        lab.suggest()
    assert lab.state.running == wanted


def test_a_budget_raised_and_lowered_again_ends_where_it_had_ended() -> None:
    lab = lab_with([1.0, 2.0], trials=2)
    lab.happen(BudgetAmended(at=lab.tick(), trials=9))
    lab.happen(BudgetAmended(at=lab.tick(), trials=2))
    assert lab.state.end.why == "every trial of the budget is settled"
    assert not lab.state.resumable


def test_more_of_another_budget_does_not_bring_an_ended_run_back() -> None:
    lab = lab_with([1.0, 11.0], target=10.0)
    lab.happen(BudgetAmended(at=lab.tick(), trials=99))
    assert lab.state.end.why == "the target was reached"
    lab.happen(BudgetAmended(at=lab.tick(), lifted=("target",)))
    assert lab.state.resumable


@pytest.mark.parametrize("lifted", [(), ("time",)])
def test_more_time_brings_a_run_back_that_had_run_out_of_it(lifted: tuple[str, ...]) -> None:
    lab = lab_with([1.0], time_s=5.0)
    lab.now = 6.0
    lab.happen(TimeRanOut(at=lab.tick()))
    assert lab.state.phase is Phase.FINISHED
    more = None if lifted else 50.0
    lab.happen(BudgetAmended(at=lab.tick(), time_s=more, lifted=lifted))  # type: ignore[arg-type]
    assert lab.state.resumable
    lab.resume()
    lab.suggest()
    assert lab.state.phase is Phase.ACTIVE


def test_time_that_was_raised_a_moment_before_has_not_run_out() -> None:
    lab = lab_with([1.0], time_s=5.0)
    lab.happen(BudgetAmended(at=lab.tick(), time_s=50.0))
    lab.happen(TimeRanOut(at=lab.tick()))
    assert lab.state.phase is Phase.ACTIVE


def test_a_lowered_budget_unmakes_nothing_and_takes_less_than_was_asked_for() -> None:
    lab = lab_with([1.0])
    for number in range(2, 6):
        lab.join(f"w{number}")
    assert lab.state.optimiser.asking == 1
    lab.suggest()
    assert lab.state.optimiser.asking == 3
    lab.happen(BudgetAmended(at=lab.tick(), trials=1))
    assert lab.state.policy.budget.trials == 3
    lab.suggest()
    assert len(lab.state.trials) == 3


def test_a_paused_run_starts_nothing_takes_results_and_goes_on() -> None:
    lab = lab_with([1.0])
    lab.join("w2")
    lab.happen(RunPaused(at=lab.tick(), reason="lunch"))
    assert leased(lab.suggest()) == []
    commands = lab.succeed("2.1", value=3.0)
    assert told(commands) == [2]
    assert (leased(commands), asked(commands)) == ([], [])
    assert leased(lab.happen(RunContinued(at=lab.tick()))) == ["3.1"]


def test_a_pause_outlasts_a_crash_and_a_stop() -> None:
    lab = lab_with([1.0])
    lab.happen(RunPaused(at=lab.tick()))
    lab.resume()
    assert lab.state.phase is Phase.PAUSED
    lab.stop(now=True)
    assert lab.state.phase is Phase.FINISHED
    lab.resume()
    assert lab.state.phase is Phase.PAUSED
    assert leased(lab.join("w1")) == []
    lab.happen(RunContinued(at=lab.tick()))
    assert lab.state.phase is Phase.ACTIVE


def test_a_paused_run_whose_last_trial_ends_is_over() -> None:
    lab = lab_with([1.0], trials=2)
    lab.happen(RunPaused(at=lab.tick()))
    assert only(FinishRun, lab.succeed("2.1"))


def test_a_request_that_is_taken_twice_takes_effect_once() -> None:
    lab = lab_with([1.0])
    known = (KnownResult(parameters={"x": 3}, value=0.5),)
    lab.happen(ResultsAdded(at=lab.tick(), results=known, request="a"))
    assert lab.happen(ResultsAdded(at=lab.tick(), results=known, request="a")) == []
    assert lab.state.tally.known == 1


def test_a_model_of_rounds_begins_anew_with_known_results_in_the_order_in_which_they_came() -> None:
    lab = Lab(policy_with(trials=9, mode="synchronous", batch=3))
    known = tuple(KnownResult(parameters={"x": x}, value=float(x)) for x in (1, 2, 3))
    before = told(lab.start(known=known))
    assert before == [0, -1, -2]
    assert told(lab.happen(bounds(lab, 0, 9))) == before


def test_the_bounds_of_one_parameter_leave_those_of_another_as_they_were_amended() -> None:
    lab = lab_with([5.0])
    lab.happen(bounds(lab, 1, 9))
    (rebuilt,) = only(Rebuild, lab.happen(BoundsAmended(at=lab.tick(), bounds={"y": (0, 1)})))
    assert rebuilt.bounds == lab.state.amended.bounds == {"x": (1, 9), "y": (0, 1)}


def test_what_a_model_is_told_that_begins_anew_within_a_round_is_not_told_again_at_its_end() -> None:
    lab = Lab(policy_with(trials=9, mode="synchronous", batch=4))
    lab.start()
    lab.suggest(count=4)
    for name in ("w1", "w2", "w3", "w4"):
        lab.join(name)
    for number in (1, 2):
        assert told(lab.succeed(f"{number}.1", worker=f"w{number}")) == []
    assert told(lab.happen(bounds(lab, 0, 9))) == [1, 2]
    assert told(lab.succeed("3.1", worker="w3")) == []
    assert told(lab.happen(forgotten(lab, 1))) == [2, 3]
    assert told(lab.succeed("4.1", worker="w4")) == [4]


def test_an_optimiser_that_had_no_more_points_is_asked_again_within_other_bounds() -> None:
    lab = lab_with([5.0])
    lab.join("w2")
    lab.suggest(count=0)
    assert lab.state.optimiser.exhausted
    assert asked(lab.happen(bounds(lab, -9, 9))) == [1]


def test_a_value_that_is_forgotten_again_stays_forgotten_for_the_first_reason() -> None:
    lab = lab_with([5.0])
    lab.happen(forgotten(lab, 1))
    lab.happen(ObservationsForgotten(at=lab.tick(), trials=(1,), reason="once more"))
    assert lab.trial(1).forgotten == "the sensor was unplugged"
