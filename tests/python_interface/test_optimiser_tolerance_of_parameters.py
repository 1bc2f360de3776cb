"""Parameters that are met only within a tolerance, from Python."""

from __future__ import annotations

import pickle

import pytest

from orchestrator import Optimiser, minimise
from orchestrator.errors import SpecError, UsageError

SPAN = {"type": "float", "bounds": (1, 20), "tolerance": 0.5}


def test_a_search_is_for_what_is_best_on_average_and_its_tolerances_are_those_asked_about() -> None:
    found = minimise(
        lambda p: (p["span"] - 7.0) ** 2, {"span": SPAN}, 8, noise=0, options={"start_points": 5}
    )
    believed = found.insight().believed_best
    assert believed is not None
    assert believed.predicted.mean == pytest.approx(0.5**2 / 3.0, abs=0.02)
    assert found.tolerance() == found.tolerance({"span": 0.5})
    assert found.best().value < 0.01


def test_a_pickled_space_keeps_them() -> None:
    optimiser = Optimiser({"span": SPAN, "speed": (0.0, 1.0)})
    space = pickle.loads(pickle.dumps(optimiser._space))
    assert dict(space.tolerances) == {"span": 0.5}


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (SPAN | {"tolerance": -1}, "a number above 0, by how much"),
        (SPAN | {"tolerance": 30}, "less than the 19 that its bounds"),
        ({"type": "int", "bounds": (1, 9), "tolerance": 1}, "got `tolerance`"),
        ({"type": "ordered", "values": ["low", "high"], "tolerance": 1}, "no `tolerance` of texts"),
    ],
)
def test_a_tolerance_that_makes_no_sense_is_refused(told: dict[str, object], said: str) -> None:
    with pytest.raises(SpecError, match=said):
        Optimiser({"span": told})


def test_what_is_about_values_as_set_is_refused_beside_it() -> None:
    with pytest.raises(UsageError, match="no further objectives beside `tolerance`"):
        Optimiser({"span": SPAN}, objectives={"cost": "minimise"})
    with pytest.raises(UsageError, match="no constraints on outcomes beside `tolerance`"):
        Optimiser({"span": SPAN}, outcomes=["lift"], constraints=["lift >= 1"])
    with pytest.raises(UsageError, match="beside `when`"):
        Optimiser({"n": (0, 1), "span": SPAN | {"when": "n >= 0.5"}})


def test_without_any_it_has_to_be_said_what_is_off() -> None:
    optimiser = Optimiser({"span": (1.0, 20.0)})
    with pytest.raises(UsageError, match="parameters have none of their own"):
        optimiser.tolerance()
