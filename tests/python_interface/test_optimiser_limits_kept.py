"""Limits that every trial is to keep, from Python: a safe beginning, searches in one call, files."""

from __future__ import annotations

from pathlib import Path

import pytest

from orchestrator.cli import main
from orchestrator.errors import SpecError, UsageError
from orchestrator.python_interface.optimiser import Optimiser
from orchestrator.python_interface.search import minimise

SPACE = {"x": (0.0, 5.0), "y": (0.0, 2.0)}
KEPT = "probability(heat <= 40) >= 0.99"


def oven(**more: object) -> Optimiser:
    said = {"goal": "minimise", "noise": 0, "outcomes": ["heat"], "constraints": [KEPT]} | more
    return Optimiser(SPACE, **said)  # type: ignore[arg-type]


def evaluated(parameters: dict) -> dict[str, float]:
    x, y = parameters["x"], parameters["y"]
    return {"value": (x - 3.0) ** 2 + (y - 1.0) ** 2, "heat": 10.0 * x + 20.0 * y * y}


def begun(**more: object) -> Optimiser:
    optimiser = oven(**more)
    known = {"x": 1.0, "y": 0.5}
    result = evaluated(known)
    optimiser.learn(known, result["value"], outcomes={"heat": result["heat"]})
    return optimiser


def test_without_a_safe_beginning_nothing_is_asked_for_and_it_says_what_to_do() -> None:
    optimiser = oven()
    sentence = "no point is known to be sure enough to keep `heat <= 40`: learn a result that did first"
    with pytest.raises(UsageError, match=sentence):
        optimiser.ask()
    with pytest.raises(UsageError, match="learn a result that did first"):
        minimise(evaluated, optimiser, 3)
    attached = optimiser.attach({"x": 1.0, "y": 0.5})
    with pytest.raises(UsageError, match="abandon or tell what is pending first"):
        optimiser.ask()
    optimiser.tell(attached.trial, 4.25, outcomes={"heat": 15.0})
    (asked,) = optimiser.ask()
    assert asked.why["kept"][0] >= 0.99


def test_a_search_goes_on_from_what_is_known_and_keeps_the_limit() -> None:
    optimiser = minimise(evaluated, begun(), 5)
    assert [one["heat"] <= 40.0 for one in optimiser.results()] == [True] * 6
    best = optimiser.best()
    assert best is not None
    assert best.value < 4.0


def test_a_file_goes_on_with_the_same_trials(tmp_path: Path) -> None:
    path = tmp_path / "search.jsonl"
    one, other = begun(store=path), begun()
    for optimiser in (one, other):
        (asked,) = optimiser.ask()
        result = evaluated(dict(asked.parameters))
        optimiser.tell(asked.trial, result["value"], outcomes={"heat": result["heat"]})
    one.close()
    again = oven(store=path)
    assert again.ask()[0] == other.ask()[0]
    again.close()


def test_a_file_goes_on_that_was_asked_before_anything_was_known_to_be_safe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "search.jsonl"
    one, other = oven(store=path), oven()
    for optimiser in (one, other):
        with pytest.raises(UsageError, match="learn a result that did first"):
            optimiser.ask()
        optimiser.learn({"x": 1.0, "y": 0.5}, 4.25, outcomes={"heat": 15.0})
    one.close()
    again = oven(store=path)
    assert again.ask() == other.ask()
    again.close()
    assert main(["status", str(path)]) == 0
    assert "1 waiting" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"algorithm": "gp-ei"}, "expected an algorithm that keeps limits on outcomes in every trial"),
        ({"objectives": {"lift": "maximise"}}, "expected no further objectives beside limits kept"),
        ({"factors": [["x"], ["y"]]}, "expected no `factors` beside limits kept in every trial"),
        ({"constraints": ["probability(x <= 4) >= 0.9"]}, "expected an outcome within `probability`"),
    ],
)
def test_what_cannot_be_is_refused_as_in_a_spec(said: dict, sentence: str) -> None:
    with pytest.raises((SpecError, UsageError), match=sentence):
        oven(**said)


def test_of_candidates_none_is_asked_for_that_is_not_sure_and_that_is_said() -> None:
    optimiser = Optimiser(
        {},
        candidates=[{"x": 0.0}, {"x": 0.1}, {"x": 9.0}],
        outcomes=["heat"],
        constraints=["probability(heat <= 80) >= 0.99"],
        noise=0,
    )
    with pytest.raises(UsageError, match="no point is known to be sure enough to keep `heat <= 80`"):
        optimiser.ask()
    optimiser.learn({"x": 0.0}, 1.0, outcomes={"heat": 20.0})
    (asked,) = optimiser.ask()
    assert asked.parameters == {"x": 0.1}
    optimiser.tell(asked.trial, 1.1, outcomes={"heat": 79.0})
    with pytest.raises(UsageError, match="no point is known to be sure enough to keep `heat <= 80`"):
        optimiser.ask()


def test_once_every_candidate_is_known_none_is_asked_for_again() -> None:
    rows = [{"x": 0.0}, {"x": 0.1}, {"x": 0.2}]
    optimiser = Optimiser(
        {}, candidates=rows, outcomes=["heat"], constraints=["probability(heat <= 80) >= 0.9"]
    )
    for row in rows:
        optimiser.learn(row, 1.0 + row["x"], outcomes={"heat": 20.0 + row["x"]})
    with pytest.raises(UsageError, match="expected candidates that are not tried yet, got none"):
        optimiser.ask()
