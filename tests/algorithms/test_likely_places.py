"""Places drawn by a density: where it is narrow, bent, in several parts, on a grid, or nowhere."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from orchestrator.algorithms.composite.likely_places import likely_places
from orchestrator.arrays import FloatArray
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.domain import Domain

PLANE = Domain.continuous(2)
NOWHERE = np.empty((0, 2))


def drawn(
    density: Callable[[FloatArray], FloatArray], domain: Domain = PLANE, about: FloatArray = NOWHERE
) -> FloatArray:
    return likely_places(density, domain, about, 600, np.random.default_rng(3))


def hill(centre: FloatArray, width: float) -> Callable[[FloatArray], FloatArray]:
    return lambda X: -0.5 * np.square((X - centre) / width).sum(axis=1)


@pytest.mark.parametrize("width", [0.05, 1e-5])
def test_a_hill_is_found_however_narrow_it_is(width: float) -> None:
    centre = np.array([0.31, 0.64])
    places = drawn(hill(centre, width))
    assert np.abs(places.mean(axis=0) - centre).max() < 0.2 * width
    assert places.std(axis=0) == pytest.approx([width, width], rel=0.15)


def test_hills_have_places_by_how_much_of_the_density_is_theirs() -> None:
    one, other = hill(np.array([0.2, 0.2]), 0.02), hill(np.array([0.8, 0.7]), 0.04)
    places = drawn(lambda X: np.logaddexp(one(X), other(X)))
    assert np.mean(places[:, 0] > 0.5) == pytest.approx(0.8, abs=0.08)


def test_a_bent_valley_is_walked_along() -> None:
    places = drawn(lambda X: -0.5 * np.square((X[:, 1] - X[:, 0] ** 2) / 0.003))
    assert np.quantile(places[:, 0], [0.1, 0.5, 0.9]) == pytest.approx([0.1, 0.5, 0.9], abs=0.08)


def test_a_needle_in_a_plateau_is_kept_where_a_point_in_it_is_known() -> None:
    """Of a cube of six dimensions it takes next to nothing, and holds nearly all of the density."""
    cube, centre = Domain.continuous(6), np.full(6, 0.4)
    needle = hill(centre, 5e-3)
    places = drawn(lambda X: np.logaddexp(needle(X), -32.0), cube, centre[None, :] + 1e-3)
    assert np.mean(np.abs(places - centre).max(axis=1) < 0.04) > 0.95


def test_a_needle_at_one_of_described_values_is_kept_where_a_point_in_it_is_known() -> None:
    masses = [40.0, 10.0, 30.0, 20.0, 50.0]
    floats = {f"x{j}": (0.0, 1.0) for j in range(5)}
    kinds = {"type": "choice", "values": list("abcde"), "described": {"mass": masses}}
    domain = Space.from_description({"kind": kinds, **floats}).domain
    (centre,) = domain.snap(np.array([[0.05, *[0.4] * 5]]))
    needle = hill(centre, 5e-3)
    places = drawn(lambda X: np.logaddexp(needle(X), -32.0), domain, centre[None, :])
    assert np.mean(np.abs(places - centre).max(axis=1) < 0.04) > 0.95


def test_places_are_of_the_domain_and_where_there_is_no_density_anywhere() -> None:
    space = Space.from_description(
        {
            "a": (0.0, 1.0),
            "n": {"type": "int", "bounds": [1, 4]},
            "kind": {"type": "choice", "values": list("xyz")},
        },
        ["a + n <= 4.2"],
    )
    domain = space.domain
    likely = np.array([0.1, 0.2, 0.4, 0.8])

    def density(X: FloatArray) -> FloatArray:
        told = [space.decode(row) for row in X]
        return np.log([likely[one["n"] - 1] if one["kind"] != "x" else 0.02 for one in told])

    places = drawn(density, domain, domain.sample(3, np.random.default_rng(0)))
    assert domain.feasible(places).all()
    assert np.mean([space.decode(row)["kind"] == "x" for row in places]) < 0.1
    assert len(np.unique([space.decode(row)["n"] for row in places])) == 4
    nothing = drawn(lambda X: np.full(len(X), -np.inf), domain, domain.sample(3, np.random.default_rng(0)))
    assert domain.feasible(nothing).all()
