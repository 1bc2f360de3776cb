"""Auto where there is one way down: curved valleys, valleys along no axis, steep slopes, ripples."""

import numpy as np
import pytest
from sequential_runs import build, fitted, optimise


def valley(x):
    """Curved and a hundred times steeper across than along: Rosenbrock's, with a maximum of 0."""
    u = 4.0 * x - 2.0
    return -float(np.sum(100.0 * (u[1:] - u[:-1] ** 2) ** 2 + (1.0 - u[:-1]) ** 2))


@pytest.mark.searches
def test_it_follows_a_curved_valley_to_its_end():
    _, best = optimise(build("auto", 3, seed=0), valley, 72)
    assert best > -0.1


def turned_valley(x):
    """Ten thousand times steeper across than along, which is along none of the axes; a maximum of 0."""
    turned = np.linalg.qr(np.random.default_rng(5).standard_normal((len(x), len(x))))[0] @ (x - 0.4)
    return -float((turned**2 * np.logspace(0, 4, len(x))).sum())


@pytest.mark.searches
def test_it_sees_a_valley_that_lies_along_none_of_the_axes_and_ends_at_its_bottom():
    algorithm = build("auto", 6, seed=0)
    _, best = optimise(algorithm, turned_valley, 55)
    assert best > -1e-4
    weights = algorithm.insight().weights
    assert max(weights, key=weights.get).startswith("paraboloid")


def test_the_bowl_under_ripples_is_seen():
    def bowl_with_ripples(x):
        return -float(8.0 * ((x - 0.4) ** 2).sum() + 0.5 * np.cos(25.0 * np.linalg.norm(x - 0.4)))

    X = np.random.default_rng(7).random((80, 3))
    algorithm = fitted(build("auto", 3), X, [bowl_with_ripples(x) for x in X])
    weights = algorithm.insight().weights
    assert max(weights, key=weights.get).startswith(("trend", "paraboloid", "waves"))
    assert algorithm.remaining_gain().expected >= 0.0


def steep(x):
    """A sum of slopes and their product, which is a hundred times greater in the corners; a maximum of 0."""
    u = np.abs(20.0 * x - 9.0)
    return -float(u.sum() + u.prod())


@pytest.mark.searches
def test_where_values_span_orders_of_magnitude_it_sees_what_is_near_the_top():
    algorithm = build("auto", 4, seed=0)
    _, best = optimise(algorithm, steep, 42)
    assert best > -0.5
    weights = algorithm.insight().weights
    assert "warped" in max(weights, key=weights.get)
