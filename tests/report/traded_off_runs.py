"""Runs with several objectives for the tests of what people see: their trials give what is said of each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from recorded_runs import SPEC, RecordedRun

from orchestrator.report.following.runs import FollowedRun
from orchestrator.scheduler import events as ev

TRADED = SPEC.replace(
    "objective: {name: drag, goal: minimise}",
    "objectives: {drag: minimise, lift: maximise}\nalgorithm: random\noutcomes: [heat]\n"
    "constraints: [heat <= 80]",
)
OF_THREE = TRADED.replace("lift: maximise", "lift: maximise, mass: minimise")
HOT = 99.0
Result = tuple[float, float] | tuple[float, float, float]
"""Drag and lift, and how hot it was, if that was not 50."""

WINGS: tuple[Result, ...] = ((5.0, 1.0), (3.0, 3.0), (1.0, 2.0), (2.0, 9.0, HOT), (4.0, 2.5), (2.0, 2.5))
"""Trial 2 beats trial 1, trial 4 is too hot, trials 2 and 6 beat trial 5; trials 3, 6 and 2 are the front."""


def traded_off(*results: Result, spec_text: str = TRADED, run: RecordedRun | None = None) -> RecordedRun:
    """A run of which one trial after the other gave such a result."""
    run = RecordedRun(spec_text).begin(workers=1) if run is None else run
    for drag, lift, *heat in results:
        gave(run, drag, {"lift": lift, "heat": heat[0] if heat else 50.0})
    return run


def with_a_known_wing() -> RecordedRun:
    """A run that began with a result known from elsewhere, better than most wings."""
    run = RecordedRun(TRADED)
    known = ev.KnownResult(
        parameters={"span": 2.0, "sweep": 1.0, "ribs": 3, "skin": "foam"},
        value=1.0,
        outcomes={"lift": 5.0, "heat": 1.0},
    )
    run.happen(ev.RunStarted(at=0.0, run="wing-1", wall="", known=(known,)))
    run.happen(ev.WorkerJoined(at=0.5, worker="local-1", slots=1, local=True))
    return run


def gave(run: RecordedRun, drag: float, extras: dict[str, Any]) -> None:
    """The next trial gave this."""
    run.answer_asks().give(drag, extras, elapsed=1.0)


def opened(run: RecordedRun, folder: Path) -> FollowedRun:
    """The run as it would be read from disk, its journal not yet read."""
    return FollowedRun.open(run.write(folder / "logs" / "wing-1"))
