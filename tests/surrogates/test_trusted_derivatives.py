"""Which derivatives are left out, of a function that is known: those that were made wrong, and no others."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.algorithms.derivatives.contradicted import in_words
from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.surrogates.covariances.kernel_families import MATERN_52, RBF, KernelFamily
from orchestrator.surrogates.covariances.with_derivatives import (
    OF_A_VALUE,
    along,
    rows_of_derivatives,
    rows_of_values,
)
from orchestrator.surrogates.evidence.with_derivatives import DerivativeData
from orchestrator.surrogates.fits.trusting_derivatives import fit_trusting_derivatives
from orchestrator.surrogates.fits.with_derivatives import fit_with_derivatives

Place = tuple[int | slice, int | slice]
POINTS = np.random.default_rng(7).random((12, 3))


def bent(point: FloatArray) -> tuple[float, FloatArray]:
    x, y, z = point
    sine = np.sin(3.0 * x * z)
    slopes = np.array([2.0 * x - 3.0 * z * sine, 4.0 * (y - 0.5), -3.0 * x * sine])
    return float(x**2 + 2.0 * (y - 0.5) ** 2 + np.cos(3.0 * x * z)), slopes


def told(wrong: BoolArray) -> DerivativeData:
    """At all points, with the sign of (n, D) derivatives wrong."""
    values, slopes = zip(*map(bent, POINTS), strict=True)
    own = np.where(wrong, -np.array(slopes), slopes)
    rows = [rows_of_values(POINTS), *(rows_of_derivatives(x, np.arange(3)) for x in POINTS)]
    numbers = np.arange(len(POINTS))
    results = np.concatenate([numbers, np.repeat(numbers, 3)])
    y = np.concatenate([np.array(values) - np.mean(values), own.ravel()])
    return DerivativeData(np.vstack(rows), y, results, np.zeros(len(y)), np.arange(3))


def wrong_at(*places: Place) -> BoolArray:
    wrong = np.zeros(POINTS.shape, dtype=bool)
    for place in places:
        wrong[place] = True
    return wrong


WHOLE = slice(None)


@pytest.mark.parametrize(
    ("family", "places"),
    [
        (MATERN_52, []),
        (RBF, []),
        (MATERN_52, [(1, 1), (3, WHOLE), (6, WHOLE)]),
        (RBF, [(3, WHOLE)]),
    ],
)
def test_those_that_are_wrong_are_left_out_and_no_others(family: KernelFamily, places: list[Place]) -> None:
    wrong = wrong_at(*places)
    own, kept = fit_trusting_derivatives(family, told(wrong), 1e-9)
    assert kept[: len(POINTS)].all()
    assert (~kept[len(POINTS) :].reshape(wrong.shape) & ~wrong).sum() == 0
    assert kept[len(POINTS) :].reshape(wrong.shape)[wrong].sum() == 0
    assert own.ratio < 1e-3


def test_without_derivatives_there_is_nothing_to_leave_out() -> None:
    values = told(wrong_at()).values
    own, kept = fit_trusting_derivatives(RBF, values, 1e-9)
    assert kept.all()
    assert own == fit_with_derivatives(RBF, values, 1e-9)
    assert (along(values.rows) == OF_A_VALUE).all()


def test_in_words_they_go_by_parameter_by_trial_or_by_both() -> None:
    everything = np.ones(POINTS.shape, dtype=bool)
    contradicted = wrong_at((WHOLE, 1), (3, WHOLE), (4, 0), (5, 0))
    told_of = in_words(contradicted, everything, range(10, 22))
    assert told_of == "all by parameter 2; of trial 13; of trials 14 and 15 by parameter 1"
    assert in_words(everything[:, :1], everything[:, :1], range(12)) == "all by parameter 1"
    rows = wrong_at((slice(0, 8), WHOLE))
    assert in_words(rows, everything, range(1, 13)) == "of trials 1, 2, 3, 4, 5 and 3 more"
