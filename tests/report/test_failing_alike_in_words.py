"""What a person reads of a run that stopped as its evaluations failed: all alike, or from the first on."""

from __future__ import annotations

from pathlib import Path

import pytest
from recorded_runs import SPEC, RecordedRun

from orchestrator.report.closing import closing_words
from orchestrator.runtime.run import RunOutcome
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.amendment_events import BudgetAmended, ObservationsForgotten
from orchestrator.scheduler.transitions import Phase

OF_ONE_ATTEMPT = SPEC.replace("timeout: 60 s", "timeout: 60 s, attempts: 1, give_up_after: 3")

WHY = " --reason 'their points were not to blame'"


def lost_its_licence(spec: str = OF_ONE_ATTEMPT) -> RecordedRun:
    run = RecordedRun(spec)
    run.happen(ev.RunStarted(at=0.0, run="wing-1", wall="2024-01-01T00:00:00", gives_up_alike=True))
    run.happen(ev.WorkerJoined(at=0.5, worker="local-1", slots=1, local=True))
    return run.settle(16, lambda trial: 5.0 if trial <= 10 else None)


def test_the_closing_words_say_what_all_failed_with_and_how_to_go_on() -> None:
    run = lost_its_licence()
    state = run.scheduler.state
    words = closing_words(run.spec, RunOutcome(Path("logs/wing"), state, False, True, state.end.message))
    assert "Failed: 6 trials failed one after the other, all with: error: RuntimeError: it broke\n" in words
    forgotten = " ".join(f"--forget {number}" for number in range(11, 17))
    assert f"\n  orchestrator amend logs/wing {forgotten} --trials 26{WHY}\n" in words
    assert "orchestrator resume logs/wing" in words


@pytest.mark.parametrize(
    ("budget", "raised"),
    [
        ("cost: 20.5", "--cost 26.5"),
        # From when the first of them began: with asking 1.2 s each.
        ("time: 90 s", "--time '98 s'"),
        ("trials: 20, cost: 20.5, time: 90 s", "--trials 26 --cost 26.5 --time '97 s'"),
        ("trials: 20, patience: 30, target: 1", "--trials 26"),
    ],
)
def test_what_they_took_of_each_budget_is_paid_for_again(budget: str, raised: str) -> None:
    fidelity = "fidelity: {parameter: ribs, full: 30}\n" if "cost" in budget else ""
    run = lost_its_licence(OF_ONE_ATTEMPT.replace("trials: 20", budget) + fidelity)
    words = closing_words(run.spec, RunOutcome(Path("logs/wing"), run.scheduler.state, False, True, ""))
    assert f" --forget 16 {raised}{WHY}\n" in words


def test_what_comes_while_it_stops_hides_nothing_of_what_failed() -> None:
    run = RecordedRun(OF_ONE_ATTEMPT)
    run.happen(ev.RunStarted(at=0.0, run="wing-1", wall="2024-01-01T00:00:00", gives_up_alike=True))
    run.happen(ev.WorkerJoined(at=0.5, worker="local-1", slots=3, local=True))
    run.settle(18, lambda trial: 5.0 if trial <= 10 or trial == 18 else None)
    assert run.scheduler.state.phase is Phase.FINISHED
    outcome = RunOutcome(Path("logs/wing"), run.scheduler.state, False, True, "all alike")
    words = closing_words(run.spec, outcome)
    forgotten = " ".join(f"--forget {number}" for number in range(11, 18))
    assert f"\n  orchestrator amend logs/wing {forgotten} --trials 27{WHY}\n" in words


def test_the_status_says_what_they_failed_with() -> None:
    activity = lost_its_licence().view().activity
    assert "evaluations fail one after the other, all in the same way (6 trials failed" in activity
    assert "deep inside" not in activity


def test_of_a_run_in_which_nothing_succeeded_they_are_tried_again() -> None:
    run = RecordedRun(OF_ONE_ATTEMPT).begin(workers=1).settle(3, lambda _: None)
    state = run.scheduler.state
    assert state.end.why == "no evaluation has succeeded"
    words = closing_words(run.spec, RunOutcome(Path("logs/wing"), state, False, True, state.end.message))
    assert f"tried again:\n  orchestrator amend logs/wing --retry failed --trials 23{WHY}\n" in words
    assert "orchestrator resume logs/wing" in words


def test_what_was_paid_for_again_is_not_paid_for_once_more() -> None:
    run = RecordedRun(OF_ONE_ATTEMPT).begin(workers=1).settle(3, lambda _: None)
    run.happen(ObservationsForgotten(at=run.at, trials=(1, 2, 3), reason="no licence"))
    run.happen(BudgetAmended(at=run.at, trials=23))
    run.happen(ev.RunResumed(at=run.at, wall="2024-01-02T00:00:00"))
    run.happen(ev.WorkerJoined(at=run.at, worker="local-1", slots=1, local=True))
    state = run.settle(3, lambda _: None).scheduler.state
    assert state.end.why == "no evaluation has succeeded"
    words = closing_words(run.spec, RunOutcome(Path("logs/wing"), state, False, True, state.end.message))
    assert " --retry failed --trials 26 " in words


def test_what_a_person_refused_before_is_not_tried_again_and_so_not_paid_for() -> None:
    run = RecordedRun(OF_ONE_ATTEMPT).begin(workers=1).settle(1, lambda _: None)
    run.happen(ev.TrialRefused(at=9.0, trial=2, reason="spilt")).settle(3, lambda _: None)
    state = run.scheduler.state
    assert (state.end.why, state.tally.failed) == ("no evaluation has succeeded", 4)
    words = closing_words(run.spec, RunOutcome(Path("logs/wing"), state, False, True, state.end.message))
    assert " --retry failed --trials 23 " in words
