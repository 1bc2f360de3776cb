"""What is known of parameters together by draws, held against the densities that were drawn from."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from orchestrator.errors import SpecError
from orchestrator.numerics.normal_mixture import NormalMixture
from orchestrator.parameters.priors import knowing, prior_of_points
from orchestrator.parameters.space import Space
from orchestrator.unit_cube import joint_prior
from orchestrator.values.drawn import Drawn

COUNT = 200
EVENLY = (np.arange(COUNT) + 0.5) / COUNT
GRID = np.array(np.meshgrid(EVENLY, EVENLY, indexing="ij")).reshape(2, -1).T
"""Points that fill the unit square evenly."""


def banana(u: np.ndarray) -> np.ndarray:
    x = (u[:, 0] - 0.5) / 0.18
    return np.asarray(np.exp(-0.5 * x**2 - 0.5 * ((u[:, 1] - 0.2 - 0.1 * x**2) / 0.04) ** 2))


def correlated(u: np.ndarray) -> np.ndarray:
    x, y = (u[:, 0] - 0.4) / 0.1, (u[:, 1] - 0.5) / 0.08
    return np.asarray(np.exp(-0.5 * (x**2 + y**2 - 1.8 * x * y) / 0.19))


def at_bounds(u: np.ndarray) -> np.ndarray:
    return np.asarray(np.exp(-u[:, 0] / 0.1 - 0.5 * ((u[:, 1] - 0.97) / 0.1) ** 2))


def evenly(u: np.ndarray) -> np.ndarray:
    return np.ones(len(u))


def drawn(density: Any, count: int = 1000) -> np.ndarray:
    """(count, 2) positions."""
    rng, masses = np.random.default_rng(1), density(GRID)
    rows = rng.choice(len(GRID), count, p=masses / masses.sum())
    return GRID[rows] + (rng.random((count, 2)) - 0.5) / COUNT


def space_of(a: dict[str, Any], b: dict[str, Any]) -> Space:
    told = {"type": "float", "bounds": [0.0, 1.0]}
    return Space.from_description({"a": told | a, "b": told | b})


def densities(space: Space, points: np.ndarray = GRID) -> np.ndarray:
    prior = prior_of_points(space)
    assert prior is not None
    return np.exp(prior.log(space.domain, points))


@pytest.mark.parametrize(
    ("density", "off"), [(correlated, 0.05), (banana, 0.12), (at_bounds, 0.08), (evenly, 0.05)]
)
def test_the_density_between_draws_is_that_which_they_are_of_up_to_the_bounds(
    density: Any, off: float
) -> None:
    told = drawn(density)
    found = densities(space_of({"prior": {"draws": told[:, 0]}}, {"prior": {"draws": told[:, 1]}}))
    assert found.mean() == pytest.approx(1.0, abs=0.01)
    expected = density(GRID) / density(GRID).mean()
    assert 0.5 * np.abs(found - expected).mean() < off


def test_of_another_scale_and_other_bounds_it_is_the_same_distribution() -> None:
    told = drawn(correlated, 2000)
    values = 10.0 ** (2.0 * told[:, 0])
    here = space_of(
        {"bounds": [1.0, 1000.0], "scale": "log", "prior": {"draws": values}},
        {"bounds": [-1.0, 1.0], "prior": {"draws": told[:, 1]}},
    )
    weights = densities(here)
    logs, others = 3.0 * GRID[:, 0] / 2.0, 2.0 * GRID[:, 1] - 1.0
    assert weights.mean() == pytest.approx(1.0, abs=0.01)
    assert np.average(logs, weights=weights) == pytest.approx(told[:, 0].mean(), abs=0.005)
    assert np.average(others, weights=weights) == pytest.approx(told[:, 1].mean(), abs=0.005)
    together = np.average((logs - logs @ weights / weights.sum()) * others, weights=weights)
    assert together == pytest.approx(np.cov(told.T)[0, 1], rel=0.1)
    linear = space_of({"bounds": [1.0, 100.0], "prior": {"draws": values}}, {"prior": {"draws": told[:, 1]}})
    assert np.average(1.0 + 99.0 * GRID[:, 0], weights=densities(linear)) == pytest.approx(
        values.mean(), rel=0.03
    )


def test_draws_outside_the_bounds_are_left_out_and_what_is_within_is_lost_nowhere() -> None:
    told = drawn(correlated, 2000)
    cut = space_of({"bounds": [0.0, 0.4], "prior": {"draws": told[:, 0]}}, {"prior": {"draws": told[:, 1]}})
    inside = told[told[:, 0] <= 0.4]
    weights = densities(cut)
    assert weights.mean() == pytest.approx(1.0, abs=0.01)
    assert np.average(0.4 * GRID[:, 0], weights=weights) == pytest.approx(inside[:, 0].mean(), abs=0.005)
    near = weights[GRID[:, 0] > 0.95].mean() * 0.05
    assert near == pytest.approx((inside[:, 0] > 0.38).mean(), rel=0.25)


def test_of_a_parameter_alone_they_are_what_is_known_of_it_whatever_the_others_were() -> None:
    told = drawn(correlated)
    space = space_of({"prior": {"draws": told[:, 0]}}, {"prior": {"draws": told[:, 1]}})
    alone = densities(knowing(space, {"a": None}))
    assert np.average(GRID[:, 1], weights=alone) == pytest.approx(told[:, 1].mean(), abs=0.005)
    assert np.average(GRID[:, 0], weights=alone) == pytest.approx(0.5, abs=1e-6)
    assert np.array_equal(alone, densities(space_of({}, {"prior": {"draws": told[:, 1]}})))


def test_beside_them_another_parameter_may_have_a_prior_of_its_own() -> None:
    told = drawn(correlated)
    space = space_of({"prior": {"draws": told[:, 0]}}, {"prior": {"mean": 0.3, "deviation": 0.05}})
    weights = densities(space)
    assert np.average(GRID, axis=0, weights=weights) == pytest.approx([told[:, 0].mean(), 0.3], abs=0.005)


@pytest.mark.parametrize("kind", [{"type": "int", "bounds": [1, 12]}, {"bounds": [1.0, 12.0], "step": 1.0}])
def test_whole_numbers_and_steps_are_drawn_too(kind: dict[str, Any]) -> None:
    rng = np.random.default_rng(0)
    numbers = np.clip(np.rint(rng.normal(5.0, 1.5, 2000)), 1, 12)
    space = space_of(kind | {"prior": {"draws": numbers}}, {})
    points = space.domain.spread(GRID)
    weights = densities(space, points)
    values = np.array([space.parameters[0].decode(x) for x in points[:, 0].tolist()])
    shares = [weights[values == number].sum() / weights.sum() for number in range(1, 13)]
    assert shares == pytest.approx([(numbers == number).mean() for number in range(1, 13)], abs=0.02)


def test_a_chain_that_stays_where_it_is_makes_no_spike_there() -> None:
    told = np.repeat(drawn(correlated, 100), 20, axis=0)
    found = densities(space_of({"prior": {"draws": told[:, 0]}}, {"prior": {"draws": told[:, 1]}}))
    expected = correlated(GRID) / correlated(GRID).mean()
    assert found.max() < 2.0 * expected.max()


def test_of_very_many_draws_a_part_is_taken_from_all_over_them(monkeypatch: pytest.MonkeyPatch) -> None:
    told = drawn(correlated, 2000)
    told = told[np.argsort(told[:, 0])]
    sizes = []
    mixture = NormalMixture.of

    def counted(draws: np.ndarray) -> NormalMixture:
        sizes.append(len(draws))
        return mixture(draws)

    monkeypatch.setattr(joint_prior, "MOST_DRAWS", 500)
    monkeypatch.setattr(NormalMixture, "of", counted)
    weights = densities(space_of({"prior": {"draws": told[:, 0]}}, {"prior": {"draws": told[:, 1]}}))
    assert sizes == [500]
    expected = correlated(GRID) / correlated(GRID).mean()
    assert 0.5 * np.abs(weights - expected).mean() < 0.08


def test_the_same_draws_are_the_same_density_to_the_bit_wherever_a_space_goes() -> None:
    told = drawn(banana)
    space = space_of({"prior": {"draws": told[:, 0]}}, {"prior": {"draws": told[:, 1]}})
    again = pickle.loads(pickle.dumps(space))
    assert again.priors == space.priors
    assert np.array_equal(densities(again), densities(space))


def test_draws_too_near_one_another_to_be_told_apart_are_known_to_be_there() -> None:
    told = drawn(correlated)
    prior = {"draws": 1e-20 * told[:, 0]}
    for low, there in ((-1.0, 0.5), (0.0, 0.0)):
        space = space_of({"bounds": [low, 1.0], "prior": prior}, {"prior": {"draws": told[:, 1]}})
        points = np.column_stack([np.tile([there, 0.1], COUNT), np.repeat(EVENLY, 2)])
        here, elsewhere = densities(space, points).reshape(-1, 2).T
        assert here @ EVENLY / here.sum() == pytest.approx(told[:, 1].mean(), abs=0.01)
        assert not elsewhere.any()


def test_how_wide_draws_are_is_told_in_whatever_units_they_have() -> None:
    told = 3.0 + np.sin(np.arange(60.0))
    for size in (1.0, 2.0**1000, 2.0**-1000, 2.0**-1060):
        known = Drawn(tuple((size * told).tolist()))
        assert known.mean / size == pytest.approx(told.mean(), rel=1e-3)
        assert known.deviation / size == pytest.approx(told.std(), rel=1e-3)
        assert known.deviations_off(4.0 * size) == pytest.approx((4.0 - told.mean()) / told.std(), rel=1e-2)


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        ({"prior": {"draws": [0.1] * 60}}, {}, "draws that differ, and not 0.1 each time"),
        ({"prior": {"draws": [0.1, 0.2]}}, {}, "at least 50 draws, listed or in a CSV file"),
        ({"prior": {"draws": ["x"] * 50}}, {}, "draws that are numbers, and not 'x'"),
        ({"prior": {"draws": EVENLY + 2.0}}, {}, "bounds that hold what is plausible beforehand"),
        ({"prior": {"draws": EVENLY}, "when": "b >= 0.5"}, {}, "that counts only at times"),
        (
            {"prior": {"draws": EVENLY}},
            {"prior": {"draws": EVENLY[:-1]}},
            "belong together, got 200 of `a` and 199 of `b`",
        ),
        (
            {"prior": {"draws": 2.0 * EVENLY}},
            {"prior": {"draws": 2.0 * EVENLY[::-1]}},
            "expected at least 50 draws that lie within the bounds of all of `a`, `b`, got 0 of 200",
        ),
        (
            {"prior": {"draws": [0.1] * 190 + [1.1] * 10}},
            {"prior": {"draws": EVENLY}},
            "expected draws of `a` that differ within the bounds, got 0.1 each time",
        ),
    ],
)
def test_draws_that_say_nothing_are_refused(a: dict[str, Any], b: dict[str, Any], words: str) -> None:
    with pytest.raises(SpecError) as refused:
        prior_of_points(space_of(a, b))
    assert words in str(refused.value)
