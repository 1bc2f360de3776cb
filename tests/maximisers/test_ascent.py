"""Many climbs at once: to the tops of hills, along the walls of the cube, never downhill."""

import numpy as np
import pytest

from orchestrator.maximisers.climbs.ascent import ascend


class Hill:
    """An ill-conditioned concave quadratic with its top at ``top``."""

    def __init__(self, top, scales) -> None:
        self.top, self.scales = np.array(top), np.array(scales)
        self.calls = 0

    def values(self, X):
        return -((X - self.top) ** 2 @ self.scales)

    def values_and_gradients(self, X):
        self.calls += 1
        return self.values(X), -2 * (X - self.top) * self.scales


def everywhere(dimension: int) -> np.ndarray:
    return np.ones(dimension, dtype=bool)


def test_every_start_reaches_the_top_of_an_ill_conditioned_hill():
    hill = Hill([0.3, 0.6, 0.8], [1.0, 30.0, 300.0])
    starts = np.random.default_rng(0).random((20, 3))
    reached, _ = ascend(hill, starts, everywhere(3), 60)
    assert np.allclose(reached, hill.top, atol=3e-3)
    assert hill.calls <= 61


@pytest.mark.parametrize("top", [[1.7, 0.4], [-0.5, 2.0]])
def test_a_top_outside_the_cube_is_approached_along_its_walls(top):
    reached, _ = ascend(Hill(top, [1.0, 5.0]), np.random.default_rng(1).random((10, 2)), everywhere(2), 50)
    assert np.allclose(reached, np.clip(top, 0, 1), atol=1e-2)


def test_coordinates_that_do_not_move_stay_to_the_bit():
    starts = np.random.default_rng(2).random((5, 3))
    reached, _ = ascend(Hill([0.5, 0.5, 0.5], [1.0, 1.0, 1.0]), starts, np.array([True, False, True]), 30)
    assert np.array_equal(reached[:, 1], starts[:, 1])
    assert np.allclose(reached[:, [0, 2]], 0.5, atol=1e-3)


def test_no_start_ends_lower_than_it_began_on_a_rough_function():
    class Rough:
        def values(self, X):
            return np.sin(40 * X).sum(axis=1)

        def values_and_gradients(self, X):
            return self.values(X), 40 * np.cos(40 * X)

    starts = np.random.default_rng(3).random((30, 4))
    reached, values = ascend(Rough(), starts, everywhere(4), 40)
    assert np.all(values >= Rough().values(starts))
    assert np.allclose(values, Rough().values(reached))
    assert values.mean() > 3.9


def test_a_flat_function_and_values_that_are_not_finite_end_at_once():
    class Flat:
        def __init__(self, value) -> None:
            self.value = value

        def values(self, X):
            return np.full(len(X), self.value)

        def values_and_gradients(self, X):
            return self.values(X), np.zeros(X.shape)

    starts = np.random.default_rng(4).random((3, 2))
    for value in (0.0, np.nan, -np.inf):
        reached, _ = ascend(Flat(value), starts, everywhere(2), 20)
        assert np.array_equal(reached, starts)


def test_slopes_whose_squares_round_to_zero_do_no_harm():
    starts = np.random.default_rng(5).random((6, 2))
    with np.errstate(all="raise", under="ignore"):
        reached, values = ascend(Hill([0.3, 0.6], [1e-165, 2e-165]), starts, everywhere(2), 20)
    assert np.isfinite(reached).all()
    assert np.isfinite(values).all()


class FlatTopped:
    """A hill whose top is flat: steps towards it bring less and less."""

    def __init__(self) -> None:
        self.points = 0

    def values_and_gradients(self, X):
        self.points += len(X)
        off = (X - 0.4) * [1.0, 2.0, 3.0]
        squared = (off**2).sum(axis=1)
        return -(squared**2), -4 * squared[:, None] * off * [1.0, 2.0, 3.0]


def test_rivals_reach_the_top_that_all_climb_to_with_half_of_the_evaluations():
    starts = np.random.default_rng(7).random((16, 3))
    alone, together = FlatTopped(), FlatTopped()
    _, of_all = ascend(alone, starts, everywhere(3), 60)
    _, of_rivals = ascend(together, starts, everywhere(3), 60, rivals=True)
    assert of_rivals.max() == pytest.approx(of_all.max(), abs=1e-3)
    assert together.points < 0.6 * alone.points


def test_a_rival_that_lags_behind_but_gains_fast_enough_is_not_given_up():
    class Ramp:
        """Two ridges: one that ends at once, at 1, and one that rises slowly, to 3."""

        def values_and_gradients(self, X):
            ends = np.minimum(X[:, 0], 0.1) * 10
            rises = 3.0 * X[:, 0]
            low = X[:, 1] < 0.5
            slopes = np.where(low, np.where(X[:, 0] < 0.1, 10.0, 0.0), 3.0)
            return np.where(low, ends, rises), np.stack([slopes, np.zeros(len(X))], axis=1)

    starts = np.array([[0.02, 0.2], [0.02, 0.8]])
    _, values = ascend(Ramp(), starts, everywhere(2), 40, rivals=True)
    assert values[1] == pytest.approx(3.0)


@pytest.mark.parametrize("spoilt", [np.nan, np.inf, -np.inf])
def test_a_rival_whose_value_is_not_finite_gives_none_of_the_others_up(spoilt):
    class Spoilt(Hill):
        def values_and_gradients(self, X):
            values, slopes = super().values_and_gradients(X)
            return np.where(X[:, 0] > 0.95, spoilt, values), slopes

    starts = np.array([[0.99, 0.5], [0.2, 0.9], [0.6, 0.1]])
    _, values = ascend(Spoilt([0.3, 0.6], [1.0, 200.0]), starts, everywhere(2), 60, rivals=True)
    assert values[1:].max() == pytest.approx(0.0, abs=1e-3)
