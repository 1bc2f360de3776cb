"""What people decided behind the damage of a journal: kept wherever it can be, and said where it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
from damaged_journals import (
    NOW,
    SPEC,
    TRIALS,
    early,
    folder_of_a_run,
    number_at,
    of_results,
    recorded,
    without,
    worth,
    write,
)

from orchestrator.runtime.folder.journal import read_journal
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.fsck import examine
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.runtime.recovery.repair import plan_repair, repair
from orchestrator.scheduler.amendment_events import (
    BoundsAmended,
    BudgetAmended,
    HeldAmended,
    ObservationsForgotten,
    ResultsAdded,
    RunContinued,
    RunPaused,
)
from orchestrator.scheduler.event_parts import Forecast, KnownResult, Suggested
from orchestrator.scheduler.events import (
    Event,
    FailureArrived,
    ResultArrived,
    RunStarted,
    SuggestionsMade,
    TrialApproved,
    TrialFoundUnlikely,
    TrialRefused,
    WorkerJoined,
)

APRIL, MAY = {"batch": "april"}, {"batch": "may"}


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return folder_of_a_run(tmp_path)


def test_an_amendment_keeps_its_request_so_that_it_is_not_taken_again(folder: RunFolder) -> None:
    events = recorded(3)
    at = events[-1].at
    events += [
        RunPaused(at=at, reason="lunch", request="1-1"),
        BoundsAmended(at=at, bounds={"span": (0.1, 0.9)}, request="1-2"),
        RunContinued(at=at, request="1-3"),
        BudgetAmended(at=at, trials=TRIALS + 1, request="1-4"),
        RunPaused(at=at, request="1-5"),
    ]
    _, state = without(folder, events, early(events))
    assert {request for request, _ in state.requests} == {"1-1", "1-2", "1-3", "1-4", "1-5"}
    assert state.paused


def test_what_a_person_said_of_a_trial_keeps_its_request_with_its_effect(folder: RunFolder) -> None:
    points = tuple({"span": 0.1 * k} for k in range(1, 5))
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall="", points=points),
        WorkerJoined(at=1.0, worker="person", slots=4, local=True),
        RunPaused(at=2.0),
        ResultArrived(at=3.0, worker="person", lease="1.1", value=worth(points[0]), request="1-1"),
        FailureArrived(at=3.0, worker="person", lease="2.1", kind="error", message="", request="1-2"),
        TrialRefused(at=3.0, trial=3, reason="ugly", request="1-3"),
        ResultArrived(at=3.0, worker="person", lease="9.1", value=0.5, request="1-9"),
    ]
    _, state = without(folder, events, 3)
    expected = {("1-1", "ResultArrived"), ("1-2", "FailureArrived"), ("1-3", "TrialRefused")}
    assert state.requests == expected
    lines = folder.journal.read_bytes().splitlines(keepends=True)
    folder.journal.write_bytes(b"".join(lines[:2] + lines[3:]))
    repair(plan_repair(folder, examine(folder.journal), NOW))
    again = Replay.of(folder)
    again.catch_up()
    assert again.scheduler.state.requests == expected


def test_that_a_lost_value_was_forgotten_is_said_not_to_matter_any_more(folder: RunFolder) -> None:
    events = recorded(3)
    lost = early(events)
    number = number_at(events, lost)
    other = next(number_at(events, line) for line in of_results(write(folder, events)) if line > lost + 5)
    forgotten = ObservationsForgotten(at=events[-1].at, trials=(number, other), reason="a spider")
    plan, state = without(folder, [*events, forgotten], lost)
    assert state.trials[other].forgotten == "a spider"
    assert state.trials[number].value is None
    assert [said for said in plan.saved.dropped if "forgotten" in said] == [
        f"that what came of trial {number} is forgotten (a spider): that itself is lost, and the trial is "
        "evaluated again"
    ]


def test_a_failure_and_a_forecast_behind_the_damage_stay_forgotten(folder: RunFolder) -> None:
    points = tuple({"span": 0.1 * k} for k in range(1, 6))
    forecast = Forecast(mean=0.5, deviation=0.1, chance=0.01)
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall="", points=points),
        WorkerJoined(at=1.0, worker="ada", slots=4),
        RunPaused(at=2.0),
        ResultArrived(at=3.0, worker="ada", lease="1.1", value=worth(points[0])),
        TrialRefused(at=3.0, trial=2, reason="ugly"),
        TrialFoundUnlikely(at=3.0, lease="3.1", reason="stopped", forecast=forecast),
        TrialRefused(at=3.0, trial=4, reason="ugly"),
        ObservationsForgotten(at=4.0, trials=(2, 3, 4), reason="a spider"),
        TrialRefused(at=5.0, trial=5, reason="spilt", forgotten=True),
        TrialRefused(at=5.0, trial=1, reason="too late", forgotten=True),
    ]
    plan, state = without(folder, events, 3, 7)
    assert [trial.forgotten for trial in state.trials.values()] == ["", "a spider", "a spider", "", "spilt"]
    assert state.trials[3].forecast == forecast
    assert [said for said in plan.saved.dropped if "forgotten" in said] == [
        "that what came of trial 4 is forgotten (a spider): that itself is lost, and the trial is evaluated "
        "again"
    ]


def test_a_failure_from_before_the_damage_stays_forgotten(folder: RunFolder) -> None:
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.1}, {"span": 0.2})),
        TrialRefused(at=1.0, trial=1, reason="ugly"),
        RunPaused(at=2.0),
        ObservationsForgotten(at=4.0, trials=(1,), reason="a spider"),
    ]
    _, state = without(folder, events, 3)
    assert [trial.forgotten for trial in state.trials.values()] == ["a spider", ""]


def test_a_forgotten_trial_whose_number_is_lost_is_said(folder: RunFolder) -> None:
    events = recorded(3)
    line = next(
        place
        for place, event in enumerate(events, start=1)
        if place > 30 and isinstance(event, SuggestionsMade)
    )
    made = events[line - 1]
    assert isinstance(made, SuggestionsMade)
    forgotten = ObservationsForgotten(at=events[-1].at, trials=(made.first_trial,), reason="a spider")
    plan, state = without(folder, [*events, forgotten], line)
    assert not any(trial.forgotten for trial in state.trials.values())
    assert f"that trial {made.first_trial} is forgotten (a spider): the trial itself is lost" in (
        plan.saved.dropped
    )
    assert state.optimiser.model == 0, "nothing is forgotten, so nothing is learned anew"


def test_of_known_results_only_those_from_before_the_damage_are_forgotten(folder: RunFolder) -> None:
    events = recorded(3)
    at = events[-1].at
    before, after = (KnownResult(parameters={"span": span}, value=2.0 * span) for span in (0.3, 0.4))
    events.insert(1, ResultsAdded(at=0.5, results=(before,)))
    lost = early(events)
    # The line that is lost may have added some: which of them is meant is not certain.
    events += [
        ResultsAdded(at=at, results=(after,)),
        ObservationsForgotten(at=at, trials=(0, -1), reason="a spider"),
    ]
    plan, state = without(folder, events, lost)
    known = [trial for trial in state.observed if trial.number < 1]
    assert [(trial.number, trial.value, trial.forgotten) for trial in known] == [
        (0, 0.6, "a spider"),
        (-1, 0.8, ""),
    ]
    assert (
        "that known result -1 is forgotten (a spider): which one is meant is not certain, because lines "
        "before it are lost" in plan.saved.dropped
    )


def test_values_beyond_the_budget_prove_that_it_was_raised(folder: RunFolder) -> None:
    events = recorded(3)
    spans = [0.91 + 0.01 * k for k in range(6)]
    made = max(one.first_trial + len(one.suggestions) for one in events if isinstance(one, SuggestionsMade))
    at = events[-1].at
    more = SuggestionsMade(
        at=at, ask=99, suggestions=tuple(Suggested(parameters={"span": x}) for x in spans), first_trial=made
    )
    results = [
        ResultArrived(at=at, worker="ada", lease=f"{made + k}.1", value=worth({"span": span}))
        for k, span in enumerate(spans)
    ]
    raised = BudgetAmended(at=at, trials=TRIALS + 9)
    plan, state = without(folder, [*events, raised, more, *results], early(events), len(events) + 1)
    assert {result.value for result in results} <= {trial.value for trial in state.trials.values()}
    assert state.policy.budget.trials == len(state.trials) > TRIALS
    assert (
        f"whatever raised the budget of {TRIALS}: there are values of more trials, so a budget of "
        + (f"{state.policy.budget.trials} trials is taken for granted")
        in plan.saved.dropped
    )
    assert not any("with its value" in said for said in plan.saved.dropped)


@pytest.mark.parametrize(
    "lost", [2, 4, 5, 6], ids=["a worker", "a result", "the amendment", "what was made after it"]
)
def test_what_is_held_behind_the_damage_is_held_and_what_was_to_be_tried_elsewhere_is_abandoned(
    folder: RunFolder, lost: int
) -> None:
    batch = "parameters:\n  batch: {type: choice, values: [april, may]}"
    folder.spec.write_text(f"{SPEC.replace('parameters:', batch)}held: {{batch: april}}\n")
    made = [
        Suggested(parameters={"span": 0.1 * k, "batch": "april" if k < 4 else "may"}) for k in range(1, 6)
    ]
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall=""),
        WorkerJoined(at=1.0, worker="ada", slots=1),
        SuggestionsMade(at=2.0, ask=1, suggestions=tuple(made[:3]), first_trial=1),
        ResultArrived(at=3.0, worker="ada", lease="1.1", value=9.0),
        HeldAmended(at=4.0, held=MAY, request="1-1"),
        SuggestionsMade(at=5.0, ask=3, suggestions=tuple(made[3:]), first_trial=4),
        ResultArrived(at=6.0, worker="ada", lease="4.1", value=1.0),
        RunPaused(at=7.0),
    ]
    _, state = without(folder, events, lost)
    assert state.policy.where.held == (APRIL if lost == 5 else MAY)
    assert ("1-1", "HeldAmended") in state.requests or lost == 5
    assert all(state.where_held(trial.parameters) for trial in state.unsettled.values())
    # What amended it being lost, trials elsewhere are not said to have been held where they are not.
    asked = {2: [APRIL] * 3 + [MAY] * 2, 4: [APRIL, MAY, MAY], 5: [APRIL, {}, {}], 6: [APRIL]}[lost]
    assert [trial.held for trial in state.trials.values()] == asked
    best = {2: 1.0, 4: 1.0, 5: 9.0, 6: None}[lost]
    assert (None if state.found.best is None else state.found.best.value) == best


@pytest.mark.parametrize("lost", [4, 5, 6], ids=["a result", "the amendment", "what was made after it"])
def test_nothing_waits_outside_the_bounds_that_were_amended_behind_the_damage_or_before_it(
    folder: RunFolder, lost: int
) -> None:
    low, *high = (Suggested(parameters={"span": span}) for span in (0.2, 0.7, 0.8))
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall=""),
        BoundsAmended(at=0.5, bounds={"span": (0.0, 0.5)}, request="1-0"),
        WorkerJoined(at=1.0, worker="ada", slots=1),
        SuggestionsMade(at=2.0, ask=2, suggestions=(low,), first_trial=1),
        ResultArrived(at=3.0, worker="ada", lease="1.1", value=worth(low.parameters)),
        BoundsAmended(at=4.0, bounds={"span": (0.6, 1.0)}, request="1-1"),
        SuggestionsMade(at=5.0, ask=4, suggestions=tuple(high), first_trial=2),
        ResultArrived(at=6.0, worker="ada", lease="2.1", value=worth(high[0].parameters)),
        RunPaused(at=7.0),
    ]
    lost += 1
    plan, state = without(folder, events, lost)
    assert state.amended.bounds == {"span": (0.0, 0.5) if lost == 6 else (0.6, 1.0)}
    assert all(state.may_wait(trial) for trial in state.unsettled.values())
    said = (
        "what amended the bounds, span in [0, 0.5] by what is left: trial 2, trial 3 were asked for outside"
    )
    assert any(said in one for one in plan.saved.event.lost_amendments) == (lost == 6)
    assert (None if state.found.best is None else state.found.best.value) == {5: 1.4, 6: 0.4, 7: None}[lost]


def test_who_recorded_or_refused_a_trial_behind_the_damage_is_kept(folder: RunFolder) -> None:
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.5}, {"span": 0.2}, {"span": 0.3})),
        WorkerJoined(at=2.0, worker="person", slots=3, local=True),
        RunPaused(at=3.0),
        ResultArrived(at=4.0, worker="person", lease="1.1", value=1.0, by="Ada"),
        TrialRefused(at=5.0, trial=2, reason="too hot", by="Ben"),
        RunContinued(at=6.0),
    ]
    _, state = without(folder, events, 3)
    assert [trial.by for trial in state.trials.values()] == ["Ada", "Ben", ""]
    _, state = without(folder, [*read_journal(folder.journal).events], 2)
    assert [trial.by for trial in state.trials.values()] == ["Ada", "Ben", ""]


def test_what_was_approved_behind_the_damage_stays_approved(folder: RunFolder) -> None:
    folder.spec.write_text(SPEC.replace('"math:sqrt"}', '"math:sqrt", approval: true}'))
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.5},)),
        TrialApproved(at=1.0, trial=1),
        WorkerJoined(at=2.0, worker="ada", slots=1),
        SuggestionsMade(at=3.0, ask=1, suggestions=(Suggested(parameters={"span": 0.2}),), first_trial=2),
        SuggestionsMade(at=4.0, ask=2, suggestions=(Suggested(parameters={"span": 0.3}),), first_trial=3),
        TrialApproved(at=5.0, trial=3, by="ada"),
        TrialApproved(at=5.0, trial=9, by="ada"),
    ]
    plan, state = without(folder, events, 3)
    assert [trial.approved for trial in state.trials.values()] == [True, False, True]
    assert "that trial 9 is approved: the trial itself is lost" in plan.saved.dropped


def test_what_was_approved_and_may_have_failed_since_waits_for_approval_again(folder: RunFolder) -> None:
    folder.spec.write_text(SPEC.replace('"math:sqrt"}', '"math:sqrt", approval: true}'))
    points = tuple({"span": 0.1 * k} for k in range(1, 4))
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall="", points=points, approves_attempts=True),
        TrialApproved(at=1.0, trial=1),
        WorkerJoined(at=2.0, worker="ada", slots=1),
        RunPaused(at=3.0),
        TrialApproved(at=4.0, trial=2),
        FailureArrived(at=5.0, worker="ada", lease="2.1", kind="error", message="emergency stop"),
        TrialApproved(at=6.0, trial=3),
    ]
    plan, state = without(folder, events, 3)
    assert [trial.approved for trial in state.trials.values()] == [False, False, True]
    assert "that trial 2 is approved: it failed since" in plan.saved.dropped


def test_what_was_approved_anew_after_it_failed_stays_approved(folder: RunFolder) -> None:
    folder.spec.write_text(SPEC.replace('"math:sqrt"}', '"math:sqrt", approval: true}'))
    plan, state = without(folder, failed_and_approved([TrialApproved(at=6.0, trial=1)], anew=True), 3)
    assert state.trials[1].approved
    assert plan.saved.dropped == ()


def test_where_an_approval_was_of_all_attempts_a_failure_takes_nothing_from_it(folder: RunFolder) -> None:
    """As it was in runs that were begun so."""
    folder.spec.write_text(SPEC.replace('"math:sqrt"}', '"math:sqrt", approval: true}'))
    plan, state = without(folder, failed_and_approved([], anew=False), 3)
    assert state.trials[1].approved
    assert plan.saved.dropped == ()


def test_nor_does_a_budget_of_costs_pay_for_more_than_is_left_of_it(folder: RunFolder) -> None:
    """One and a half are left, which is two of these three."""
    folder.spec.write_text(SPEC.replace(f"trials: {TRIALS}", f"trials: {TRIALS}, cost: 2.5"))
    made = tuple(Suggested(parameters={"span": 0.1 * k}, cost=0.75) for k in range(2, 5))
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.1},), costs=(1.0,)),
        WorkerJoined(at=1.0, worker="ada", slots=3),
        ResultArrived(at=2.0, worker="ada", lease="1.1", value=worth({"span": 0.1})),
        WorkerJoined(at=2.5, worker="bob", slots=3),
        SuggestionsMade(at=3.0, ask=1, suggestions=made, first_trial=2),
    ]
    plan, _ = without(folder, events, 4)
    assert plan.saved.dropped == ("trial 4: it is beyond the budget of a cost of 2.5",)


def failed_and_approved(since: list[Event], *, anew: bool) -> list[Event]:
    """A trial that is approved and fails, and what was said since. Approval is asked for ``anew``, or not."""
    return [
        RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.5},), approves_attempts=anew),
        WorkerJoined(at=1.0, worker="ada", slots=1),
        RunPaused(at=2.0),
        TrialApproved(at=3.0, trial=1),
        FailureArrived(at=4.0, worker="ada", lease="1.1", kind="error", message="emergency stop"),
        *since,
    ]


def test_trials_without_a_value_that_the_budget_does_not_pay_for_are_dropped_and_said(
    folder: RunFolder,
) -> None:
    folder.spec.write_text(SPEC.replace(f"trials: {TRIALS}", "trials: 2"))
    made = tuple(Suggested(parameters={"span": 0.1 * k}) for k in range(1, 4))
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall=""),
        WorkerJoined(at=1.0, worker="ada", slots=3),
        BudgetAmended(at=2.0, trials=3),
        SuggestionsMade(at=3.0, ask=1, suggestions=made, first_trial=1),
        ResultArrived(at=4.0, worker="ada", lease="3.1", value=worth(made[2].parameters)),
    ]
    plan, state = without(folder, events, 3)
    assert plan.saved.dropped == (
        "trial 2: it is beyond the budget of 2",
        "the number of trial 3: it is trial 2 from now on",
    )
    assert [trial.value for trial in state.trials.values()] == [None, worth(made[2].parameters)]
