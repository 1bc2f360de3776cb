"""A Gaussian process that is a sum over factors, learned from values of the sum alone.

The posterior of each factor comes from the one Cholesky factor of the total (Eqs. 4-5 of Bardou et al.
2024, Eq. 5 of Kandasamy et al. 2015, Eq. 1 of Hoang et al. 2018): `gaussian_factors` reads it off.

Notation: n values y, m points, D parameters, F factors.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cached_property

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.additive import AdditiveKernel
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.surrogates.hyperparameters.additive import AdditiveHyperparameters
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.posteriors.factor_moments import factor_moments
from orchestrator.unit_cube.domain import Domain


class AdditiveGP:
    """The belief in the sum with given hyperparameters, told a value in O(n^2).

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
        kernel: AdditiveKernel = hyperparameters.kernel(graph, domain, family)
        self._total = ExactGP(kernel, hyperparameters.noise_variance)

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
        return tuple(self.domain.alone(factor) for factor in self._graph.factors)

    def append(self, X: FloatArray, y: FloatArray, noise: FloatArray | None = None) -> None:
        """Learn (p, D) points and (p,) values of the sum, with (p,) noise variances of their own.

        Raises as `ExactGP.append` does.
        """
        self._total.append(self.domain.embed(X), y, noise)

    def hallucinating(self, X: FloatArray, extra_noise: float = 0.0) -> AbstractContextManager[None]:
        """Within the block (p, D) points count as observed at their means, with ``extra_noise`` beside the
        noise variance that all share; after it all is as before.
        """
        inputs = self.domain.embed(X) if len(X) else self._total.inputs[:0]
        return self._total.hallucinating(inputs, extra_noise=extra_noise)

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(m,) means and variances of the sum at (m, D) points."""
        return self._total.mean_and_variance(self.domain.embed(X))

    def factor_moments(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(F,) means and variances of the factors at a (D,) point. The means add up to the sum's."""
        return factor_moments(self._total, self.domain.embed(x[None, :])[0])

    def log_predictive(self, X: FloatArray, y: FloatArray, noise: FloatArray | None = None) -> FloatArray:
        """(p,) log densities of values of the sum at (p, D) points, each on its own, before they are
        learned.
        """
        return self._total.log_predictive(self.domain.embed(X), y, noise)
