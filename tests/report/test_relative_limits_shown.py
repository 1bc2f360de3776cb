"""Limits that are relative to the reference: what people see before it is measured, and after."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest
from recorded_runs import SPEC, RecordedRun, explained, parameters
from shown_runs import drawn, followed

from orchestrator.command_line.modelling import run_with_limits
from orchestrator.report.closing import closing_words
from orchestrator.report.following.standing import standing_of
from orchestrator.report.seen.chronicle import Chronicle
from orchestrator.report.tables.status import status_table, status_words
from orchestrator.report.words.relative_limits import NOTHING_CAME
from orchestrator.runtime.results.first_event import first_event
from orchestrator.runtime.results.reference_levels import measured_anew
from orchestrator.runtime.run import RunOutcome
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.amendment_events import ObservationsForgotten
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.policy_of_spec import policy_of

RELATIVE = "heat <= 1.05 * reference(heat)"
TODAY = {name: told for name, told in parameters(1).items() if name != "mach"}
TEXT = (
    SPEC + f"algorithm: random\noutcomes: [heat]\nconstraints: ['{RELATIVE}']\n"
    f"initial: {{reference: {json.dumps(TODAY)}, points: [{json.dumps(TODAY)}]}}\n"
)


def begun() -> RecordedRun:
    """The reference runs on both workers."""
    run = RecordedRun(TEXT)
    run.happen(first_event(run.spec, "wing-1", "2024-01-01T00:00:00", {}))
    for number in (1, 2):
        run.happen(ev.WorkerJoined(at=0.5, worker=f"local-{number}", slots=1, local=True))
    return run.answer_asks()


def gave(run: RecordedRun, value: float, heat: float) -> RecordedRun:
    run.give(value, {"heat": heat})
    if (measured := measured_anew(run.events[-1:], run.spec, run.scheduler.state)) is not None:
        run.happen(measured)
    return run.answer_asks()


LEVELS = ("reference", "reference_times", "reference_levels")


def levels_of(run: RecordedRun, folder: Path) -> list[Any]:
    told = standing_of(followed(run, folder), None)
    known = json.loads(status_table(told, None).as_object())
    return [known[name] for name in LEVELS]


def failed(run: RecordedRun) -> RecordedRun:
    command = run.evaluations.popleft()
    run.happen(
        ev.FailureArrived(
            at=run.at + 1.0, worker=command.worker, lease=command.lease, kind="error", message="it broke"
        )
    )
    return run.answer_asks()


def said_of(run: RecordedRun, folder: Path) -> tuple[dict[str, str], str | None]:
    """The lines of a status, by what stands before each, and why there is no best one, for programs."""
    told = standing_of(followed(run, folder), None)
    lines = [line for line in status_words(told, None).splitlines() if line[:1] != " "]
    why = json.loads(status_table(told, None).as_object())["why_no_best"]
    return {line[:8].strip(): line[8:] for line in lines}, why


def test_nothing_is_known_to_satisfy_them_before_it_is_measured() -> None:
    run = begun()
    state = run.scheduler.state
    nothing = Suggested(parameters={})
    state.observed.append(Trial(0, nothing, queued_at=0.0, value=1.0, broken=(RELATIVE,)))
    view = run.view()
    assert view.found.why_no_best == "reference not measured"
    assert view.limits == f"heat of the reference is not known yet, which `{RELATIVE}` is relative to"


def test_what_came_before_it_is_not_said_to_break_them() -> None:
    run = begun()
    for _ in range(2 * run.spec.evaluation.attempts):
        failed(run)
    run.give(4.0, {"heat": 60.0})
    doubt = f"is not known to satisfy `{RELATIVE}`"
    assert run.view().happenings[-1].sentence.endswith(f", {doubt}")
    assert f"I{doubt[1:]}, still learned from." in explained(run, 3)


def test_it_is_said_what_it_has_and_over_how_many(tmp_path: Path) -> None:
    run = gave(begun(), 5.0, 70.0)
    limit = f", which `{RELATIVE}` is relative to"
    assert run.view().limits == f"the reference has heat = 70{limit}"
    lines, why = said_of(gave(run, 6.0, 71.0), tmp_path)
    assert (lines["limits"], why) == (f"the reference has heat = 70.5, on average over 2{limit}", None)
    assert lines["best"] == "drag = 5 (trial 1)"
    assert lines["against"] == "the reference: drag = 5.5 (trial 1), on average over 2"


def test_programs_are_told_what_it_has_by_outcome(tmp_path: Path) -> None:
    assert levels_of(begun(), tmp_path / "begun") == [None, 0, {}]
    twice = gave(gave(begun(), 5.0, 70.0), 6.0, 71.0)
    assert levels_of(twice, tmp_path / "twice") == [5.5, 2, {"heat": 70.5}]
    without = RecordedRun(SPEC + "algorithm: random\n").begin()
    assert levels_of(without, tmp_path / "without") == [None, None, None]


def test_as_it_happens_it_is_not_said_to_be_better_than_what_it_settles() -> None:
    better = "results: [{span: 2, sweep: 9, ribs: 7, skin: foam, drag: 4, heat: 60}]"
    run = RecordedRun(TEXT.replace("points:", f"{better}, points:"))
    run.happen(first_event(run.spec, "wing-1", "2024-01-01T00:00:00", {}))
    run.happen(ev.WorkerJoined(at=0.5, worker="local-1", slots=1, local=True))
    before = len(run.events)
    state = gave(run, 5.0, 70.0).scheduler.state
    live, replayed = Chronicle(run.spec), Scheduler(policy_of(run.spec))
    for event in run.events[:before]:
        replayed.handle(event)
        live.take(event, replayed.state)
    # A turn is taken with how all stands after it.
    came, measured = (live.take(event, state) for event in run.events[before : before + 2])
    assert (came.improved, measured.improved) == (False, False)
    assert state.found.best is not None
    assert state.found.best.value == 4.0


def test_that_it_failed_is_said_with_what_to_do(tmp_path: Path) -> None:
    run = begun()
    for _ in range(2 * run.spec.evaluation.attempts):
        failed(run)
    run.give(4.0, {"heat": 60.0})
    lines, why = said_of(run, tmp_path)
    assert why == "reference failed"
    assert lines["limits"].startswith(f"{NOTHING_CAME}, and nothing is known to satisfy `heat <= ")
    assert lines["best"].endswith(f"orchestrator amend {run_folder(tmp_path)} --try reference")
    outcome = RunOutcome(tmp_path, run.scheduler.state, False, False, "")
    words = closing_words(run.spec, outcome)
    assert words.startswith("Nothing is known to satisfy the constraints: the reference, which some are")


def test_one_that_is_forgotten_is_not_said_to_have_failed(tmp_path: Path) -> None:
    run = gave(gave(begun(), 5.0, 70.0), 5.0, 71.0)
    run.happen(ObservationsForgotten(at=run.at, trials=(1, 2), reason="a loose cable"))
    measured = measured_anew(run.events[-1:], run.spec, run.scheduler.state)
    assert measured is not None
    run.happen(measured).give(4.0, {"heat": 60.0})
    lines, why = said_of(run, tmp_path)
    assert why == "reference failed"
    assert "relative to, came to nothing, or is forgotten; to have it tried again: " in lines["best"]


def test_how_likely_limits_are_to_hold_is_said_to_be_without_them_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = begun()
    run_with_limits(Namespace(run=str(run.write(tmp_path / "before").path), logs=tmp_path))
    left_out = f"note: `{RELATIVE}` is left out of this: what the reference has is not known\n"
    assert capsys.readouterr().err == left_out
    run_with_limits(Namespace(run=str(gave(run, 5.0, 70.0).write(tmp_path / "after").path), logs=tmp_path))
    assert capsys.readouterr().err == ""


def test_the_screen_says_it_too() -> None:
    run = gave(begun(), 5.0, 70.0)
    assert "the reference has heat = 70, which" in drawn(run)
    said = [one.sentence for one in run.view().happenings]
    assert "limits are relative to the reference, which has heat = 70" in said


def run_folder(tmp_path: Path) -> Path:
    return next(one for one in tmp_path.rglob("spec.yaml")).parent
