"""What is known beforehand, in the unit cube, held against distributions in closed form."""

from __future__ import annotations

import math
import pickle
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from orchestrator.parameters.priors import knowing, prior_of_points
from orchestrator.parameters.space import Space

EVENLY = (np.arange(40_000) + 0.5) / 40_000
"""Numbers that fill the unit interval."""


def weighed(told: dict[str, Any]) -> tuple[list[Any], np.ndarray]:
    """Of a parameter the values, one for each of the even numbers, and how plausible each is."""
    space = Space.from_description({"p": told})
    prior = prior_of_points(space)
    assert prior is not None
    points = space.domain.spread(EVENLY[:, None])
    return points[:, 0].tolist(), np.exp(prior.log(space.domain, points))


def quantiles(told: dict[str, Any], shares: list[float]) -> list[float]:
    positions, weights = weighed(told)
    assert weights.mean() == pytest.approx(1.0, abs=1e-4)
    parameter = Space.from_description({"p": told}).parameters[0]
    below = np.cumsum(weights) / weights.sum()
    return [parameter.decode(positions[int(np.searchsorted(below, share))]) for share in shares]


@pytest.mark.parametrize("scale", ["linear", "log"])
@pytest.mark.parametrize("mean", [3.0, 1.2, 0.9])
def test_a_mean_and_its_deviation_are_normal_in_the_parameters_units_cut_at_the_bounds(
    scale: str, mean: float
) -> None:
    told = {"type": "float", "bounds": [1.0, 20.0], "scale": scale}
    told |= {"prior": {"mean": mean, "deviation": 0.5}}
    normal, shares = NormalDist(mean, 0.5), [0.025, 0.16, 0.5, 0.84, 0.975]
    low, high = normal.cdf(1.0), normal.cdf(20.0)
    expected = [normal.inv_cdf(low + share * (high - low)) for share in shares]
    assert quantiles(told, shares) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_a_mean_and_a_factor_are_normal_in_the_logarithm(scale: str) -> None:
    told = {"type": "float", "bounds": [0.01, 100.0], "scale": scale}
    told |= {"prior": {"mean": 5.0, "factor": 2.0}}
    shares = [0.025, 0.16, 0.5, 0.84, 0.975]
    expected = [5.0 * 2.0 ** NormalDist().inv_cdf(share) for share in shares]
    assert quantiles(told, shares) == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize(
    "told",
    [
        {"type": "int", "bounds": [1, 12]},
        {"type": "int", "bounds": [1, 12], "scale": "log"},
        {"type": "float", "bounds": [1.0, 12.0], "step": 1.0},
    ],
)
def test_whole_numbers_and_steps_are_as_plausible_as_the_density_at_each(told: dict[str, Any]) -> None:
    space = Space.from_description({"p": told})
    positions, weights = weighed({**told, "prior": {"mean": 4.0, "deviation": 1.5}})
    values = np.array([space.parameters[0].decode(x) for x in positions])
    shares = np.array([weights[values == number].sum() for number in range(1, 13)]) / len(weights)
    expected = np.exp(-0.5 * ((np.arange(1, 13) - 4.0) / 1.5) ** 2)
    # Of logarithms the cell of a number is only about as wide as the number's density of them.
    assert shares == pytest.approx(expected / expected.sum(), abs=0.02 if "scale" in told else 3e-4)


def test_more_whole_numbers_than_are_listed_are_weighed_as_if_between_them_were_more() -> None:
    told = {"type": "int", "bounds": [1, 100_000], "prior": {"mean": 40_000, "deviation": 3_000}}
    normal = NormalDist(40_000, 3_000)
    assert quantiles(told, [0.16, 0.84]) == pytest.approx([normal.inv_cdf(0.16), normal.inv_cdf(0.84)], abs=5)


@pytest.mark.parametrize(
    ("told", "values"),
    [
        ({"type": "choice", "values": ["x", "y", "z"]}, ["x", "y", "z"]),
        ({"type": "choice", "values": {"x": {"m": 3}, "y": {"m": 1}, "z": {"m": 9}}}, ["x", "y", "z"]),
        ({"type": "ordered", "values": [50, 2, 1]}, [50, 2, 1]),
    ],
)
def test_chances_are_those_of_the_values_as_they_are_listed(told: dict[str, Any], values: list[Any]) -> None:
    space = Space.from_description({"p": told})
    positions, weights = weighed({**told, "prior": {"chances": [0.7, 0.3, 0.0]}})
    came = [space.parameters[0].decode(x) for x in positions]
    shares = [weights[[one == value for one in came]].sum() / len(weights) for value in values]
    assert shares == pytest.approx([0.7, 0.3, 0.0], abs=3e-4)


def test_what_does_not_count_at_a_point_changes_nothing_of_how_plausible_it_is() -> None:
    space = Space.from_description(
        {
            "kind": {"type": "choice", "values": ["one", "two"]},
            "lag": {
                "type": "float",
                "bounds": [0, 9],
                "when": {"kind": "two"},
                "prior": {"mean": 3, "deviation": 0.2},
            },
        }
    )
    prior = prior_of_points(space)
    assert prior is not None
    points = space.domain.spread(np.random.default_rng(0).random((40_000, 2)))
    weights = np.exp(prior.log(space.domain, points))
    one = points[:, 0] < 0.5
    assert (weights[one] == 1.0).all()
    assert weights[~one].mean() == pytest.approx(1.0, abs=0.05)


def test_a_space_keeps_what_is_known_where_it_is_pickled_and_may_be_told_something_else() -> None:
    space = Space.from_description(
        {"h0": {"type": "float", "bounds": [50, 90], "prior": {"mean": 67.4, "deviation": 0.5}}, "m": (0, 1)}
    )
    again = pickle.loads(pickle.dumps(space))
    assert again.priors == space.priors
    other = knowing(space, {"h0": None, "m": {"mean": 0.3, "deviation": np.float64(0.1)}})
    assert list(other.priors) == ["m"]
    assert prior_of_points(knowing(space, {"h0": None})) is None
    prior = prior_of_points(pickle.loads(pickle.dumps(other)))
    assert prior is not None
    (at_mean,) = prior.log(space.domain, np.array([[0.5, 0.3]]))
    normal = NormalDist(0.3, 0.1)
    assert at_mean == pytest.approx(math.log(normal.pdf(0.3) / (normal.cdf(1.0) - normal.cdf(0.0))))
