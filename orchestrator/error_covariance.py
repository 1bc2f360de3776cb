"""How errors of what was measured hang together: by a covariance of all that is fitted, as people tell it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.errors import SpecError
from orchestrator.fit_targets import AnyTarget, CurveTarget
from orchestrator.spelling import listed
from orchestrator.values.finite import is_finite, is_number

Rows: TypeAlias = tuple[tuple[float, ...], ...]
MOST_NUMBERS = 2_000
"""Of a covariance on either side, a point of a curve each."""
ALIKE = 1e-6
"""Of two deviations: by so much the two halves may differ, as of a matrix that was inverted."""
BESIDE_ERRORS = (
    "expected no `error` beside a `covariance`, on whose diagonal the errors are, squared, got one of {}:"
    " leave out the one or the other"
)


class CovarianceMistake(SpecError):
    """What is wrong, and in which ``row`` and ``column``, from 0, if it is one of these."""

    def __init__(self, sentence: str, row: int | None = None, column: int | None = None) -> None:
        super().__init__(sentence)
        self.row, self.column = row, column


def checked_covariance(told: Sequence[Sequence[Any]], names: Sequence[str]) -> Rows:
    """Rows of numbers, one of each for each of the M ``names`` that words have for what is fitted, as it is
    taken: symmetric to the bit. Raises CovarianceMistake for what is no covariance.
    """
    count = len(names)
    if count > MOST_NUMBERS:
        raise CovarianceMistake(
            f"expected a `covariance` of at most {MOST_NUMBERS:,} numbers that are fitted, got {count:,}"
        )
    each = f"one for each number that is fitted, {count:,}, of a curve for each point"
    if len(told) != count:
        raise CovarianceMistake(
            f"expected as many rows, {each}, got {len(told):,}", min(count, len(told) - 1)
        )
    for row, numbers in enumerate(told):
        if len(numbers) != count:
            came = f"got {len(numbers):,} in row {row + 1}"
            raise CovarianceMistake(f"expected as many columns, {each}, {came}", row)
        # Quick of what is right, of which there may be millions.
        if set(map(type, numbers)) <= {float} and math.isfinite(sum(map(abs, numbers))):
            continue
        for column, number in enumerate(numbers):
            if not (is_number(number) and is_finite(number)):
                what = f"of {_both(names, row, column)}"
                raise CovarianceMistake(f"expected a finite number {what}, got {number!r}", row, column)
    matrix = np.array(told, dtype=float)
    _check_numbers(matrix, names)
    symmetric = 0.5 * matrix + 0.5 * matrix.T
    _check_definite(symmetric)
    return tuple(map(tuple, symmetric.tolist()))


def names_of(targets: Mapping[str, AnyTarget]) -> list[str]:
    """What words have for each number that is fitted."""
    return list(_names(targets))


def with_errors_of(covariance: Rows, targets: Mapping[str, AnyTarget]) -> dict[str, AnyTarget]:
    """The targets, each with the error that stands in the diagonal."""
    errors = iter(np.sqrt(np.diagonal(covariance)).tolist())
    found: dict[str, AnyTarget] = {}
    for name, one in targets.items():
        if isinstance(one, CurveTarget):
            found[name] = replace(one, errors=tuple(next(errors) for _ in one.values), told=True)
        else:
            found[name] = replace(one, error=next(errors), told=True)
    return found


def covariance_beside(told: Sequence[Sequence[Any]], targets: Mapping[str, AnyTarget]) -> Rows:
    """As `checked_covariance`, beside targets, of which none may have an error of its own."""
    if own := [name for name, one in targets.items() if one.told]:
        raise CovarianceMistake(BESIDE_ERRORS.format(listed(own)))
    return checked_covariance(told, names_of(targets))


def _names(targets: Mapping[str, AnyTarget]) -> Iterator[str]:
    for name, one in targets.items():
        if isinstance(one, CurveTarget):
            yield from (f"point {k} of `{name}`" for k in range(1, len(one.values) + 1))
        else:
            yield f"`{name}`"


def _both(names: Sequence[str], row: int, column: int) -> str:
    return names[row] if row == column else f"{names[row]} with {names[column]}"


def _check_numbers(matrix: FloatArray, names: Sequence[str]) -> None:
    variances = np.diagonal(matrix)
    if len(wrong := np.flatnonzero(variances <= 0.0)):
        first = int(wrong[0])
        came = f"got {variances[first]:g}"
        raise CovarianceMistake(f"expected a variance above 0 of {names[first]}, {came}", first, first)
    apart = np.abs(matrix - matrix.T) / np.sqrt(variances) / np.sqrt(variances)[:, None]
    if (apart > ALIKE).any():
        row, column = (int(one) for one in np.argwhere(np.tril(apart) > ALIKE)[0])
        here, there = (f"{matrix[i, j]:g} of {_both(names, i, j)}" for i, j in ((row, column), (column, row)))
        raise CovarianceMistake(f"expected a symmetric matrix, got {here}, and {there}", row, column)


def _check_definite(matrix: FloatArray) -> None:
    # SciPy, which reading any other spec is to do without.
    from orchestrator.numerics.linalg import FactorisationError, cholesky

    deviations = np.sqrt(np.diagonal(matrix))
    correlations = matrix / deviations / deviations[:, None]
    try:
        needed = cholesky(correlations).jitter
    except FactorisationError:
        needed = np.inf
    if needed > 0.0:
        least = float(np.linalg.eigvalsh(correlations)[0])
        raise CovarianceMistake(
            "expected a positive definite covariance, as all of errors are, got one whose correlations have"
            f" the eigenvalue {least:.2g}, where each is to be above 0"
        )
