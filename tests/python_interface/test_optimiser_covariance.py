"""From Python, a fit whose errors hang together: an array says how."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from orchestrator import Optimiser, minimise
from orchestrator.errors import SpecError, StoreError, UsageError
from orchestrator.report.searches.kept_search import KeptSearch

BOUNDS = {"a": (0.0, 1.0), "b": (0.0, 1.0)}
FIT: dict[str, Any] = {"lift": 0.5, "curve": [0.3, 0.2]}
SHARED = np.array([[0.04, 0.03, 0.02], [0.03, 0.05, 0.02], [0.02, 0.02, 0.06]])


def optimiser(**changed: Any) -> Optimiser:
    return Optimiser(BOUNDS, **{"fit": FIT, "covariance": SHARED, "goal": "minimise", "noise": 0, **changed})


def test_a_search_is_by_the_misfit_that_it_says() -> None:
    found = minimise(
        lambda p: {"lift": p["a"], "curve": [p["b"], p["b"] ** 2]}, BOUNDS, 6, fit=FIT, covariance=SHARED
    )
    best = found.best()
    lift, curve = best.outcomes["lift"], best.outcomes["curve"]
    apart = np.array([lift, *curve]) - [0.5, 0.3, 0.2]
    assert best.value == pytest.approx(float(apart @ np.linalg.solve(SHARED, apart)))
    (told,) = found.predict(best.parameters)
    assert told.outcomes["lift"].mean == pytest.approx(lift, abs=0.05)


def test_errors_may_be_as_large_as_their_squares_are_numbers() -> None:
    with np.errstate(all="raise"):
        found = optimiser(covariance=1.7e308 * np.eye(3) + 1e308 * (np.eye(3) == 0))
    found.tell(found.ask()[0].trial, outcomes={"lift": 0.5 + 1e154, "curve": [0.3, 0.2]})
    # The first of the diagonal of the inverse, by hand.
    assert found.best().value == pytest.approx(2.7 / (1.7 * 2.7 - 2.0), rel=1e-6)


def test_a_file_keeps_it_and_another_one_is_another_search(tmp_path: Path) -> None:
    path = tmp_path / "fit.jsonl"
    first = optimiser(store=path, algorithm="random")
    (asked,) = first.ask()
    first.tell(asked.trial, outcomes={"lift": 0.6, "curve": [0.3, 0.25]})
    value = first.best().value
    first.close()
    again = optimiser(store=path, algorithm="random", covariance=SHARED.tolist())
    assert again.best().value == value
    again.close()
    assert KeptSearch.open(path).spec.objective.covariance == tuple(map(tuple, SHARED.tolist()))
    with pytest.raises(StoreError, match=r"`covariance` is another one there.*computes all values anew"):
        optimiser(store=path, algorithm="random", covariance=2.0 * SHARED)


@pytest.mark.parametrize(
    ("changed", "error", "why"),
    [
        ({"fit": None, "outcomes": ["lift"]}, UsageError, "expected `covariance` beside `fit`"),
        ({"covariance": 0.1}, UsageError, "expected `covariance` as a square of numbers"),
        (
            {"covariance": SHARED[:2, :2]},
            SpecError,
            "expected as many rows, one for each number .* 3, .* got 2",
        ),
        ({"covariance": -SHARED}, SpecError, "expected a variance above 0 of `lift`, got -0.04"),
        ({"covariance": 0.1 * np.eye(3) - 0.06}, SpecError, "expected a positive definite covariance"),
        ({"covariance": SHARED * np.nan}, SpecError, "expected a finite number of `lift`, got nan"),
        (
            {"fit": {**FIT, "lift": {"value": 0.5, "error": 0.2}}},
            SpecError,
            "expected no `error` beside a `covariance`, .* got one of `lift`",
        ),
        (
            {"fit": {"curve": [0.0] * 1200, "tail": [0.0] * 1200}, "covariance": np.eye(2)},
            SpecError,
            "expected a `covariance` of at most 2,000 numbers that are fitted, got 2,400",
        ),
    ],
)
def test_what_is_none_is_refused(changed: dict[str, Any], error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        optimiser(**changed)


def test_each_error_is_known_so_that_plausible_parameters_are() -> None:
    searched = optimiser(algorithm="posterior")
    (asked,) = searched.ask()
    assert set(asked.parameters) == {"a", "b"}
