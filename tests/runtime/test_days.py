"""Blocks that are days: a run is told of each day that begins, by the calendar of its machine."""

from __future__ import annotations

from datetime import datetime

from policies import policy_with

from orchestrator.report.words.amendment import amendment_words
from orchestrator.runtime.days import day_begun
from orchestrator.scheduler.machine import Scheduler
from orchestrator.spec.load import load_spec_text

LATE = datetime.fromisoformat("2026-11-27T23:59:59+09:00")
EARLY = datetime.fromisoformat("2026-11-28T00:00:01+09:00")


def test_each_day_is_told_of_once() -> None:
    scheduler = Scheduler(policy_with(trials=9, blocks="day"))
    days = []
    for now in (LATE, LATE, EARLY, EARLY):
        if (event := day_begun(scheduler.state, 1.0, now)) is not None:
            days.append(event.block)
            scheduler.handle(event)
    assert days == ["2026-11-27", "2026-11-28"]


def test_elsewhere_no_day_is_a_block() -> None:
    for blocks in (None, "plate", "worker"):
        assert day_begun(Scheduler(policy_with(trials=9, blocks=blocks)).state, 1.0, LATE) is None


def test_which_day_it_is_is_no_amendment() -> None:
    text = (
        "experiment: e\nobjective: {name: v, goal: maximise}\n"
        "parameters: {x: {type: float, bounds: [0, 1]}}\n"
        "blocks: day\nbudget: {trials: 9}\nevaluation: {evaluator: person}\n"
    )
    scheduler = Scheduler(policy_with(trials=9, blocks="day"))
    begun = day_begun(scheduler.state, 1.0, EARLY)
    assert begun is not None
    scheduler.handle(begun)
    assert amendment_words(load_spec_text(text, "spec.yaml", None).spec, scheduler.state) == ()
