"""The mode of a posterior of hyperparameters: the best of the local ones that several starts climb to.

Notation: theta (k,) the logarithms of what is free.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np
from scipy.optimize import Bounds, minimize

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


@dataclass(eq=False, slots=True)
class _Target:
    """What is minimised. Its gradient is asked for where the loss was asked for last, and was found with it:
    to have that found out by `minimize` takes longer than the rest of what it does.
    """

    log_posterior: Callable[[FloatArray], tuple[float, FloatArray]]
    by_theta: FloatArray = field(default_factory=lambda: np.zeros(0))

    def loss(self, theta: FloatArray) -> float:
        try:
            value, by_theta = self.log_posterior(theta)
        except FactorisationError:
            self.by_theta = np.zeros_like(theta)
            return UNUSABLE
        self.by_theta = -by_theta
        return -value

    def gradient(self, _theta: FloatArray) -> FloatArray:
        return self.by_theta


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

    target = _Target(log_posterior)
    within = Bounds(bounds[:, 0], bounds[:, 1])
    best, lowest = None, UNUSABLE
    for start in starts:
        options = {"maxiter": iterations, **(tolerances or {})}
        found = minimize(
            target.loss, start, jac=target.gradient, method="L-BFGS-B", bounds=within, options=options
        )
        if float(found.fun) < lowest:
            best, lowest = np.asarray(found.x, dtype=float), float(found.fun)
    if best is None:
        raise FactorisationError(
            "no start led to hyperparameters whose covariance can be factorised; check the inputs and noise "
            "variances that it is built from"
        )
    return best
