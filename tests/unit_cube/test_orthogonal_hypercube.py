"""Points by which averages of quadratic functions are exact."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.unit_cube.orthogonal_hypercube import orthogonal_hypercube


@pytest.mark.parametrize(("axes", "points"), [(1, 16), (3, 16), (8, 16), (9, 32), (16, 32), (20, 64)])
def test_means_and_covariances_are_those_of_an_even_distribution(axes: int, points: int) -> None:
    ways = orthogonal_hypercube(axes, least=8)
    assert ways.shape == (points, axes)
    assert np.abs(ways).max() <= 1.0
    np.testing.assert_allclose(ways.mean(axis=0), 0.0, atol=1e-15)
    np.testing.assert_allclose(ways.T @ ways / points, np.eye(axes) / 3.0, atol=1e-15)


def test_along_each_axis_points_are_as_far_apart() -> None:
    apart = np.diff(np.sort(orthogonal_hypercube(5, least=16), axis=0), axis=0)
    np.testing.assert_allclose(apart, apart[0, 0])


def test_the_average_of_a_cubic_function_is_exact() -> None:
    ways = orthogonal_hypercube(3, least=8)
    x, y, z = ways.T
    assert np.mean(2.0 + x**2 - 3.0 * x * y + z**3 - 5.0 * x * y * z + y**2 * z) == pytest.approx(7.0 / 3.0)


def test_the_first_axes_lie_unlike_one_another() -> None:
    """The mean of a product of two squares is that of an even distribution roughly, too."""
    squares = orthogonal_hypercube(3, least=8) ** 2
    of_two = (squares.T @ squares / len(squares))[np.triu_indices(3, 1)]
    assert of_two.mean() == pytest.approx(1.0 / 9.0, rel=0.25)
