"""A search from Python in which people compare trials answers the commands that such a run answers."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from orchestrator import Preferences
from orchestrator.cli import main

COFFEE = {
    "dose": {"type": "float", "bounds": [14, 22], "step": 0.5},
    "milk": {"type": "choice", "values": [None, "oat", (1, 2)]},
    "beans": {"type": "fixed", "value": "arabica"},
}
Told = Callable[..., str]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "coffees.jsonl"


def tasted(store: Path) -> Preferences:
    """Six were asked for: 2 is better than 1, which is like 3; 4 was spilt, 5 left alone, 6 waits."""
    coffees = Preferences(COFFEE, constraints=["dose <= 20"], store=store)
    coffees.ask(3)
    coffees.prefer(2, over=1)
    coffees.close()
    coffees = Preferences(COFFEE, constraints=["dose <= 20"], store=store)
    # It was asked for on the day before, and is handed out again.
    assert [one.trial for one in coffees.ask()] == [3]
    coffees.like(1, 3)
    coffees.ask(3)
    coffees.fail(4, reason="spilt over the floor")
    coffees.abandon(5)
    return coffees


def test_the_trial_that_is_preferred_is_that_which_python_tells(store: Path, told: Told) -> None:
    coffees = tasted(store)
    best = coffees.best()
    row = json.loads(told("best", store, "--format", "json"))
    assert (row["trial"], row["next_best_trial"]) == (best.trial, best.next)
    assert row["chance_better"] == pytest.approx(best.chance)
    assert row["dose"] == best.parameters["dose"]
    status = json.loads(told("status", store, "--format", "json"))
    assert (status["preferred_trial"], status["preferred_next"]) == (best.trial, best.next)
    assert (status["state"], status["completed"], status["running"]) == ("running", 3, 1)
    assert f"trial {best.trial}, better than trial {best.next}" in told("status", store)


def test_each_trial_says_how_it_compares_and_what_became_of_it(store: Path, told: Told) -> None:
    tasted(store).close()
    table = list(csv.DictReader(io.StringIO(told("export", store))))
    states = ["completed", "completed", "completed", "failed", "abandoned", "queued"]
    assert [row["state"] for row in table] == states
    assert [(row["better_than"], row["like"], row["worse_than"]) for row in table[:3]] == [
        ("", "3", "2"),
        ("1", "", ""),
        ("", "1", ""),
    ]
    assert "better than trial 1" in told("explain", store, 2)
    assert "spilt over the floor" in told("explain", store, 4)


def test_what_is_taken_back_says_nothing_and_no_command_of_a_run_is_named(store: Path, told: Told) -> None:
    coffees = tasted(store)
    coffees.take_back(1, 3)
    coffees.attach({"dose": 18, "milk": "oat"})
    coffees.prefer(7, over=2)
    best = coffees.best()
    assert best.trial == json.loads(told("best", store, "--format", "json"))["trial"] == 7
    for words in (told("status", store), told("best", store), told("explain", store, 3)):
        assert "orchestrator prefer" not in words
    assert "`prefer(3, over=7)`" in told("status", store)


def test_before_a_comparison_there_is_none(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Preferences(COFFEE, store=store).ask(2)
    assert main(["best", str(store)]) == 1
    assert "no trials are compared yet" in capsys.readouterr().err


def test_what_is_pending_is_to_be_compared_in_the_program(store: Path, told: Told) -> None:
    coffees = tasted(store)
    assert "1 trial to be compared" in told("status", store)
    coffees.ask(2)
    assert "3 trials to be compared" in told("status", store)


def test_its_page_names_the_one_that_is_preferred(store: Path, told: Told) -> None:
    coffees = tasted(store)
    page = Path(told("report", store).strip()).read_text()
    assert f"trial {coffees.best().trial}, better than trial" in page
    assert "orchestrator prefer" not in page
    assert "told: by comparison" in page


def test_files_that_do_not_say_when_something_was_compared_are_shown(store: Path, told: Told) -> None:
    tasted(store).close()
    events = [json.loads(line) for line in store.read_text().splitlines()]
    compared = [one["data"] for one in events if one["event"] in ("TrialsCompared", "TrialFailed")]
    assert all(one["at"] > 0 for one in compared)
    assert json.loads(told("status", store, "--format", "json"))["elapsed_s"] >= 0
