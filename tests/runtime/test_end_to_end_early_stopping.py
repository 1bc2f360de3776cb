"""Runs in real processes whose evaluations are stopped by their curves: to the end, killed, damaged."""

from __future__ import annotations

import csv
import io
import json

import pytest
from forked_life import Nurseries
from run_lab import Life, RunLab, checked, eventually, spec, suggestions

from orchestrator.scheduler.events import ResultArrived, TrialFoundUnlikely
from orchestrator.scheduler.transitions import TrialState

GOOD = [{"x": 0.1 * k, "y": 0.5} for k in (0, 1, 2, 3, 4, 5, 5)]
BAD = {"x": 1.0, "y": 0.0}
# All but the worst of those that end are among the best: none of them is stopped, however slow its result.
RULE = {"quantity": "height", "chance_below": 0.1, "among_best": 0.95, "after": 2}


def rising(**changes: object) -> dict[str, object]:
    """Seven that end well, of which the first five are needed to tell; then one that never ends."""
    return spec(
        "rising",
        **{
            "evaluation": {"stop_when": RULE},
            "initial": {"points": [*GOOD, BAD]},
            "budget": {"trials": 8},
            "mode": "sequential",
            **changes,
        },
    )


def test_a_trial_that_would_hardly_be_among_the_best_is_stopped_and_its_forecast_learned(
    lab: RunLab,
) -> None:
    run = lab.run(rising())
    run.ends(0)
    state = checked(run.folder)
    assert (state.tally.completed, state.tally.failed, state.tally.stopped) == (7, 0, 1)
    trial = state.trials[8]
    assert trial.state is TrialState.STOPPED
    assert trial.value is None
    assert trial.forecast is not None
    # It would have come to 0.15.
    assert trial.forecast.mean == pytest.approx(0.15, abs=0.01)
    assert trial.forecast.chance < 0.1
    assert trial.curve[0] == (1, pytest.approx(-0.85))
    told = [event.curve for event in run.of(ResultArrived)]
    assert all([step for step, _ in curve] == [1, 2, 3] for curve in told)

    path = str(run.folder.path)
    explained = lab.says("explain", path, "8")
    assert "It was stopped at step 2, where height was -0.35: " in explained
    assert "would have ended among the best 95 % of the trials before it" in explained
    assert "1 stopped early" in lab.says("status", path)
    rows = list(csv.DictReader(io.StringIO(lab.says("export", path, "--format", "csv"))))
    assert [row["state"] for row in rows] == ["completed"] * 7 + ["stopped"]
    assert (rows[7]["height"], rows[0]["foreseen"]) == ("", "")
    assert float(rows[7]["foreseen"]) == trial.forecast.mean
    assert float(rows[7]["foreseen_deviation"]) == trial.forecast.deviation
    (stopped,) = json.loads(lab.says("trials", path, "--state", "stopped", "--format", "json"))
    assert stopped["trial"] == 8
    lab.says("report", path)
    page = (run.folder.path / "report.html").read_text()
    assert "stopped early" in page


def test_what_was_reported_outlives_the_orchestrator(lab: RunLab) -> None:
    run = lab.run(rising(budget={"trials": 9}, initial={"points": [*GOOD, BAD, BAD]}))
    folder = run.folder
    run.await_events(ResultArrived, 6)
    run.kill()
    again = lab.resume(folder)
    again.ends(0)
    state = checked(folder)
    assert (state.tally.completed, state.tally.stopped, state.lives) == (7, 2, 2)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, nurseries: Nurseries) -> list[object]:
    """What a run that models what it is told suggests if nothing happens to it."""
    lab = RunLab(tmp_path_factory.mktemp("undisturbed"), nurseries)
    run = lab.run(modelled())
    run.ends(0)
    assert checked(run.folder).tally.stopped >= 1
    made = list(suggestions(run.folder))
    lab.close()
    return made


def modelled() -> dict[str, object]:
    return rising(
        algorithm={"name": "gp-ei"},
        budget={"trials": 11},
        initial={"points": [*GOOD, BAD], "count": 1},
        evaluation={"stop_when": RULE | {"after": 4}},
    )


def test_a_run_that_is_killed_suggests_what_it_would_have(lab: RunLab, undisturbed: list[object]) -> None:
    run = lab.run(modelled())
    folder = run.folder
    run.await_events(TrialFoundUnlikely)
    run.kill()
    again = lab.resume(folder)
    again.ends(0)
    assert suggestions(folder) == undisturbed


def test_a_damaged_journal_keeps_what_was_stopped(lab: RunLab) -> None:
    run: Life = lab.run(rising())
    run.ends(0)
    path = run.folder.journal
    lines = path.read_bytes().splitlines(keepends=True)
    second = next(k for k, line in enumerate(lines) if b'"2.1"' in line and b"ResultArrived" in line)
    path.write_bytes(b"".join([*lines[:second], b"rubbish\n", *lines[second + 1 :]]))
    lab.says("fsck", str(run.folder.path), "--repair")
    state = checked(run.folder)
    assert state.trials[8].state is TrialState.STOPPED
    assert state.trials[8].forecast is not None
    assert len(state.trials[8].curve) >= 2
    assert state.trials[2].state is TrialState.QUEUED
    assert len(state.trials[3].curve) == 3


def test_limits_and_chances_go_together(lab: RunLab) -> None:
    """The first one to say so stops it."""
    run = lab.run(
        rising(
            initial={"points": [BAD]},
            budget={"trials": 1},
            evaluation={"stop_when": RULE | {"below": -0.8, "after": 1}},
        )
    )
    eventually(lambda: run.process.poll() is not None)
    trial = checked(run.folder).trials[1]
    assert (trial.state, trial.forecast) == (TrialState.FAILED, None)
    assert trial.message.startswith("stopped: height was -0.85 at step 1, below -0.8")


def test_a_simulation_that_diverges_is_stopped_by_a_limit(lab: RunLab) -> None:
    run = lab.run(
        spec(
            evaluation=None,
            budget={"trials": 1},
        )
        | {
            "evaluation": {
                "command": ["sh", "-c", "echo 1 residual 0.5; echo 2 residual -nan; sleep 60; echo 1"],
                "input": {"file": "in.json"},
                "output": {"pattern": r"^(\d)$"},
                "progress": r"(?P<step>\d+) residual (?P<residual>\S+)",
                "stop_when": {"quantity": "residual", "above": 2.0},
            }
        }
    )
    run.ends(0)
    trial = checked(run.folder).trials[1]
    assert trial.state is TrialState.FAILED
    assert trial.message == "stopped: residual was nan at step 2, which counts as above 2"
