"""The mode of a posterior of hyperparameters: the best of the local ones that several starts climb to.

Notation: theta (k,) the logarithms of what is free.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import OptimizeResult, minimize

from orchestrator.numerics.linalg import FactorisationError

FloatArray = NDArray[np.float64]
H = TypeVar("H")

UNUSABLE = 1e25
"""What the search is told of hyperparameters that cannot be factorised: finite, so that it backs away."""

SETTLED = 3e-3
"""Nats that do not matter: a model that is better by them is as likely, to a third of a per cent."""


@dataclass(frozen=True, slots=True)
class Mode(Generic[H]):
    """The mode of the posterior of the hyperparameters, and log p(y) with them integrated out (Laplace), by
    which models are compared.
    """

    hyperparameters: H
    log_marginal: float


def highest_mode(
    log_posterior: Callable[[FloatArray], tuple[float, FloatArray]],
    starts: Iterable[FloatArray],
    bounds: FloatArray,
    iterations: int,
    tolerances: Mapping[str, Any] | None = None,
) -> FloatArray:
    """theta at the highest mode found, the first of equals. Deterministic: starts are given, not drawn.

    ``log_posterior`` gives value and gradient, or raises FactorisationError; ``bounds`` is (k, 2). Each start
    takes ``iterations`` of L-BFGS-B at most, whose own ``tolerances`` hold if none are given.

    Raises FactorisationError if nothing can be factorised wherever a search leads.
    """

    def loss(theta: FloatArray) -> tuple[float, FloatArray]:
        try:
            value, gradient = log_posterior(theta)
        except FactorisationError:
            return UNUSABLE, np.zeros_like(theta)
        return -value, -gradient

    best, lowest = None, UNUSABLE
    for start in starts:
        options = {"maxiter": iterations, **(tolerances or {})}
        settles = None if tolerances else _Settling()
        found = minimize(
            loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options, callback=settles
        )
        if float(found.fun) < lowest:
            best, lowest = np.asarray(found.x, dtype=float), float(found.fun)
    if best is None:
        raise FactorisationError(
            "no start led to hyperparameters whose covariance can be factorised; check the inputs and noise "
            "variances that it is built from"
        )
    return best


@dataclass(slots=True)
class _Settling:
    """Told of every iteration, it ends the search after two in a row that gained next to nothing. After one
    it may have turned into a valley along which it has far to go.
    """

    lowest: float = math.inf
    slow_before: bool = False

    def __call__(self, intermediate_result: OptimizeResult) -> None:
        now = float(intermediate_result.fun)
        slow = self.lowest - now < SETTLED
        if slow and self.slow_before:
            raise StopIteration
        self.lowest, self.slow_before = now, slow
