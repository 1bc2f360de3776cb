"""From Python: what is expected at points of one's choosing."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from orchestrator import Optimiser
from orchestrator.errors import UsageError
from orchestrator.python_interface.prediction import Predicted

pytestmark = pytest.mark.usefixtures("fits_remembered", "stretched_to_twice")

PLANE = {"x": (0.0, 1.0), "y": (0.0, 4.0)}


def bowl(x: float, y: float) -> float:
    return 10.0 + 4.0 * (x - 0.3) ** 2 + 0.5 * (y - 1.0) ** 2


def told(optimiser: Optimiser) -> Optimiser:
    for i in range(25):
        x, y = (i % 5) / 4, float(i // 5)
        outcomes = {"heat": 100.0 * x, "load": x + y}
        known = {name: value for name, value in outcomes.items() if name in optimiser.outcomes}
        optimiser.learn({"x": x, "y": y}, bowl(x, y), outcomes=known)
    return optimiser


@pytest.fixture(scope="module")
def bowled() -> Optimiser:
    """Told of a bowl, the best of which is at x = 0.25, y = 1."""
    return told(Optimiser(PLANE, goal="minimise", noise=0.0))


@pytest.fixture(scope="module")
def heated() -> Optimiser:
    """The same, which grows hot to the right, and with a load that nothing is said of."""
    bounds = ["heat <= 60", "x + y <= 4.5"]
    return told(
        Optimiser(PLANE, goal="minimise", noise=0.0, outcomes=["heat", "load"], constraints=bounds, seed=2)
    )


def test_points_are_told_in_their_order_as_plain_numbers(bowled: Optimiser) -> None:
    points = [{"x": 0.6, "y": 0.5}, {"y": 3.3, "x": 0.1}, {"x": np.float64(0.3), "y": 1}]
    found = bowled.predict(points)
    assert [one.parameters for one in found] == [
        {"x": 0.6, "y": 0.5},
        {"x": 0.1, "y": 3.3},
        {"x": 0.3, "y": 1.0},
    ]
    for one in found:
        assert one.value.mean == pytest.approx(bowl(**one.parameters), abs=0.05)
        assert one.value.low < one.value.mean < one.value.high
        assert {type(number) for number in dataclasses.astuple(one.value)} == {float}
        assert (one.outcomes, one.satisfied, one.succeeds) == ({}, 1.0, 1.0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        found[0].satisfied = 0.5  # type: ignore[misc]


def test_what_a_mapping_leaves_out_is_as_in_the_best_result(bowled: Optimiser) -> None:
    (one,) = bowled.predict({"x": 0.8})
    assert one.parameters == {"x": 0.8, "y": 1.0}
    assert [one.parameters for one in bowled.predict([{"y": 2.0}, {}])] == [
        {"x": 0.25, "y": 2.0},
        {"x": 0.25, "y": 1.0},
    ]
    assert bowled.predict([]) == []


class Frame:
    """As a data frame is."""

    def __init__(self, **columns: Sequence[Any]) -> None:
        self.columns = list(columns)
        self._columns = columns

    def __getitem__(self, name: str) -> Sequence[Any]:
        return self._columns[name]


def test_what_is_computed_follows_from_what_a_mapping_says_as_well() -> None:
    optimiser = Optimiser(
        {"x": (0.0, 1.0), "y": (0.0, 1.0), "rest": {"type": "computed", "value": "2 - x - y"}}, noise=0.0
    )
    for x, y in ((0.1, 0.2), (0.4, 0.9), (0.8, 0.3), (0.6, 0.6), (0.2, 0.7)):
        optimiser.learn({"x": x, "y": y}, -bowl(x, y))
    best = optimiser.best().parameters
    (predicted,) = optimiser.predict({"x": 0.5})
    assert predicted.parameters == {"x": 0.5, "y": best["y"], "rest": pytest.approx(1.5 - best["y"])}
    with pytest.raises(UsageError, match=r"which is `2 - x - y`, got 0\.1"):
        optimiser.predict({"rest": 0.1})


def test_a_table_and_columns_tell_of_a_point_in_each_row(bowled: Optimiser) -> None:
    points = [{"x": 0.6, "y": 0.5}, {"x": 0.1, "y": 3.3}]
    expected = bowled.predict(points)
    columns = {"x": np.array([0.6, 0.1]), "note": ["a", "b"], "y": [0.5, 3.3]}
    assert bowled.predict(columns) == expected
    assert bowled.predict(Frame(**columns)) == expected
    with pytest.raises(UsageError, match="expected a column for the parameter `y`, got none"):
        bowled.predict({"x": [0.6, 0.1]})
    with pytest.raises(UsageError, match="row 1: parameter `y`: expected a value, but it is missing"):
        bowled.predict({"x": [0.6, 0.1], "y": [0.5, None]})
    with pytest.raises(UsageError, match=r"expected a column of values as `y`, got 2$"):
        bowled.predict({"x": [0.6, 0.1], "y": 2})


def test_numbers_of_a_table_that_were_rounded_are_what_they_were_as_in_a_table_of_results() -> None:
    optimiser = Optimiser(
        {"x": (0.0, 0.1), "step": {"type": "float", "bounds": [0.0, 1.0], "step": 0.125}}, noise=0.0
    )
    table = {"x": np.array([0.0, 0.05, 0.08, 0.1], dtype=np.float32), "step": [0.13, 0.25, 0.5, 0.88]}
    optimiser.learn_all({**table, "value": [0.0, 1.0, 2.0, 3.0]})
    assert [one.parameters["step"] for one in optimiser.predict(table)] == [0.125, 0.25, 0.5, 0.875]


def test_constrained_outcomes_are_told_and_how_likely_all_constraints_are_to_hold(heated: Optimiser) -> None:
    cool, edge, beyond, tied = heated.predict(
        [{"x": 0.2, "y": 1.3}, {"x": 0.6, "y": 1.3}, {"x": 0.8, "y": 1.3}, {"x": 0.55, "y": 4.0}]
    )
    assert list(cool.outcomes) == ["heat"]
    assert cool.outcomes["heat"].mean == pytest.approx(20.0, abs=0.1)
    assert cool.satisfied > 0.99
    assert 0.2 < edge.satisfied < 0.8
    assert beyond.satisfied < 0.01
    # The heat is right, but x + y is not.
    assert tied.satisfied == 0.0


def test_where_some_failed_or_were_told_a_penalty_success_is_the_less_likely_the_nearer() -> None:
    optimiser = Optimiser(PLANE, goal="minimise", noise=0.0)
    for i in range(25):
        x, y = (i % 5) / 4, float(i // 5)
        value = None if x > 0.9 else 1e9 if x > 0.7 else bowl(x, y)
        optimiser.learn({"x": x, "y": y}, value)
    chances = [one.succeeds for one in optimiser.predict([{"x": x, "y": 2.2} for x in (0.1, 0.6, 0.8, 1.0)])]
    assert chances[0] > 0.7
    assert chances[0] > chances[1] > 0.3
    assert max(chances[2:]) < 0.3


def test_another_outcome_can_be_asked_about_alone(heated: Optimiser) -> None:
    (one,) = heated.predict({"x": 0.5, "y": 2.5}, "load")
    assert one.value.mean == pytest.approx(3.0, abs=0.01)
    assert (one.outcomes, one.satisfied) == ({}, 1.0)
    with pytest.raises(UsageError, match=r"expected an outcome, one of .*; got `lode`"):
        heated.predict({"x": 0.5, "y": 2.5}, "lode")


def test_of_several_objectives_each_is_told_and_points_have_to_be_whole() -> None:
    optimiser = told(Optimiser(PLANE, goal="minimise", noise=0.0, objectives={"load": "maximise"}))
    (one,) = optimiser.predict({"x": 0.5, "y": 2.5})
    assert one.value.mean == pytest.approx(bowl(0.5, 2.5), abs=0.05)
    assert one.outcomes["load"].mean == pytest.approx(3.0, abs=0.01)
    assert one.outcomes["load"].low < one.outcomes["load"].high
    lacking = "row 0: parameter `y`: expected a value, but it is missing, and there is no best result to take"
    with pytest.raises(UsageError, match=lacking):
        optimiser.predict({"x": 0.5})
    with pytest.raises(UsageError, match=r"row 0: .* got an unknown one, `z`"):
        optimiser.predict({"z": 0.5})


def test_beside_a_fidelity_what_is_left_out_is_at_full_fidelity() -> None:
    optimiser = Optimiser(
        {"x": (0.0, 1.0), "mesh": {"type": "ordered", "values": [1, 4]}},
        noise=0.0,
        fidelity={"parameter": "mesh", "cost": "mesh"},
    )
    for i in range(11):
        optimiser.learn({"x": i / 10, "mesh": 1}, 2.0 - (i / 10 - 0.6) ** 2)
        if i % 2 == 0:
            optimiser.learn({"x": i / 10, "mesh": 4}, 1.0 - (i / 10 - 0.6) ** 2)
    full, less = optimiser.predict([{"x": 0.3}, {"x": 0.3, "mesh": 1}])
    assert full.parameters["mesh"] == 4
    assert full.value.mean == pytest.approx(0.91, abs=0.05)
    assert less.value.mean == pytest.approx(1.91, abs=0.05)


def test_where_a_parameter_does_not_count_it_is_as_an_evaluation_would_be_given_it() -> None:
    optimiser = Optimiser(
        {
            "x": (0.0, 1.0),
            "solver": {"type": "choice", "values": ["cg", "gmres"]},
            "restart": {"type": "int", "bounds": [5, 50], "when": {"solver": "gmres"}, "otherwise": 0},
        }
    )
    for i in range(8):
        optimiser.learn({"x": i / 7, "solver": "gmres", "restart": 5 + 5 * i}, 5.0 + i)
        optimiser.learn({"x": i / 7, "solver": "cg"}, 1.0)
    found = optimiser.predict([{"solver": "cg"}, {"solver": "gmres"}])
    assert [one.parameters["restart"] for one in found] == [0, 40]


@pytest.mark.parametrize(
    ("points", "why"),
    [
        ([{"x": 0.5}, {"x": 1.5}], r"row 1: parameter `x`: expected .* got 1.5"),
        ({"z": 0.5}, "row 0: expected the parameters x, y, got an unknown one, `z`"),
        ({"x": "wide"}, "row 0: parameter `x`: expected a number"),
        ([0.5, 0.2], 'row 0: expected a mapping, as {"x": 0.5}, got 0.5'),
        ("x=0.5", "expected points as a table, as columns by their names, or as a list of mappings"),
        (0.5, "expected points as a table"),
    ],
)
def test_what_is_no_point_is_refused(bowled: Optimiser, points: Any, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        bowled.predict(points)


def test_of_too_few_results_nothing_is_said() -> None:
    optimiser = Optimiser(PLANE)
    with pytest.raises(UsageError, match="expected 4 results with a value or more, got 0"):
        optimiser.predict({"x": 0.5, "y": 2.5})
    lacking = "row 0: parameter `y`: expected a value, but it is missing, and there is no best result to take"
    with pytest.raises(UsageError, match=lacking):
        optimiser.predict({"x": 0.5})


def test_the_same_is_said_again_and_nothing_is_changed_by_asking(bowled: Optimiser) -> None:
    points = {"x": 0.5, "y": 2.5}
    first: list[Predicted] = bowled.predict(points)
    assert bowled.predict(points) == first
    assert bowled.pending == ()
    assert len(bowled.results()) == 25
