"""What a person reads of a run that stopped as its evaluations had succeeded, and then failed all alike."""

from __future__ import annotations

from pathlib import Path

from recorded_runs import SPEC, RecordedRun

from orchestrator.report.closing import closing_words
from orchestrator.runtime.run import RunOutcome
from orchestrator.scheduler import events as ev

OF_ONE_ATTEMPT = SPEC.replace("timeout: 60 s", "timeout: 60 s, attempts: 1, give_up_after: 2")


def lost_its_licence() -> RecordedRun:
    run = RecordedRun(OF_ONE_ATTEMPT)
    run.happen(ev.RunStarted(at=0.0, run="wing-1", wall="2024-01-01T00:00:00", gives_up_alike=True))
    run.happen(ev.WorkerJoined(at=0.5, worker="local-1", slots=1, local=True))
    return run.settle(14, lambda trial: 5.0 if trial <= 10 else None)


def test_the_closing_words_say_what_all_failed_with_and_how_to_go_on() -> None:
    run = lost_its_licence()
    state = run.scheduler.state
    words = closing_words(run.spec, RunOutcome(Path("logs/wing"), state, False, True, state.message))
    assert "Failed: 4 trials failed one after the other, all with: error: RuntimeError: it broke\n" in words
    forgotten = "--forget 11 --forget 12 --forget 13 --forget 14"
    assert f"\n  orchestrator amend logs/wing {forgotten} --trials 24\n" in words
    assert "orchestrator resume logs/wing" in words


def test_the_status_says_what_they_failed_with() -> None:
    activity = lost_its_licence().view().activity
    assert "evaluations fail one after the other, all in the same way (4 trials failed" in activity
    assert "deep inside" not in activity
