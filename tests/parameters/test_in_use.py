"""How parameters vary in use, as points of the unit cube: averages over these are those of what was said."""

from __future__ import annotations

import math

import numpy as np
import pytest

from orchestrator.errors import SpecError
from orchestrator.parameters.in_use import conditions_in_use
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.conditions_in_use import ConditionsInUse
from orchestrator.values.over import Over

WIND = {"type": "float", "bounds": [0, 20], "in_use": {"mean": 8, "deviation": 3}}


def of(**parameters: object) -> tuple[Space, ConditionsInUse]:
    space = Space.from_description({"x": (0.0, 1.0), **parameters})
    found = conditions_in_use(space, Over())
    assert found is not None
    return space, found


def numbers(space: Space, found: ConditionsInUse, name: str) -> np.ndarray:
    column = found.coordinates.index(space.index(name))
    parameter = space.parameters[space.index(name)]
    return np.array([parameter.decode(float(x)) for x in found.points[:, column]])


def test_a_normal_one_has_its_mean_its_deviation_and_its_bounds() -> None:
    space, found = of(wind=WIND)
    wind = numbers(space, found, "wind")
    assert len(wind) == 32
    assert found.weights @ wind == pytest.approx(8.0, abs=0.05)
    assert math.sqrt(found.weights @ (wind - 8.0) ** 2) == pytest.approx(3.0, abs=0.15)
    assert 0.0 <= wind.min() < 2.5
    assert 13.5 < wind.max() <= 20.0


def test_an_average_is_that_of_brute_force() -> None:
    """Of a smooth function of two conditions, one cut by its bounds, over many draws of them."""
    space, found = of(wind=WIND, load={"type": "float", "bounds": [1, 5], "in_use": "evenly"})
    assert len(found.points) == 64
    rng = np.random.default_rng(0)
    wind = 8.0 + 3.0 * rng.standard_normal(200_000)
    wind = wind[(wind >= 0.0) & (wind <= 20.0)][:100_000]
    load = rng.uniform(1.0, 5.0, 100_000)

    def value(wind: np.ndarray, load: np.ndarray) -> np.ndarray:
        return np.asarray(np.sin(wind / 4.0) * load + 0.1 * wind)

    own = found.weights @ value(numbers(space, found, "wind"), numbers(space, found, "load"))
    assert own == pytest.approx(value(wind, load).mean(), abs=0.05)


def test_what_is_listed_is_all_there_with_its_chances() -> None:
    space, found = of(
        air={"type": "choice", "values": ["clean", "icy", "wet"], "in_use": {"chances": [0.7, 0.3, 0.0]}},
        load={"type": "ordered", "values": [1, 2, 5], "in_use": "evenly"},
        crew={"type": "int", "bounds": [1, 3], "in_use": {"mean": 2, "deviation": 0.6}},
    )
    assert len(found.points) == 2 * 3 * 3
    assert found.weights.sum() == pytest.approx(1.0)
    assert found.weights @ (numbers(space, found, "air") == "icy") == pytest.approx(0.3)
    assert found.weights @ numbers(space, found, "load") == pytest.approx(8.0 / 3.0)
    crew = numbers(space, found, "crew")
    assert found.weights @ (crew == 2) > 2.0 * (found.weights @ (crew == 1))
    assert found.weights @ crew == pytest.approx(2.0)


def test_what_is_recorded_comes_up_together() -> None:
    space, found = of(
        wind={"type": "float", "bounds": [0, 20], "in_use": {"recorded": [3.0, 9.0, 9.0, 15.0]}},
        rain={"type": "float", "bounds": [0, 9], "in_use": {"recorded": [0.0, 1.0, 1.0, 7.0]}},
    )
    wind, rain = numbers(space, found, "wind"), numbers(space, found, "rain")
    told = np.array(sorted(zip(wind, rain, found.weights, strict=True)))
    assert told == pytest.approx(np.array([[3.0, 0.0, 0.25], [9.0, 1.0, 0.5], [15.0, 7.0, 0.25]]))


def test_trials_before_a_model_are_of_conditions_as_often_as_in_use() -> None:
    _, found = of(air={"type": "choice", "values": ["clean", "icy"], "in_use": {"chances": [0.75, 0.25]}})
    first = [tuple(found.of_trial(trial)) for trial in range(160)]
    counts = sorted(first.count(place) for place in set(first))
    assert counts == pytest.approx([40, 120], abs=2)


def test_designs_are_as_usual_in_their_conditions_and_each_is_laid_out_in_all() -> None:
    space, found = of(wind=WIND)
    designs = found.designs(space.domain).sample(3, np.random.default_rng(0))
    assert (designs[:, 1] == found.usual[0]).all()
    laid_out = found.at(designs).reshape(3, 32, 2)
    assert (laid_out[:, :, 0] == designs[:, :1]).all()
    assert (laid_out[:, :, 1] == found.points[:, 0]).all()
    assert (found.as_designs(laid_out[:, 5]) == designs).all()


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"type": "float", "bounds": [0, 20], "in_use": "often"}, "how it varies in use, as `evenly`"),
        ({"type": "float", "bounds": [0, 20], "in_use": {"chances": [0.5, 0.5]}}, "no `chances`"),
        ({"type": "float", "bounds": [0, 20], "in_use": {"mean": 80, "deviation": 3}}, "bounds that hold"),
        ({"type": "float", "bounds": [0, 20], "in_use": {"mean": 8, "deviation": 0}}, "above 0"),
        ({"type": "float", "bounds": [0, 20], "in_use": {"recorded": [3, 21]}}, "within the bounds"),
        ({"type": "choice", "values": ["a", "b"], "in_use": {"mean": 8, "deviation": 3}}, "say `chances`"),
        ({"type": "choice", "values": ["a", "b"], "in_use": {"chances": [0.5, 0.6]}}, "add up to 1"),
        ({"type": "choice", "values": ["a", "b"], "in_use": {"chances": [0.2, 0.3, 0.5]}}, "as many chances"),
        ({"type": "choice", "values": ["a", "b"], "in_use": {"recorded": ["a", "c"]}}, "among its values"),
    ],
)
def test_what_cannot_be_is_said(told: object, words: str) -> None:
    with pytest.raises(SpecError, match="in_use") as refused:
        of(wind=told)
    assert words in str(refused.value)


def test_of_a_long_record_every_hour_of_the_day_is_among_those_that_stand_for_it() -> None:
    """32 days, a row an hour: in its order every 24th row is of the same hour."""
    hours = np.arange(32 * 24) % 24
    sun, wind = np.maximum(0.0, np.sin(np.pi * (hours - 6) / 12)), 4.0 + (hours * 7) % 24 / 3.0
    space = Space.from_description(
        {
            "tilt": (0.0, 90.0),
            "sun": {"type": "float", "bounds": [0, 1], "in_use": {"recorded": sun.tolist()}},
            "wind": {"type": "float", "bounds": [0, 20], "in_use": {"recorded": wind.tolist()}},
        }
    )
    found = conditions_in_use(space, Over())
    assert found is not None
    decoded = found.points * [1.0, 20.0]
    assert found.weights @ decoded == pytest.approx([sun.mean(), wind.mean()], abs=0.15)
    recorded = set(zip(sun.round(9).tolist(), wind.round(9).tolist(), strict=True))
    assert {(a, b) for a, b in decoded.round(9).tolist()} <= recorded
