"""A Gaussian process that is a sum over factors, learned from values of the sum alone.

The posterior of each factor comes from the one Cholesky factor of the total (Eqs. 4-5 of Bardou et al.
2024, Eq. 5 of Kandasamy et al. 2015, Eq. 1 of Hoang et al. 2018).

Notation: n values y, K (n, n) the summed covariance plus noise, L its factor, alpha = K^-1 y, k_j(x) (n,) the
covariances of factor j at x with factor j at the inputs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from orchestrator.domain import Domain
from orchestrator.surrogates.additive_hyperparameters import AdditiveHyperparameters
from orchestrator.surrogates.additive_kernel import AdditiveKernel, factor_domain
from orchestrator.surrogates.exact import ExactGP, PosteriorGradients
from orchestrator.surrogates.factor_graph import FactorGraph
from orchestrator.surrogates.factor_posterior import in_coordinates
from orchestrator.surrogates.kernels import KernelFamily

FloatArray = NDArray[np.float64]

# As in the exact GP: below this part of the prior's, a posterior variance is rounding error.
SMALLEST_VARIANCE = 1e-12


class AdditiveGP:
    """A `FactorPosterior` with given hyperparameters, told and untold in O(n^2).

    Points are in the unit cube, values standardised. The factors are each identified only up to a constant
    (what one gains another may lose), which their variances say and the sum's does not: that is why the
    sum's variance is less than the sum of theirs.
    """

    def __init__(
        self,
        domain: Domain,
        graph: FactorGraph,
        family: KernelFamily,
        hyperparameters: AdditiveHyperparameters,
    ) -> None:
        self.domain = domain
        self.hyperparameters = hyperparameters
        self._graph = graph
        self._kernel: AdditiveKernel = hyperparameters.kernel(graph, domain, family)
        self._total = ExactGP(self._kernel, hyperparameters.noise_variance)

    @property
    def graph(self) -> FactorGraph:
        """The decomposition."""
        return self._graph

    @property
    def total(self) -> ExactGP:
        """The posterior of the sum, on embedded inputs."""
        return self._total

    def __len__(self) -> int:
        return len(self._total)

    @cached_property
    def factor_domains(self) -> tuple[Domain, ...]:
        """F domains: the coordinates of each factor, in its own order."""
        return tuple(factor_domain(self._graph, self.domain, j) for j in range(self._graph.size))

    def append(self, X: FloatArray, y: FloatArray, noise: FloatArray | None = None) -> None:
        """Learn (p, D) points and (p,) values of the sum, with (p,) noise variances of their own.

        Raises as `ExactGP.append` does.
        """
        self._total.append(self.domain.embed(X), y, noise)

    def withdraw(self, count: int) -> None:
        """Forget the last ``count`` values."""
        self._total.withdraw(count)

    def retarget(self, y: FloatArray) -> None:
        """Replace all n values (standardised anew, say): O(n^2)."""
        self._total.retarget(y)

    @contextmanager
    def hallucinating(self, X: FloatArray) -> Iterator[None]:
        """Within the block (p, D) points count as observed at their means; after it all is as before."""
        with self._total.hallucinating(self.domain.embed(X) if len(X) else self._total.inputs[:0]):
            yield

    def factor_mean_and_variance(self, j: int, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(m,) means and variances of factor j at (m, |V_j|) coordinates: O(n^2 m)."""
        embedded = self.factor_domains[j].embed(X)
        prior = self._kernel.kernels[j].diagonal(embedded)
        if not len(self):
            return np.zeros(len(embedded)), prior
        cross = self._kernel.kernels[j].matrix(self._inputs(j), embedded)
        half = self._total.half_solve(cross)
        return self._total.alpha @ cross, _remaining(prior, half)

    def factor_gradients(self, j: int, X: FloatArray) -> PosteriorGradients:
        """The same with gradients (m, |V_j|) in the coordinates: O(n^2 m)."""
        domain = self.factor_domains[j]
        embedded = domain.embed(X)
        kernel = self._kernel.kernels[j]
        prior = kernel.diagonal(embedded)
        if not len(self):
            zero = np.zeros(np.shape(X))
            return PosteriorGradients(np.zeros(len(embedded)), prior, zero, zero)
        cross = kernel.cross(embedded, self._inputs(j))
        half = self._total.half_solve(cross.values.T)
        solved = self._total.half_solve_transposed(half)
        alpha = np.broadcast_to(self._total.alpha, (len(embedded), len(self)))
        gradients = PosteriorGradients(
            cross.values @ self._total.alpha,
            _remaining(prior, half),
            *cross.weighted_gradient(np.stack([alpha, -2.0 * solved.T])),
        )
        return in_coordinates(gradients, domain)

    def factor_covariance(self, i: int, j: int, X: FloatArray) -> FloatArray:
        """(m,) posterior covariances of factors i and j at the same (m, D) points.

        Independent beforehand, the factors are not so once only their sum is seen: Var(sum) is the sum of all
        F^2 of these, and not the sum of the variances as section 3.3 of Bardou et al. 2024 has it.
        """
        X = np.atleast_2d(X)
        halves = []
        for factor in (i, j):
            embedded = self.factor_domains[factor].embed(X[:, self._graph.indices[factor]])
            cross = (
                self._kernel.kernels[factor].matrix(self._inputs(factor), embedded)
                if len(self)
                else np.zeros((0, len(X)))
            )
            halves.append(self._total.half_solve(cross))
        prior = self._kernel.kernels[i].variance if i == j else 0.0
        covariance: FloatArray = prior - np.einsum("nm,nm->m", halves[0], halves[1])
        return covariance

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(m,) means and variances of the sum at (m, D) points."""
        return self._total.mean_and_variance(self.domain.embed(X))

    def value_gradients(self, X: FloatArray) -> PosteriorGradients:
        """The posterior of the sum and its gradients (m, D) in the coordinates."""
        return in_coordinates(self._total.value_gradients(self.domain.embed(X)), self.domain)

    def log_evidence(self) -> float:
        """log p(y | points, hyperparameters); 0 for no values."""
        return self._total.log_evidence()

    def log_predictive(self, X: FloatArray, y: FloatArray, noise: FloatArray | None = None) -> FloatArray:
        """(p,) log densities of values of the sum at (p, D) points, each on its own, before they are
        learned.
        """
        return self._total.log_predictive(self.domain.embed(X), y, noise)

    def _inputs(self, j: int) -> FloatArray:
        return self._total.inputs[:, self._kernel.columns[j]]


def _remaining(prior: FloatArray, half: FloatArray) -> FloatArray:
    explained = np.einsum("nm,nm->m", half, half)
    remaining: FloatArray = np.maximum(prior - explained, SMALLEST_VARIANCE * prior)
    return remaining
