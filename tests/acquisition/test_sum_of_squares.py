"""How far outcomes are off what they are to be, held against sums written out and finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from orchestrator.acquisition.curve_components import Curve, CurveComponents
from orchestrator.acquisition.sum_of_squares import SumOfSquares

# Two numbers with targets, and behind them two squares, of which a model may believe that one is below 0.
FIT = SumOfSquares(np.array([1.0, -2.0]), np.array([0.5, 4.0]), -1.0, 1, beyond=0.7, squares=2)
OUTCOMES = np.array([2.0, 4.0, 3.0, -5.0])
POINT = np.zeros((1, 1))


def value(outcomes: np.ndarray) -> float:
    return float(FIT.values(outcomes[None, None], POINT)[0, 0])


def test_squares_count_as_they_are_beside_those_of_how_many_errors_numbers_are_off() -> None:
    assert FIT.outcomes == len(OUTCOMES)
    assert value(OUTCOMES) == pytest.approx(-(2.0**2 + 1.5**2 + 3.0 + 0.7))


def test_its_slopes_are_what_finite_differences_see() -> None:
    _, slopes = FIT.values_and_slopes(OUTCOMES[None, None], POINT)
    assert slopes[0, 0] == pytest.approx(approx_fprime(OUTCOMES, value, 1e-6), abs=1e-4)


def test_of_a_curve_its_weights_and_what_they_leave_out_come_to_the_same() -> None:
    rng = np.random.default_rng(0)
    targets, errors = rng.random(6), rng.uniform(0.2, 3.0, 6)
    curve = Curve(slice(1, 6), errors[1:])
    fit = SumOfSquares(targets, errors, -1.0, 1, (curve,), beyond=0.7)
    components = [CurveComponents.of(curve, rng.random((3, 5)))]
    # The last two lie on the components.
    outcomes = rng.random((4, 6))
    outcomes[2:, 1:] = components[0].curves(rng.random((2, len(components[0].directions))))
    weights, points = components[0].weights(outcomes[:, 1:]), np.zeros((4, 1))
    modelled = np.hstack([outcomes[:, :1], weights])
    beside = np.hstack([modelled, fit.rests(components, outcomes)])
    expected = fit.values(outcomes[None], points)[0]
    found = fit.of_components_and_rests(components).values(beside[None], points)[0]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    alone = fit.of_components(components).values(modelled[None], points)[0]
    np.testing.assert_allclose(alone[2:], expected[2:], rtol=1e-12)
