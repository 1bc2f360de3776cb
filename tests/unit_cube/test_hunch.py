"""Where good settings are believed to lie, in the unit cube: densities, slopes, quantiles, the middle."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from orchestrator.parameters.hunches import hunch_of_points
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.by_logarithm import ByLogarithm, Scales
from orchestrator.unit_cube.hunch import WRONG, Hunch

EVENLY = (np.arange(40_000) + 0.5) / 40_000

NUMBERS: list[dict[str, Any]] = [
    {"type": "float", "bounds": [1.0, 20.0], "promising": {"mean": 3.0, "deviation": 0.5}},
    {"type": "float", "bounds": [1.0, 20.0], "scale": "log", "promising": {"mean": 3.0, "deviation": 0.5}},
    {"type": "float", "bounds": [0.01, 100.0], "promising": {"mean": 5.0, "factor": 2.0}},
    {"type": "float", "bounds": [0.0, 10.0], "promising": {"mean": 5.0, "factor": 2.0}},
    {"type": "float", "bounds": [0.01, 100.0], "scale": "log", "promising": {"mean": 5.0, "factor": 2.0}},
    {"type": "float", "bounds": [0.0, 1.0], "promising": {"mean": 1.1, "deviation": 0.1}},
    {"type": "int", "bounds": [1, 12], "promising": {"mean": 4, "deviation": 1.5}},
    {"type": "int", "bounds": [1, 100_000], "promising": {"mean": 40_000, "deviation": 3_000}},
    {"type": "float", "bounds": [1.0, 12.0], "step": 0.5, "promising": {"mean": 4, "deviation": 1.5}},
]


def hunch_of(space: Space) -> Hunch:
    hunch = hunch_of_points(space)
    assert hunch is not None
    return hunch


def of_one(told: dict[str, Any]) -> tuple[Space, Hunch]:
    space = Space.from_description({"p": told})
    return space, hunch_of(space)


@pytest.mark.parametrize("told", NUMBERS)
@pytest.mark.parametrize("scales", [Scales(), Scales((ByLogarithm(0, False, 30.0),))])
def test_slopes_are_those_of_the_logarithm_between_positions_and_on_other_scales(
    told: dict[str, Any], scales: Scales
) -> None:
    space, plain = of_one(told)
    hunch, domain, step = plain.on(scales), space.domain, 1e-6
    points = np.linspace(0.05, 0.95, 31)[:, None]
    logs, slopes = hunch.log_and_gradients(domain, points)
    differences = (hunch.log(domain, points + step) - hunch.log(domain, points - step)) / (2.0 * step)
    assert logs == pytest.approx(hunch.log(domain, points))
    assert slopes[:, 0] == pytest.approx(differences, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("told", NUMBERS)
def test_it_is_a_density_and_nowhere_less_than_the_part_that_says_nothing(told: dict[str, Any]) -> None:
    space, hunch = of_one(told)
    densities = np.exp(hunch.log(space.domain, EVENLY[:, None]))
    assert densities.mean() == pytest.approx(1.0, abs=2e-3)
    assert densities.min() >= WRONG * (1.0 - 1e-12)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "told",
    [
        {"type": "float", "bounds": [-1e300, 1e300], "promising": {"mean": 0.0, "deviation": 1e299}},
        {"type": "float", "bounds": [0.0, 1e-290], "promising": {"mean": 5e-291, "deviation": 1e-291}},
        {"type": "float", "bounds": [0.0, 1.0], "promising": {"mean": 0.3, "deviation": 1e-200}},
        {"type": "int", "bounds": [0, 9], "promising": {"mean": 4.4, "deviation": 1e-200}},
    ],
)
def test_numbers_of_any_size_and_as_sure_as_anybody_likes_have_slopes_that_are_numbers(
    told: dict[str, Any],
) -> None:
    space, hunch = of_one(told)
    logs, slopes = hunch.log_and_gradients(space.domain, EVENLY[:, None])
    assert np.isfinite(logs).all()
    assert np.isfinite(slopes).all()
    drawn = space.domain.spread(hunch.drawn(EVENLY[::400, None]))
    assert np.isfinite(drawn).all()


def test_chances_lift_and_lower_what_they_are_about_and_one_of_none_is_not_excluded() -> None:
    space, hunch = of_one(
        {"type": "choice", "values": ["a", "b", "c"], "promising": {"chances": [0.6, 0.4, 0.0]}}
    )
    points = np.array([[space.parameters[0].encode(value)] for value in ("a", "b", "c")])
    expected = [3.0 * chance * (1.0 - WRONG) + WRONG for chance in (0.6, 0.4, 0.0)]
    assert np.exp(hunch.log(space.domain, points)) == pytest.approx(expected)
    assert not hunch.log_and_gradients(space.domain, points)[1].any()


@pytest.mark.parametrize(
    ("told", "low", "high"),
    [
        (NUMBERS[0], 2.5, 3.5),
        (NUMBERS[1], 2.5, 3.5),
        (NUMBERS[2], 2.5, 10.0),
        (NUMBERS[4], 2.5, 10.0),
        (NUMBERS[7], 37_000, 43_000),
    ],
)
def test_numbers_that_fill_the_cube_come_out_as_was_said(
    told: dict[str, Any], low: float, high: float
) -> None:
    space, hunch = of_one(told)
    points = space.domain.spread(hunch.drawn(EVENLY[:, None]))
    values = np.array([space.parameters[0].decode(x) for x in points[:, 0]])
    normal = NormalDist()
    assert (values < low).mean() == pytest.approx(normal.cdf(-1.0), abs=2e-3)
    assert (values < high).mean() == pytest.approx(normal.cdf(1.0), abs=2e-3)


@pytest.mark.parametrize(
    "told",
    [
        {"type": "choice", "values": ["x", "y", "z"], "promising": {"chances": [0.7, 0.3, 0.0]}},
        {"type": "ordered", "values": [50, 2, 1], "promising": {"chances": [0.7, 0.3, 0.0]}},
        {
            "type": "choice",
            "values": {"x": {"m": 3}, "y": {"m": 1}, "z": {"m": 9}},
            "promising": {"chances": [0.7, 0.3, 0.0]},
        },
    ],
)
def test_values_are_drawn_as_often_as_was_said_and_the_likeliest_is_in_the_middle(
    told: dict[str, Any],
) -> None:
    space, hunch = of_one(told)
    parameter = space.parameters[0]
    points = space.domain.spread(hunch.drawn(EVENLY[:, None]))[:, 0]
    shares = [float((points == parameter.encode(value)).mean()) for value in parameter.values]
    assert shares == pytest.approx([0.7, 0.3, 0.0], abs=2e-4)
    assert parameter.decode(float(hunch.middle(space.domain)[0])) == next(iter(told["values"]))


def test_in_the_middle_are_the_medians_and_half_way_what_it_is_not_about() -> None:
    space = Space.from_description({"a": NUMBERS[4], "b": (0.0, 4.0), "c": NUMBERS[0]})
    hunch = hunch_of(space)
    assert space.decode(hunch.middle(space.domain)) == pytest.approx({"a": 5.0, "b": 2.0, "c": 3.0}, rel=1e-3)
    scales = Scales((ByLogarithm(1, False, 9.0), ByLogarithm(2, True, 9.0)))
    seen = hunch.on(scales)
    middle = scales.told(seen.middle(scales.domain(space.domain)), space.domain)
    assert space.decode(middle)["c"] == pytest.approx(3.0, rel=1e-3)


def test_where_ties_leave_no_such_point_the_middle_is_near_by() -> None:
    space = Space.from_description({"a": NUMBERS[0], "b": (0.0, 1.0)}, ["a >= 8"])
    middle = hunch_of(space).middle(space.domain)
    assert space.decode(middle)["a"] == pytest.approx(8.0, abs=0.1)


def test_what_does_not_count_at_a_point_changes_nothing_of_how_promising_it_is() -> None:
    space = Space.from_description(
        {
            "kind": {"type": "choice", "values": ["one", "two"]},
            "lag": {**NUMBERS[0], "when": {"kind": "two"}},
        }
    )
    hunch = hunch_of(space)
    points = space.domain.spread(np.random.default_rng(0).random((2000, 2)))
    logs, slopes = hunch.log_and_gradients(space.domain, points)
    one = points[:, 0] < 0.5
    assert not logs[one].any()
    assert not slopes[one].any()
    assert logs[~one].max() > math.log(5.0)


def test_nobody_who_says_nothing_has_one() -> None:
    assert hunch_of_points(Space.from_description({"a": (0.0, 1.0)})) is None
