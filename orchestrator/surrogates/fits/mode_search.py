"""The mode of a posterior of hyperparameters: the best of the local ones that several starts climb to.

Notation: theta (k,) the logarithms of what is free.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from scipy.optimize import minimize

from orchestrator.arrays import FloatArray
from orchestrator.numerics.linalg import FactorisationError

H = TypeVar("H")

UNUSABLE = 1e25
"""What the search is told of hyperparameters that cannot be factorised: finite, so that it backs away."""


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
        found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
        if float(found.fun) < lowest:
            best, lowest = np.asarray(found.x, dtype=float), float(found.fun)
    if best is None:
        raise FactorisationError(
            "no start led to hyperparameters whose covariance can be factorised; check the inputs and noise "
            "variances that it is built from"
        )
    return best
