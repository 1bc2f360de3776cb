"""From Python: how good the best points are where settings are a little off."""

from __future__ import annotations

import math

import pytest

from orchestrator import Optimiser
from orchestrator.errors import UsageError
from orchestrator.python_interface.tolerance import AsMade, Tolerance

pytestmark = pytest.mark.usefixtures("fits_remembered")


def hill(x: float) -> float:
    """A high narrow hill at 0.2, and a lower broad one at 0.7."""
    return max(1.0 - (abs(x - 0.2) / 0.05) ** 2, 0.8 - (abs(x - 0.7) / 0.5) ** 2)


def told(optimiser: Optimiser) -> Optimiser:
    for i in range(31):
        optimiser.learn({"x": i / 30}, hill(i / 30))
    return optimiser


def test_a_narrow_hill_is_best_as_set_and_a_broad_one_where_settings_are_off() -> None:
    found = told(Optimiser({"x": (0.0, 1.0)}, goal="maximise", noise=0.0)).tolerance({"x": 0.08})
    assert found.best.parameters["x"] == pytest.approx(0.2)
    assert found.best.as_set == pytest.approx(1.0, abs=0.02)
    assert found.best.average < 0.75
    assert found.tried.parameters["x"] == pytest.approx(0.7, abs=0.04)
    assert found.anywhere.parameters["x"] == pytest.approx(0.7, abs=0.04)
    assert found.tried.poor < found.tried.average <= found.anywhere.average < 0.8
    assert found.best.satisfied == 1.0


def test_the_edge_of_what_is_allowed_is_kept_away_from() -> None:
    optimiser = Optimiser(
        {"x": (0.0, 1.0)}, goal="minimise", noise=0.0, outcomes=["heat"], constraints=["heat <= 60"]
    )
    for i in range(21):
        optimiser.learn({"x": i / 20}, 10.0 - i / 2, outcomes={"heat": 5.0 * i})
    found = optimiser.tolerance({"x": 0.05})
    assert found.best.parameters["x"] == pytest.approx(0.6)
    assert found.best.satisfied == pytest.approx(0.5, abs=0.05)
    # As near as 95 % allow, and not as safe as can be.
    assert found.anywhere.parameters["x"] == pytest.approx(0.555, abs=0.003)
    assert found.anywhere.satisfied >= 0.95


def test_what_was_looked_at_less_closely_is_learned_from_and_is_no_answer() -> None:
    optimiser = Optimiser(
        {"x": (0.0, 1.0), "mesh": {"type": "ordered", "values": [1, 4]}},
        noise=0.0,
        fidelity={"parameter": "mesh", "cost": "mesh"},
    )
    for i in range(11):
        x = i / 10
        optimiser.learn({"x": x, "mesh": 1}, 2.0 - (x - 0.6) ** 2)
        if i % 2 == 0:
            optimiser.learn({"x": x, "mesh": 4}, 1.0 - (x - 0.6) ** 2)
    found = optimiser.tolerance({"x": 0.05})
    assert {one.parameters["mesh"] for one in (found.best, found.tried, found.anywhere)} == {4}
    assert found.anywhere.parameters["x"] == pytest.approx(0.6, abs=0.02)


def test_a_point_that_failed_is_no_answer() -> None:
    optimiser = Optimiser({"x": {"type": "ordered", "values": [0, 1, 2, 3, 4, 5]}}, noise=0.0)
    for x in range(5):
        optimiser.learn({"x": x}, float(x))
    assert optimiser.tolerance({"x": 0.1}).anywhere.parameters == {"x": 5}
    optimiser.learn({"x": 5}, None)
    assert optimiser.tolerance({"x": 0.1}).anywhere.parameters == {"x": 4}


@pytest.mark.parametrize(
    ("off", "why"),
    [
        ({"x": "wide"}, "expected a number by how much `x` may be off, got 'wide'"),
        ({"x": True}, "expected a number by how much `x` may be off, got True"),
        ({"x": -1.0}, "expected a tolerance above 0 of `x`, got -1.0"),
        ({"x": 10**400}, "expected a number by how much `x` may be off, got a whole number of 401"),
        ({"z": 1.0}, "got `z`"),
        ({1: 0.5}, "expected names of parameters that may be off, as text, got 1"),
        ({}, "expected a tolerance for one parameter at least"),
        (0.5, "expected by how much parameters may be off"),
    ],
)
def test_what_is_no_tolerance_is_refused(off: object, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        told(Optimiser({"x": (0.0, 1.0)})).tolerance(off)  # type: ignore[arg-type]


def test_of_too_little_or_too_much_nothing_can_be_said() -> None:
    with pytest.raises(UsageError, match=r"expected 4 results with a value or more, .* got 0"):
        Optimiser({"x": (0.0, 1.0)}).tolerance({"x": 0.1})
    broken = Optimiser({"x": (0.0, 1.0)}, outcomes=["heat"], constraints=["heat <= 1"])
    for i in range(6):
        broken.learn({"x": i / 6}, 1.0, outcomes={"heat": 5.0})
    with pytest.raises(UsageError, match="got 6, of which 0 may"):
        broken.tolerance({"x": 0.1})
    rarely = Optimiser({"x": (0.0, 1.0)}, outcomes=["heat"], constraints=["heat <= 1"])
    for i in range(6):
        rarely.learn({"x": i / 6}, 1.0, outcomes={"heat": 0.5} if i < 3 else {})
    with pytest.raises(UsageError, match="expected 4 results with `heat` or more, got 3"):
        rarely.tolerance({"x": 0.1})
    with pytest.raises(UsageError, match="expected one objective, got several"):
        Optimiser({"x": (0.0, 1.0)}, objectives={"lift": "maximise"}).tolerance({"x": 0.1})


def test_values_beyond_arithmetic_count_as_the_largest_there_are() -> None:
    optimiser = Optimiser({"x": (0.0, 1.0)}, noise=0.0)
    for i in range(6):
        optimiser.learn({"x": i / 5}, 1e308 if i % 2 else -1e308)
    found = optimiser.tolerance({"x": 0.2})
    assert math.isfinite(found.best.average)
    assert math.isfinite(found.best.poor)


def test_shown_it_is_a_table() -> None:
    sharp = AsMade({"span": 2.00000001, "skin": "foam"}, 1.25, 0.51234567, 0.25, 0.5)
    broad = AsMade({"span": 2.5, "skin": "foam"}, 1.0, 0.875, 0.75, 0.96)
    assert repr(Tolerance(sharp, broad, broad)).splitlines() == [
        "               as set      average         poor  satisfied  succeeds",
        "best             1.25      0.51235         0.25     50.0 %   100.0 %",
        "tried               1        0.875         0.75     96.0 %   100.0 %",
        "anywhere            1        0.875         0.75     96.0 %   100.0 %",
        "best: span 2, skin foam",
        "tried: span 2.5, skin foam",
        "anywhere: span 2.5, skin foam",
    ]
