"""From Python: several good results that lie at different places."""

from __future__ import annotations

import pickle

import pytest

from orchestrator import Optimiser
from orchestrator.errors import UsageError

pytestmark = pytest.mark.usefixtures("fits_remembered", "stretched_to_twice")


def height(x: float) -> float:
    """Two valleys, at -1 and, less deep, at 1."""
    return (x**2 - 1.0) ** 2 + 0.3 * x


@pytest.fixture(scope="module")
def bent() -> Optimiser:
    """Told at places that lie evenly."""
    optimiser = Optimiser({"x": (-2.0, 2.0)}, goal="minimise", noise=0.0, outcomes=["heat"])
    for i in range(17):
        x = -2.0 + i / 4
        optimiser.learn({"x": x}, height(x), outcomes={"heat": 10.0 * x})
    return optimiser


def test_each_place_has_its_best_result_the_best_first(bent: Optimiser) -> None:
    first, second = bent.best_places(5)
    assert (first.parameters, first.value, first.outcomes) == ({"x": -1.0}, height(-1.0), {"heat": -10.0})
    assert first.parameters == bent.best().parameters
    assert (first.trial, first.between) == (None, None)
    assert (second.parameters, second.value) == ({"x": 1.0}, height(1.0))
    assert second.expected == pytest.approx(height(1.0), abs=0.02)
    assert second.between == pytest.approx(1.0, abs=0.05)
    assert list(bent.best_places(1)) == [first]


def test_they_show_themselves_as_a_table_and_make_rows(bent: Optimiser) -> None:
    found = bent.best_places(2)
    assert repr(found).splitlines()[0].split() == [
        "trial",
        "value",
        "expected",
        "expected_between",
        "heat",
        "x",
    ]
    assert found.rows()[1]["x"] == 1.0
    # A copy knows the same models.
    assert list(pickle.loads(pickle.dumps(bent)).best_places(2)) == list(found)


def test_what_cannot_be_told_is_said(bent: Optimiser) -> None:
    with pytest.raises(UsageError, match="expected how many places there are to be, 1 or more, got 0"):
        bent.best_places(0)
    with pytest.raises(UsageError, match="no best place of several objectives; `front\\(\\)` has those"):
        Optimiser({"x": (0.0, 1.0)}, objectives={"lift": "maximise"}).best_places(2)
    early = Optimiser({"x": (0.0, 1.0)})
    with pytest.raises(UsageError, match="no value"):
        early.best_places(2)
    early.learn({"x": 0.5}, 1.0)
    with pytest.raises(UsageError, match="expected 4 results with a value or more, got 1"):
        early.best_places(2)
