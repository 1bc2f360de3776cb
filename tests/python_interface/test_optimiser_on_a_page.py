"""What an Optimiser found, as a notebook shows it and as a page of its own."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from orchestrator import Optimiser, minimise
from orchestrator.errors import StoreError, UsageError

PARAMETERS = {"x": (0.0, 1.0), "of": {"type": "choice", "values": ["<b>", max, "caf\udce9"]}}


def bowl(parameters: dict[str, Any]) -> float:
    return float((parameters["x"] - 0.3) ** 2)


def test_a_notebook_shows_the_best_point_and_how_it_came_to_that() -> None:
    found = minimise(bowl, PARAMETERS, 8, algorithm="sobol")
    shown = found._repr_html_()
    assert shown is not None
    assert f"The best point: trial {found.best().trial}" in shown
    for part in (
        "8 trials, from Python",
        "The best so far",
        "<svg",
        "<details>",
        "every trial of the budget",
    ):
        assert part in shown
    assert "<script" not in shown
    assert "<b>," not in shown


def test_what_has_trials_under_way_or_nothing_yet_is_shown_too() -> None:
    optimiser = Optimiser(PARAMETERS, algorithm="random")
    assert "none yet" in (optimiser._repr_html_() or "")
    optimiser.ask(2)
    assert "2 trials running" in (optimiser._repr_html_() or "")
    again = pickle.loads(pickle.dumps(optimiser))
    assert "2 trials running" in (again._repr_html_() or "")


def test_of_several_objectives_it_is_the_trade_offs() -> None:
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="sobol", objectives={"cost": "minimise"})
    for asked in optimiser.ask(4):
        optimiser.tell(asked.trial, asked.parameters["x"], outcomes={"cost": asked.parameters["x"]})
    assert "4 trade-offs" in (optimiser._repr_html_() or "")


def test_its_page_is_that_of_a_run(tmp_path: Path) -> None:
    found = minimise(bowl, PARAMETERS, 4, algorithm="sobol")
    path = found.report(tmp_path / "search.html")
    page = path.read_text()
    assert page.startswith("<!doctype html>")
    assert "Where the values lie" in page
    assert "&lt;b&gt;" in page
    with pytest.raises(UsageError, match="name another file"):
        found.report(tmp_path / "nowhere" / "search.html")
    with pytest.raises(UsageError, match="path of a page"):
        found.report(3)  # type: ignore[arg-type]


def test_a_problem_that_no_spec_can_say_is_shown_by_its_repr() -> None:
    odd = Optimiser({'a "quoted" name': (0.0, 1.0)}, algorithm="random")
    assert odd._repr_html_() is None
    assert repr(odd).startswith("<Optimiser")
    with pytest.raises(StoreError, match=r"which no spec can: expected names .* `best\(\)`"):
        odd.report("search.html")
