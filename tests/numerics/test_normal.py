"""log h and its slope where the textbook formula works, and where only asymptotics can tell."""

import math

import numpy as np
import pytest
from scipy import special
from scipy.integrate import quad

from orchestrator.numerics import normal


def test_density_and_distribution_are_the_normal_ones():
    z = np.array([[-3.0, 0.0], [0.7, 4.0]])
    assert np.allclose(normal.density(z), np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi))
    assert np.allclose(np.exp(normal.log_distribution(z)), normal.distribution(z))
    assert normal.log_distribution(-1e5) == pytest.approx(-5e9, rel=1e-6)


@pytest.mark.parametrize("z", [-40.0, -26.0, -24.0, -10.0, -3.0, -1.01, -0.99, 0.0, 2.0, 30.0])
def test_log_h_agrees_with_its_integral(z):
    # h(z) = integral over t > 0 of t phi(t - z); phi(z) is divided out, so that nothing underflows.
    integral, _ = quad(lambda t: t * math.exp(-0.5 * t * t + t * z), 0, np.inf) if z < 1 else (None, None)
    if integral is None:
        expected = math.log(z + normal.density(z) - z * normal.distribution(-z))
    else:
        expected = math.log(integral) + float(normal.log_density(z))
    assert float(normal.log_h(z)) == pytest.approx(expected, rel=1e-9)


def test_h_below_zero_is_what_its_logarithm_says_until_it_underflows():
    z = -np.append(np.linspace(0.0, 37.0, 400), 0.0)
    np.testing.assert_allclose(normal.h_below_zero(z), np.exp(normal.log_h(z)), rtol=1e-11)
    assert not normal.h_below_zero([-45.0, -1e100, -np.inf]).any()


def test_log_h_is_finite_and_quadratic_down_to_minus_1e8():
    z = -np.logspace(0, 8, 200)
    value, slope = normal.log_h_and_slope(z)
    assert np.isfinite(value).all()
    assert np.all(np.diff(value) < 0)
    # Far out, log h = log phi(z) - 2 log |z| and its slope |z| + 2 / |z|.
    far = z < -1e4
    assert np.allclose(value[far], -0.5 * z[far] ** 2 - 2 * np.log(-z[far]) - 0.5 * math.log(2 * math.pi))
    assert np.allclose(slope[far], -z[far] - 2 / z[far], rtol=1e-12)


def test_the_slope_is_the_derivative_everywhere():
    z = np.concatenate([np.linspace(-60, 10, 1501), [-1.0, -25.0]])
    step = 1e-5 * np.maximum(1.0, np.abs(z))
    numeric = (normal.log_h(z + step) - normal.log_h(z - step)) / (2 * step)
    assert np.allclose(normal.log_h_and_slope(z)[1], numeric, rtol=1e-5)


def test_the_derivatives_of_the_logarithm_of_the_distribution_are_those_of_one_another():
    z, step = np.linspace(-8.0, 6.0, 141), 1e-5
    first, second, third = normal.log_distribution_derivatives(z)
    above, below = (normal.log_distribution_derivatives(z + one) for one in (step, -step))
    slope = (normal.log_distribution(z + step) - normal.log_distribution(z - step)) / (2 * step)
    np.testing.assert_allclose(first, slope, rtol=1e-6)
    np.testing.assert_allclose(-second, (above[0] - below[0]) / (2 * step), rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(-third, (above[1] - below[1]) / (2 * step), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("seam", [-1.0, -25.0])
def test_the_pieces_meet(seam):
    below, above = normal.log_h_and_slope(np.array([seam - 1e-13, seam + 1e-13]))[0]
    assert below == pytest.approx(above, rel=1e-12)


def test_shapes_are_kept():
    value, slope = normal.log_h_and_slope(np.zeros((2, 0, 3)))
    assert value.shape == slope.shape == (2, 0, 3)
    assert normal.log_h(1.0).shape == ()


def test_the_slope_of_the_logarithm_of_the_distribution_is_right_however_far_below_zero() -> None:
    z = np.array([-1e12, -1e7, -1e3, -2.0, 0.0, 3.0])
    logarithm, slope = normal.log_distribution_and_slope(z)
    assert list(logarithm) == list(normal.log_distribution(z))
    mills = np.sqrt(np.pi / 2.0) * special.erfcx(-z / np.sqrt(2.0))
    assert slope == pytest.approx(1.0 / mills, rel=1e-9)
