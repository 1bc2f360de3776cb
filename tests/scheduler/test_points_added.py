"""Points that a person has evaluated while a run goes on, or after its end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lab import Lab, asked, leased, only, running_lab
from policies import policy_with

from orchestrator.scheduler.amendment_events import BudgetAmended, PointsAdded, RunContinued, RunPaused
from orchestrator.scheduler.commands import Ask, Tell
from orchestrator.scheduler.endings import AMENDED
from orchestrator.scheduler.events import TrialApproved
from orchestrator.scheduler.mending_events import JournalMended
from orchestrator.scheduler.transitions import Phase, TrialState
from orchestrator.scheduler.trial import is_added


def add(lab: Lab, *places: float, **more: Any) -> list[Any]:
    points: tuple[Mapping[str, Any], ...] = tuple({"x": x} for x in places)
    return lab.happen(PointsAdded(at=lab.tick(), points=points, **more))


def evaluated(lab: Lab) -> list[float]:
    """Where the trials lie that the one worker evaluates from here on, in their order."""
    places = []
    while lab.leases("w1"):
        (lease,) = lab.leases("w1")
        places.append(lab.trial(int(lease.partition(".")[0])).parameters["x"])
        lab.succeed(lease)
        if lab.state.optimiser.asking:
            lab.suggest()
    return places


def test_points_are_evaluated_in_their_order_before_what_the_optimiser_asked_for() -> None:
    lab = running_lab(1, trials=9, mode="synchronous", batch=3)
    assert list(lab.state.waiting.queue) == [2, 3]
    add(lab, 70, 71)
    add(lab, 72)
    assert evaluated(lab)[:6] == [0, 70, 71, 72, 1, 2]


def test_the_optimiser_is_told_which_trials_it_did_not_ask_for() -> None:
    lab = running_lab(1)
    add(lab, 70)
    lab.succeed("1.1")
    assert not only(Tell, lab.commands)[-1].attached
    lab.succeed("2.1")
    assert only(Tell, lab.commands)[-1].attached


def test_what_is_tried_again_of_them_comes_first_still() -> None:
    lab = running_lab(1)
    add(lab, 70, 71)
    lab.succeed("1.1")
    lab.fail("2.1")
    assert leased(lab.commands)[-2:] == ["2.1", "2.2"]
    assert list(lab.state.waiting.queue) == [3]


def test_the_optimiser_is_asked_anew_with_them_in_hand_and_its_late_answer_changes_nothing() -> None:
    lab = running_lab(2)
    lab.succeed("1.1", worker="w1")
    assert lab.state.optimiser.asking == 1
    before = lab.state.optimiser.asks
    commands = add(lab, 70)
    assert leased(commands) == ["3.1"]
    assert not only(Ask, commands)
    lab.succeed("2.1", worker="w2")
    (anew,) = [one for one in lab.commands if isinstance(one, Ask)][-1:]
    assert (anew.ask, anew.first_trial, anew.pending) == (before + 1, 4, ({"x": 70},))


def test_they_are_paid_for_and_what_the_budget_does_not_pay_for_is_not_made() -> None:
    lab = running_lab(1, trials=3)
    add(lab, 70, 71, 72)
    assert [trial.parameters["x"] for trial in lab.state.trials.values()] == [0, 70, 71]
    evaluated(lab)
    assert lab.state.phase is Phase.FINISHED
    assert lab.state.budgeted == 3


def test_what_comes_of_them_is_told_and_may_be_the_best() -> None:
    lab = running_lab(1)
    add(lab, 70, by="Ada", reason="a hunch")
    lab.succeed("1.1", value=1.0)
    commands = lab.succeed("2.1", value=5.0)
    assert [(tell.trial, tell.parameters) for tell in only(Tell, commands)] == [(2, {"x": 70})]
    assert lab.state.found.best is lab.trial(2)
    assert lab.trial(2).suggested.why == {"source": "person", "by": "Ada", "reason": "a hunch"}
    assert [number for number, trial in lab.state.trials.items() if is_added(trial)] == [2]


def test_a_round_is_over_when_they_are_and_told_with_them() -> None:
    lab = running_lab(2, mode="synchronous", batch=2)
    add(lab, 70)
    assert not only(Tell, lab.succeed("2.1", worker="w2"))
    assert not only(Tell, lab.succeed("1.1", worker="w1"))
    commands = lab.succeed("3.1", worker="w2")
    assert [tell.trial for tell in only(Tell, commands)] == [1, 2, 3]
    assert asked(commands) == [2]


def test_they_wait_for_approval_where_all_do() -> None:
    lab = Lab(policy_with(trials=5, approval=True))
    lab.start()
    lab.join("w1")
    assert not leased(add(lab, 70))
    assert leased(lab.happen(TrialApproved(at=lab.tick(), trial=1))) == ["1.1"]


def test_they_wait_while_a_run_is_paused() -> None:
    lab = running_lab(1)
    lab.happen(RunPaused(at=lab.tick()))
    lab.succeed("1.1")
    assert not leased(add(lab, 70))
    assert leased(lab.happen(RunContinued(at=lab.tick()))) == ["2.1"]


def test_a_run_that_was_stopped_evaluates_them_when_it_is_resumed() -> None:
    lab = running_lab(1)
    lab.stop(now=True)
    add(lab, 70)
    assert lab.state.phase is Phase.FINISHED
    lab.resume()
    assert leased(lab.join("w1")) == ["2.1"]


def test_a_run_that_had_ended_goes_on_for_them_where_its_budget_is_raised() -> None:
    lab = running_lab(1, trials=1)
    lab.succeed("1.1")
    assert not lab.state.resumable
    add(lab, 70)
    assert len(lab.state.trials) == 1
    lab.happen(BudgetAmended(at=lab.tick(), trials=2))
    add(lab, 71)
    assert lab.state.end.why == AMENDED
    lab.resume()
    lab.join("w1")
    assert evaluated(lab) == [71]
    assert lab.state.end.why == "every trial of the budget is settled"


def test_they_are_evaluated_though_the_optimiser_has_no_more_to_suggest() -> None:
    lab = running_lab(1)
    lab.succeed("1.1")
    lab.suggest(0)
    assert lab.state.end.why == "the optimiser has no more points to suggest"
    add(lab, 70)
    lab.resume()
    lab.join("w1")
    assert evaluated(lab) == [70]


def test_what_waits_in_a_run_that_is_over_after_all_is_abandoned_and_costs_nothing() -> None:
    lab = Lab(policy_with(trials=1, goal="maximise"))
    lab.start(pays_for_begun=True)
    lab.suggest()
    lab.join("w1")
    lab.succeed("1.1", value=3.0)
    lab.happen(BudgetAmended(at=lab.tick(), trials=2))
    add(lab, 70)
    lab.happen(BudgetAmended(at=lab.tick(), target=2.0))
    assert lab.state.end.why == "the target was reached"
    assert lab.trial(2).state is TrialState.ABANDONED
    assert lab.state.budgeted == 1


def test_a_mended_journal_has_them_before_the_rest_again() -> None:
    lab = running_lab(1, mode="synchronous", batch=3)
    add(lab, 70)
    lab.happen(JournalMended(at=lab.tick(), wall="later", lost=1, asks=1))
    assert list(lab.state.waiting.queue) == [4, 1, 2, 3]
