"""Where every trial is to keep limits, what a spec says of points may wait for the end: that is said."""

from __future__ import annotations

from recorded_runs import SPEC, RecordedRun

from orchestrator.report.words.broken_limits import broken_limits
from orchestrator.runtime.results.first_event import first_event
from orchestrator.scheduler.events import WorkerJoined

KEPT = SPEC + (
    "outcomes: [heat]\nconstraints: [probability(heat <= 80) >= 0.9]\n"
    "initial: {points: [{span: 5, sweep: 20, ribs: 9, skin: foam}, {span: 9}, {skin: carbon}]}\n"
)


def test_those_that_others_have_passed_are_not_sure_enough() -> None:
    run = RecordedRun(KEPT)
    run.happen(first_event(run.spec, "wing-1", "", {}))
    run.happen(WorkerJoined(at=0.5, worker="local-1", slots=1, local=True))
    run.give(5.0, {"heat": 70.0})
    state = run.scheduler.state
    assert broken_limits(state) == "every trial so far has kept `heat <= 80`"
    run.answer_asks()
    assert broken_limits(state) == (
        "every trial so far has kept `heat <= 80`; not sure enough to be tried: span = 9; skin = carbon"
    )
