"""What programs read of a run with several objectives, and that they can tell why a run has no best trial."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from recorded_runs import SPEC, RecordedRun
from shown_runs import followed
from traded_off_runs import HOT, TRADED, WINGS, traded_off

from orchestrator.report.following.last_standing import keep_last_standing, last_standing
from orchestrator.report.following.standing import standing_of
from orchestrator.report.monitors.json_lines import JsonLinesMonitor
from orchestrator.report.tables.status import status_table
from orchestrator.report.tables.trials import front_rows
from orchestrator.runtime.monitor import Opening
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.machine import Scheduler
from orchestrator.spec.begun.added_results import read_added_results

HEATED = SPEC + "algorithm: random\noutcomes: [heat]\nconstraints: [heat <= 80]\n"
ONE, SEVERAL = pytest.param(HEATED, id="one objective"), pytest.param(TRADED, id="several objectives")


def status(run: RecordedRun, folder: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(
        status_table(standing_of(followed(run, folder), None), None).as_object()
    )
    return told


def events_of(run: RecordedRun) -> list[dict[str, Any]]:
    stream, scheduler = io.StringIO(), Scheduler(run.scheduler.state.policy)
    monitor = JsonLinesMonitor(stream)
    monitor.opened(Opening(run.spec, Path("logs/wing-1"), "", resumed=False))
    for event in run.events:
        scheduler.handle(event)
        monitor.observed(event, scheduler.state)
    monitor.closed(scheduler.state)
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_the_status_has_the_front_with_its_objectives_and_no_best(tmp_path: Path) -> None:
    told = status(traded_off(*WINGS), tmp_path)
    assert (told["best"], told["best_trial"], told["why_no_best"]) == (None, None, None)
    assert (told["trade_offs"], told["ranges"]) == (3, {"drag": [1.0, 3.0], "lift": [2.0, 3.0]})
    assert told["front"][0] == {
        "trial": 3,
        "objectives": {"drag": 1.0, "lift": 2.0},
        "outcomes": {"heat": 50.0},
        "parameters": {"span": 1.3, "sweep": 20.0, "ribs": 7, "skin": "carbon"},
    }
    assert [one["trial"] for one in told["front"]] == [3, 6, 2]


def test_what_is_kept_at_the_end_says_the_same_to_the_letter(tmp_path: Path) -> None:
    run = traded_off(*WINGS, *((9.0, 1.0),) * 14)
    read = followed(run, tmp_path)
    told = standing_of(read, None)
    keep_last_standing(read.folder, told)
    kept = last_standing(read.folder)
    assert kept is not None
    assert status_table(kept, None).as_object() == status_table(told, None).as_object()


@pytest.mark.parametrize("text", [ONE, SEVERAL])
def test_that_nothing_satisfies_the_constraints_is_not_that_there_is_no_value(
    text: str, tmp_path: Path
) -> None:
    """Neither in the status nor in the last event."""
    runs = {
        "no value": RecordedRun(text).begin(workers=1),
        "none satisfies": traded_off((1.0, 1.0, HOT), spec_text=text),
        None: traded_off((1.0, 1.0, HOT), (1.0, 1.0), spec_text=text),
    }
    for why, run in runs.items():
        assert status(run, tmp_path / str(why))["why_no_best"] == why
        assert events_of(run)[-1]["why_no_best"] == why


@pytest.mark.parametrize("text", [ONE, SEVERAL])
def test_a_value_that_was_forgotten_is_none(text: str, tmp_path: Path) -> None:
    run = traded_off((1.0, 1.0), spec_text=text)
    run.happen(ev.ObservationsForgotten(at=run.at + 1.0, trials=(1,), reason="the tunnel leaked"))
    assert status(run, tmp_path)["why_no_best"] == "no value"


def test_events_bring_objectives_by_name_and_the_last_one_the_front() -> None:
    events = events_of(traded_off(*WINGS))
    assert events[0]["objectives"] == {"drag": "minimise", "lift": "maximise"}
    settled = [one["objectives"] for one in events if one["event"] == "TrialSettled"]
    assert settled[:2] == [{"drag": 5.0, "lift": 1.0}, {"drag": 3.0, "lift": 3.0}]
    closed = events[-1]
    assert closed["best"] is None
    assert [(one["trial"], one["objectives"]) for one in closed["front"]] == [
        (3, {"drag": 1.0, "lift": 2.0}),
        (6, {"drag": 2.0, "lift": 2.5}),
        (2, {"drag": 3.0, "lift": 3.0}),
    ]


def test_a_trial_that_failed_has_no_objectives() -> None:
    run = RecordedRun(TRADED).begin(workers=1).answer_asks()
    (command,) = run.evaluations
    run.happen(ev.TrialFoundHopeless(at=3.0, lease=command.lease, reason="stopped"))
    (settled,) = [one for one in events_of(run) if one["event"] == "TrialSettled"]
    assert (settled["state"], settled.get("objectives")) == ("failed", None)


def test_of_one_objective_no_key_is_of_several(tmp_path: Path) -> None:
    run = traded_off((1.0, 1.0), spec_text=HEATED)
    assert {"front", "trade_offs", "ranges"}.isdisjoint(status(run, tmp_path))
    events = events_of(run)
    assert not any({"front", "objectives"} & set(event) for event in events)
    assert events[-1]["best"]["trial"] == 1


def test_the_front_as_csv_is_a_file_of_known_results(tmp_path: Path) -> None:
    read = followed(traded_off(*WINGS), tmp_path)
    text = front_rows(read).written("csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["trial"], row["drag"], row["lift"]) for row in rows] == [
        ("3", "1.0", "2.0"),
        ("6", "2.0", "2.5"),
        ("2", "3.0", "3.0"),
    ]
    (tmp_path / "known.csv").write_text(text)
    results, _ = read_added_results(read.spec, [tmp_path / "known.csv"], [])
    assert [(known.value, known.outcomes["lift"]) for known in results] == [
        (1.0, 2.0),
        (2.0, 2.5),
        (3.0, 3.0),
    ]
