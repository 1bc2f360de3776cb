"""From Python, where a value crosses a threshold: what is asked, believed, predicted, kept and refused."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from orchestrator import Optimiser, maximise
from orchestrator.errors import OrchestratorError, UsageError

PARAMETERS: dict[str, Any] = {"x": (0.0, 1.0), "n": {"type": "int", "bounds": (1, 4)}}
OPTIONS = {"start_points": 5, "refit_every": 5}


def value(parameters: dict[str, Any]) -> float:
    """Above 1 in three eighths of the domain."""
    return float(parameters["x"] * parameters["n"])


def told(count: int, **settings: Any) -> Optimiser:
    optimiser = Optimiser(PARAMETERS, threshold=1.0, noise=0, seed=3, options=OPTIONS, **settings)
    for _ in range(count):
        (asked,) = optimiser.ask()
        optimiser.tell(asked.trial, value(asked.parameters))
    return optimiser


@pytest.fixture(scope="module")
def searched() -> Optimiser:
    return told(12)


def test_the_share_above_is_told_with_bounds(searched: Optimiser) -> None:
    found = searched.insight().crossing
    assert found is not None
    truth = (0.5 + 2 / 3 + 3 / 4 + 0.0) / 4
    assert abs(found.above - truth) < 0.03
    assert found.low <= found.above <= found.high
    assert repr(searched).startswith("<Optimiser: above 1 over 2 parameters by auto; 12 results told")


def test_points_are_predicted_with_their_chance_to_be_above(searched: Optimiser) -> None:
    above, below = searched.predict([{"x": 0.95, "n": 4}, {"x": 0.1, "n": 2}])
    assert above.above is not None
    assert above.above > 0.99
    assert below.above is not None
    assert below.above < 0.01
    assert above.row()["above"] == above.above
    assert "above 1" in repr(above)


def test_no_result_is_the_best(searched: Optimiser) -> None:
    with pytest.raises(UsageError, match="no point is the best; insight"):
        searched.best()
    with pytest.raises(UsageError, match=r"no `recommend\(\)` beside .* no point is the best; insight"):
        searched.recommend()


def test_a_pickled_one_and_one_in_a_file_go_on_as_this_one_would(tmp_path: Path) -> None:
    kept = told(7, store=tmp_path / "search.jsonl")
    copy = pickle.loads(pickle.dumps(kept))
    kept.close()
    again = told(0, store=tmp_path / "search.jsonl")
    assert again.ask()[0].parameters == copy.ask()[0].parameters
    with pytest.raises(OrchestratorError, match="threshold"):
        Optimiser(PARAMETERS, noise=0, seed=3, options=OPTIONS, store=tmp_path / "search.jsonl")


def test_its_page_says_what_is_believed(searched: Optimiser, tmp_path: Path) -> None:
    page = searched.report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "of the domain lies above 1" in page


def test_what_is_true_in_numpy_is_no_threshold_either() -> None:
    with pytest.raises(UsageError, match="expected as `threshold` a finite number"):
        Optimiser({"x": (0.0, 1.0)}, threshold=np.True_)


def test_a_whole_search_is_made_of_one_that_is_handed_over() -> None:
    found = maximise(value, Optimiser(PARAMETERS, threshold=1.0, noise=0, options=OPTIONS), 6)
    assert found.told == 6
    with pytest.raises(UsageError, match="hand over an Optimiser that is told it"):
        maximise(value, PARAMETERS, 6, threshold=1.0)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"goal": "minimise"}, "expected no goal beside `threshold`, got `minimise`"),
        ({"threshold": "hot"}, "expected as `threshold` a finite number, got 'hot'"),
        ({"threshold": float("nan")}, "expected as `threshold` a finite number, got nan"),
        ({"threshold": True}, "expected as `threshold` a finite number, got True"),
        ({"outcomes": ["heat"], "constraints": ["heat < 3"]}, "expected no constraints on outcomes beside"),
        ({"algorithm": "sobol"}, "expected an algorithm that looks for where values cross a threshold"),
    ],
)
def test_what_makes_no_sense_is_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(OrchestratorError, match=words):
        Optimiser(PARAMETERS, **({"threshold": 1.0} | settings))
