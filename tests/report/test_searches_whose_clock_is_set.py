"""The clock of a machine is set while a program searches: no duration of its search shows it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from orchestrator import Optimiser
from orchestrator.report.searches.kept_search import KeptSearch
from orchestrator.scheduler.events import ResultArrived
from orchestrator.search_files.events import AskedFor, Opened, TrialsAsked, TrialTold
from orchestrator.search_files.file import StoreFile

DAY_S = 86_400.0


def searching(store: Path) -> Optimiser:
    return Optimiser({"x": (0.0, 1.0)}, goal="minimise", algorithm="random", store=store)


def one_more(optimiser: Optimiser) -> None:
    (asked,) = optimiser.ask()
    optimiser.tell(asked.trial, asked.parameters["x"])


def set_by(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    as_it_was = time.time
    monkeypatch.setattr(time, "time", lambda: as_it_was() + seconds)


@pytest.mark.parametrize("seconds", [DAY_S, -DAY_S], ids=["ahead", "back"])
def test_it_has_not_gone_on_for_a_day(
    tmp_path: Path, told: Callable[..., str], monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    store = tmp_path / "search.jsonl"
    optimiser = searching(store)
    one_more(optimiser)
    set_by(seconds, monkeypatch)
    one_more(optimiser)
    optimiser.ask()
    # By the clock that was set.
    os.utime(store, (time.time(),) * 2)
    status = json.loads(told("status", store, "--format", "json"))
    assert 0.0 <= status["elapsed_s"] < 600.0
    optimiser.close()
    settled = [event.at for event in KeptSearch.open(store).run_events() if isinstance(event, ResultArrived)]
    # In milliseconds: both results may come within one.
    assert settled[0] <= settled[1] < 600.0


def test_time_goes_on_in_one_that_an_earlier_version_wrote_while_the_clock_was_set_back(
    tmp_path: Path,
) -> None:
    store = tmp_path / "search.jsonl"
    searching(store).close()
    problem = KeptSearch.open(store).problem
    began = 1_000_000_000.0
    store.unlink()
    with_times = (began + 10.0, began + 20.0 - DAY_S, began + 25.0 - DAY_S)
    file = StoreFile(store, problem, Opened("2001-09-09T01:46:40+00:00", "here", 1))
    for trial, at in enumerate(with_times, 1):
        file.write(TrialsAsked([AskedFor(trial, {"x": 0.5})], at=at), TrialTold(trial, 0.5, at=at))
    file.close()
    settled = [event.at for event in KeptSearch.open(store).run_events() if isinstance(event, ResultArrived)]
    assert settled == [10.0, 10.0, 15.0]
