"""Results of related experiments, as callers of Python have them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from orchestrator import Optimiser
from orchestrator.errors import OrchestratorError, StoreError

PARAMETERS = {"x": (0.0, 1.0), "y": (0.0, 1.0)}
OLD = [{"x": i / 10, "y": (7 * i % 10) / 10, "value": abs(i - 7) + 2.0} for i in range(10)]
COLUMNS = {name: [row[name] for row in OLD] for name in ("x", "y", "value")}


def first(**told: Any) -> dict[str, Any]:
    (asked,) = Optimiser(PARAMETERS, goal="minimise", **told).ask()
    return dict(asked.parameters)


def test_the_best_of_a_related_experiment_is_tried_first_however_its_results_come() -> None:
    best = {"x": pytest.approx(0.7), "y": pytest.approx(0.9)}
    assert first(related=OLD) == best
    assert first(related=COLUMNS) == best
    assert first(related=[OLD]) == best
    assert first(related=[COLUMNS, OLD]) == best


def test_the_results_of_another_search_are_such() -> None:
    other = Optimiser({"x": (0.0, 2.0)}, goal="minimise")
    other.learn({"x": 0.25}, 1.0)
    other.learn({"x": 0.5}, 0.5)
    other.learn({"x": 1.5}, 0.1)
    other.learn({"x": 0.6}, None)
    with pytest.warns(RuntimeWarning, match="2 of 4 results .* 1 without a value, 1 outside"):
        assert first(related=other.results())["x"] == pytest.approx(0.5)


def test_what_is_left_out_is_said_at_the_line_of_whoever_tells_it() -> None:
    told = [*OLD, {"x": 7.0, "y": 0.5, "value": 1.0}]
    with pytest.warns(RuntimeWarning, match="1 outside") as warned:
        Optimiser(PARAMETERS, related=told)
    with pytest.warns(RuntimeWarning, match="1 outside") as warned_of_several:
        Optimiser(PARAMETERS, related=[OLD, told])
    assert {one.filename for one in (*warned, *warned_of_several)} == {__file__}


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ([{"a": 1, "value": 2}], "a column for at least one of the parameters"),
        ([{"x": 1.0, "worth": 2}], "a column `value`"),
        ([OLD[0]], "at least 2 results"),
        ([OLD] * 5, "at most 4 related experiments, got 5"),
        ("old.csv", "as a list of mappings, got 'old.csv'"),
    ],
)
def test_what_is_no_related_experiment_is_refused(told: Any, said: str) -> None:
    with pytest.raises(OrchestratorError, match=said):
        Optimiser(PARAMETERS, related=told)


def test_it_is_refused_beside_what_it_is_at_odds_with_in_the_words_of_a_spec() -> None:
    with pytest.raises(OrchestratorError, match="beside `related`"):
        Optimiser(PARAMETERS, related=OLD, objectives={"heat": "minimise"})
    with pytest.raises(OrchestratorError, match="that learns from related experiments"):
        Optimiser(PARAMETERS, related=OLD, algorithm="gp-ei")


def test_a_file_knows_related_experiments_again(tmp_path: Path) -> None:
    store = tmp_path / "search.jsonl"
    Optimiser(PARAMETERS, related=OLD, store=store).close()
    with pytest.raises(StoreError, match="`related`"):
        Optimiser(PARAMETERS, related=OLD[:-1], store=store)
    Optimiser(PARAMETERS, related=COLUMNS, store=store).close()
