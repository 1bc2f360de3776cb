"""The end of a run whose values are noisy: the optimiser is heard once more, now that all is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from lab import Lab, only
from policies import policy_with

from orchestrator.runtime.recovery.recover import OptimiserHistory
from orchestrator.scheduler.amendment_events import ObservationsForgotten, ValuesAmended
from orchestrator.scheduler.commands import Command, FinishRun, Rebuild, TakeStock, Tell
from orchestrator.scheduler.event_parts import ValuedAnew
from orchestrator.scheduler.events import OptimiserFailed, RunResumed, StockTaken

NOISY = {"believed_best": {"trial": 1, "predicted": {"mean": 1.0, "deviation": 0.1}}}


def lab_whose_optimiser_says(insight: Mapping[str, Any]) -> Lab:
    """Its second trial, the last, runs."""
    lab = Lab(policy_with(trials=2, mode="sequential"))
    lab.start()
    lab.join("w1")
    lab.suggest()
    lab.succeed(lab.leases("w1")[0])
    lab.suggest(insight=insight)
    return lab


def last_result(lab: Lab) -> list[Command]:
    return lab.succeed(lab.leases("w1")[0])


def test_after_the_last_result_is_told_the_optimiser_says_what_it_believes_and_the_run_ends() -> None:
    lab = lab_whose_optimiser_says(NOISY)
    commands = [c for c in last_result(lab) if isinstance(c, Tell | TakeStock | FinishRun)]
    assert [type(command) for command in commands] == [Tell, TakeStock, FinishRun]


def test_what_it_says_then_takes_the_place_of_what_it_said_before() -> None:
    lab = lab_whose_optimiser_says(NOISY)
    last_result(lab)
    later = {"believed_best": {"trial": 2, "predicted": {"mean": 1.5, "deviation": 0.1}}}
    lab.happen(StockTaken(at=lab.tick(), observations=2, insight=later))
    assert lab.state.optimiser.insight == later


def test_a_value_that_was_forgotten_since_makes_it_worthless() -> None:
    lab = lab_whose_optimiser_says(NOISY)
    last_result(lab)
    lab.happen(ObservationsForgotten(at=lab.tick(), trials=(2,), reason="a spider"))
    later = {"believed_best": {"trial": 2, "predicted": {"mean": 1.5, "deviation": 0.1}}}
    lab.happen(StockTaken(at=lab.tick(), observations=2, insight=later))
    assert lab.state.optimiser.insight == NOISY


VALUED = ValuedAnew(trial=1, value=5.0)


def test_by_other_values_which_is_the_best_is_open_and_asked_for_anew_after_the_end() -> None:
    lab = lab_whose_optimiser_says({**NOISY, "weights": {"rbf": 1.0}})
    otherwise = ValuesAmended(at=lab.tick(), objective={"value": "drag"}, anew=(VALUED,))
    assert only(TakeStock, lab.happen(otherwise)) == []
    assert lab.state.optimiser.insight == {"believed_best": None, "weights": {"rbf": 1.0}}
    last_result(lab)
    assert only(TakeStock, lab.happen(replace(otherwise, at=lab.tick())))


def test_by_other_values_one_that_has_no_doubts_is_not_asked() -> None:
    lab = lab_whose_optimiser_says({})
    last_result(lab)
    commands = lab.happen(ValuesAmended(at=lab.tick(), objective={"value": "drag"}, anew=(VALUED,)))
    assert only(TakeStock, commands) == []
    assert lab.state.optimiser.insight == {}


@pytest.mark.parametrize("insight", [{}, {"weights": {"rbf": 1.0}}], ids=["silent", "noiseless"])
def test_an_optimiser_that_has_no_doubts_which_trial_is_best_is_not_asked(insight: Mapping[str, Any]) -> None:
    assert only(TakeStock, last_result(lab_whose_optimiser_says(insight))) == []


def test_one_that_failed_is_not_asked() -> None:
    lab = lab_whose_optimiser_says(NOISY)
    lab.happen(OptimiserFailed(at=lab.tick(), message="out of memory"))
    commands = last_result(lab)
    assert only(FinishRun, commands)
    assert only(TakeStock, commands) == []


def test_where_a_life_ended_before_it_was_heard_the_next_one_hears_it_and_the_run_stays_over() -> None:
    lab = lab_whose_optimiser_says(NOISY)
    last_result(lab)
    commands = lab.happen(RunResumed(at=lab.tick(), wall=""))
    assert [type(command) for command in commands] == [TakeStock, FinishRun]


def test_the_next_life_does_not_ask_for_the_last_one() -> None:
    history = OptimiserHistory([])
    history.note([TakeStock()])
    history.settle(RunResumed(at=1.0, wall=""))
    assert history.commands == []


def test_an_optimiser_that_is_started_anew_is_asked_for_what_the_one_before_did_not_say() -> None:
    history = OptimiserHistory([])
    history.note([TakeStock()])
    history.note([TakeStock(held={"x": 1})])
    history.settle(StockTaken(at=1.0, observations=1, insight={}))
    assert history.commands == [TakeStock(held={"x": 1})]
    assert history.wants_stock


def test_what_is_said_of_a_model_that_is_no_more_does_not_answer_what_the_new_one_was_asked() -> None:
    history = OptimiserHistory([])
    history.note([TakeStock()])
    history.note([Rebuild(model=1, bounds={}), TakeStock()])
    history.settle(StockTaken(at=1.0, observations=1, insight={}, model=0))
    assert history.wants_stock
    history.settle(StockTaken(at=2.0, observations=1, insight={}, model=1))
    assert not history.wants_stock
