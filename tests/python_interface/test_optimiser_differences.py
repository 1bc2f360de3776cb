"""From Python: by how much points are believed to be better than another."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from orchestrator import Optimiser
from orchestrator.errors import UsageError

pytestmark = pytest.mark.usefixtures("fits_remembered", "stretched_to_twice")

PLANE = {"x": (0.0, 1.0), "y": (0.0, 4.0)}
TODAY = {"x": 0.8, "y": 3.0}


def bowl(x: float, y: float) -> float:
    return 10.0 + 4.0 * (x - 0.3) ** 2 + 0.5 * (y - 1.0) ** 2


def told(optimiser: Optimiser) -> Optimiser:
    for i in range(25):
        x, y = (i % 5) / 4, float(i // 5)
        known = {name: value for name, value in {"heat": 100.0 * x}.items() if name in optimiser.outcomes}
        optimiser.learn({"x": x, "y": y}, bowl(x, y), outcomes=known)
    return optimiser


@pytest.fixture(scope="module")
def bowled() -> Optimiser:
    """Told of a bowl, the best of which is at x = 0.25, y = 1."""
    return told(Optimiser(PLANE, goal="minimise", noise=0.0))


def test_a_point_is_held_against_another_and_what_it_leaves_out_is_as_in_the_best(bowled: Optimiser) -> None:
    (one,) = bowled.compare(bowled.best().parameters, TODAY)
    assert (one.parameters, one.against) == ({"x": 0.25, "y": 1.0}, TODAY)
    truth = bowl(0.25, 1.0) - bowl(0.8, 3.0)
    assert one.value.mean == pytest.approx(truth, abs=0.05)
    assert one.value.mean == pytest.approx(one.value.expected - one.value.expected_against)
    assert one.value.low < truth < one.value.high
    assert one.value.better == pytest.approx(1.0 - one.value.higher)
    assert one.value.better is not None
    assert one.value.better > 0.999
    assert one.value.share is not None
    assert one.value.share[0] == pytest.approx(truth / bowl(0.8, 3.0), abs=0.01)
    (other,) = bowled.compare({"x": np.float64(0.8)}, {"y": 3})
    assert (other.parameters, other.against) == ({"x": 0.8, "y": 1.0}, {"x": 0.25, "y": 3.0})


def test_several_points_are_told_in_their_order_and_shown_in_rows(bowled: Optimiser) -> None:
    found = bowled.compare([{"x": 0.3, "y": 1.0}, {"x": 1.0, "y": 4.0}], TODAY)
    assert [one.parameters["x"] for one in found] == [0.3, 1.0]
    assert [round(one.value.better or 0.0) for one in found] == [1, 0]
    row = found[0].row()
    assert list(row) == [
        *("value_difference", "value_deviation", "value_low", "value_high"),
        *("value_higher", "value_better", "value_share", "x", "y"),
    ]
    assert "better with 99.9" in repr(found[0])
    assert "against" in repr(found[0])
    assert bowled.compare([], TODAY) == []


def test_outcomes_and_further_objectives_are_told_beside_the_value() -> None:
    optimiser = told(
        Optimiser(PLANE, goal="minimise", noise=0.0, outcomes=["heat"], constraints=["heat <= 60"], seed=2)
    )
    (one,) = optimiser.compare({"x": 0.25, "y": 1.0}, TODAY)
    assert one.outcomes["heat"].mean == pytest.approx(-55.0, abs=2.0)
    assert (one.outcomes["heat"].better, one.outcomes["heat"].higher < 0.01) == (None, True)
    (heat,) = optimiser.compare({"x": 0.25, "y": 1.0}, TODAY, outcome="heat")
    assert heat.value.mean == one.outcomes["heat"].mean
    assert heat.value.better is None


def test_of_several_objectives_each_has_its_own_goal() -> None:
    optimiser = Optimiser(PLANE, goal="minimise", objectives={"heat": "maximise"}, noise=0.0)
    (one,) = told(optimiser).compare({"x": 0.25, "y": 1.0}, {"x": 0.75, "y": 1.0})
    assert one.value.better is not None
    assert one.value.better > 0.99
    assert one.outcomes["heat"].better is not None
    assert one.outcomes["heat"].better < 0.01


def test_with_tolerances_it_is_averages_that_are_compared() -> None:
    tolerant = {"x": {"type": "float", "bounds": (0.0, 1.0), "tolerance": 0.3}, "y": (0.0, 4.0)}
    optimiser = told(Optimiser(tolerant, goal="minimise", noise=0.0))
    (one,) = optimiser.compare({"x": 0.5, "y": 1.0}, {"x": 0.5, "y": 1.0})
    # As set it is 10.16; what is off by up to 0.3 adds 4 times 0.03 on average.
    assert one.value.expected == pytest.approx(10.28, abs=0.03)
    assert (one.value.mean, one.value.better) == (0.0, 0.5)


def test_what_is_no_point_is_refused(bowled: Optimiser) -> None:
    with pytest.raises(UsageError, match="expected one point to compare with"):
        bowled.compare(TODAY, [TODAY])  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="expected a number in"):
        bowled.compare({"x": 2.0}, TODAY)
    with pytest.raises(UsageError, match="`z`"):
        bowled.compare(TODAY, {"z": 2.0})
    with pytest.raises(UsageError, match="heat"):
        bowled.compare(TODAY, TODAY, outcome="heat")
    few = Optimiser(PLANE)
    few.learn(TODAY, 3.0)
    with pytest.raises(UsageError, match="4 results"):
        few.compare(TODAY, TODAY)


def test_the_same_is_said_of_it_by_another_that_was_pickled(bowled: Optimiser) -> None:
    again = pickle.loads(pickle.dumps(bowled))
    assert again.compare({"x": 0.3}, TODAY) == bowled.compare({"x": 0.3}, TODAY)
