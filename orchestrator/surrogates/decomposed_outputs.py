"""One Gaussian process a factor, learned from that factor's own values (Bardou et al. 2024, App. C).

Where an evaluator reports the terms of its sum, each is learned on its own: its variance is only what its own
coordinates leave open, and the factors stay independent.

The posterior is Eqs. 23-24.

Notation: n observations of F factors, Y (n, F) in any one unit, in which the posterior is reported as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from orchestrator.domain import Domain
from orchestrator.surrogates.additive_kernel import factor_domain
from orchestrator.surrogates.evidence import Data
from orchestrator.surrogates.exact import ExactGP, PosteriorGradients
from orchestrator.surrogates.factor_graph import FactorGraph
from orchestrator.surrogates.factor_posterior import in_coordinates
from orchestrator.surrogates.fit import Search, fit
from orchestrator.surrogates.hyperparameters import Hyperparameters, KernelTemplate, Prior
from orchestrator.surrogates.kernels import KernelFamily

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FactorScale:
    """The affine map of one factor's values to those its GP sees: z = (y - shift) / scale."""

    shift: float = 0.0
    scale: float = 1.0

    @classmethod
    def of(cls, values: FloatArray) -> FactorScale:
        """To mean 0 and deviation 1; constant values are scaled by their magnitude, or 1."""
        if not len(values):
            return cls()
        shift, scale = float(values.mean()), float(values.std())
        magnitude = float(np.abs(values).max())
        if scale <= 1e-14 * magnitude:
            scale = magnitude
        return cls(shift, scale if scale > 0 else 1.0)


@dataclass(frozen=True, slots=True)
class FactorModel:
    """What one factor's GP is built from: hyperparameters in its own scaled units, and those units."""

    hyperparameters: Hyperparameters
    scale: FactorScale

    def to_json(self) -> dict[str, Any]:
        """JSON values, exact to the bit."""
        return {
            "hyperparameters": self.hyperparameters.to_json(),
            "shift": self.scale.shift,
            "scale": self.scale.scale,
        }

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> FactorModel:
        """What `to_json` wrote."""
        return cls(
            Hyperparameters.from_json(payload["hyperparameters"]),
            FactorScale(float(payload["shift"]), float(payload["scale"])),
        )


class DecomposedGP:
    """A `FactorPosterior` learned from decomposed outputs, told and untold in O(F n^2)."""

    def __init__(
        self, domain: Domain, graph: FactorGraph, family: KernelFamily, models: tuple[FactorModel, ...]
    ) -> None:
        if len(models) != graph.size:
            raise ValueError(f"{graph.size} factors need as many models, not {len(models)}")
        self.domain = domain
        self.models = models
        self._graph = graph
        self.factor_domains = tuple(factor_domain(graph, domain, j) for j in range(graph.size))
        self._processes = tuple(
            ExactGP(
                model.hyperparameters.kernel(family, own.embedded_parameter),
                model.hyperparameters.noise_variance,
            )
            for model, own in zip(models, self.factor_domains, strict=True)
        )

    @property
    def graph(self) -> FactorGraph:
        """The decomposition; the columns of Y are its factors in order."""
        return self._graph

    def __len__(self) -> int:
        return len(self._processes[0])

    def append(self, X: FloatArray, Y: FloatArray, noise: FloatArray | None = None) -> None:
        """Learn (p, D) points and (p, F) values. ``noise`` (p,) is the variance of each sum's noise.

        It is shared out evenly among the factors, whose noises are independent. Raises ValueError for a row
        of the wrong length.
        """
        X, Y = np.atleast_2d(X), np.atleast_2d(Y)
        if Y.shape != (len(X), self._graph.size):
            raise ValueError(
                f"{len(X)} points of {self._graph.size} factors need values of shape "
                f"{(len(X), self._graph.size)}; got {Y.shape}"
            )
        for j, process in enumerate(self._processes):
            scale = self.models[j].scale
            extra = None if noise is None else noise / (self._graph.size * scale.scale**2)
            process.append(self._embed(j, X), (Y[:, j] - scale.shift) / scale.scale, extra)

    def withdraw(self, count: int) -> None:
        """Forget the last ``count`` observations."""
        for process in self._processes:
            process.withdraw(count)

    @contextmanager
    def hallucinating(self, X: FloatArray) -> Iterator[None]:
        """Within the block (p, D) points count as observed at their means; after it all is as before."""
        with ExitStack() as stack:
            for j, process in enumerate(self._processes):
                inputs = self._embed(j, X) if len(X) else process.inputs[:0]
                stack.enter_context(process.hallucinating(inputs))
            yield

    def factor_mean_and_variance(self, j: int, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(m,) means and variances of factor j at (m, |V_j|) coordinates."""
        mean, variance = self._processes[j].mean_and_variance(self.factor_domains[j].embed(X))
        scale = self.models[j].scale
        return scale.shift + scale.scale * mean, scale.scale**2 * variance

    def factor_gradients(self, j: int, X: FloatArray) -> PosteriorGradients:
        """The same with gradients (m, |V_j|) in the coordinates."""
        domain, scale = self.factor_domains[j], self.models[j].scale
        at = in_coordinates(self._processes[j].value_gradients(domain.embed(X)), domain)
        return PosteriorGradients(
            scale.shift + scale.scale * at.mean,
            scale.scale**2 * at.variance,
            scale.scale * at.mean_gradient,
            scale.scale**2 * at.variance_gradient,
        )

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(m,) means and variances of the sum at (m, D) points: sums both, as factors stay independent."""
        X = np.atleast_2d(X)
        mean, variance = np.zeros(len(X)), np.zeros(len(X))
        for j, own in enumerate(self._graph.indices):
            factor_mean, factor_variance = self.factor_mean_and_variance(j, X[:, own])
            mean += factor_mean
            variance += factor_variance
        return mean, variance

    def log_evidence(self) -> float:
        """log p(Y | points, hyperparameters) in the units of Y; 0 for no observations."""
        scaled = sum(process.log_evidence() for process in self._processes)
        return scaled - len(self) * sum(math.log(model.scale.scale) for model in self.models)

    def log_predictive(self, X: FloatArray, Y: FloatArray, noise: FloatArray | None = None) -> FloatArray:
        """(p,) log densities of rows (p, F) at (p, D) points, each on its own, before they are learned."""
        X, Y = np.atleast_2d(X), np.atleast_2d(Y)
        total = np.zeros(len(X))
        for j, process in enumerate(self._processes):
            scale = self.models[j].scale
            extra = None if noise is None else noise / (self._graph.size * scale.scale**2)
            total += process.log_predictive(self._embed(j, X), (Y[:, j] - scale.shift) / scale.scale, extra)
            total -= math.log(scale.scale)
        return total

    def _embed(self, j: int, X: FloatArray) -> FloatArray:
        return self.factor_domains[j].embed(np.atleast_2d(X)[:, self._graph.indices[j]])


def fit_decomposed(
    domain: Domain,
    graph: FactorGraph,
    template: KernelTemplate,
    observed: tuple[FloatArray, FloatArray],
    rng: np.random.Generator,
    warm: tuple[FactorModel, ...] | None = None,
) -> tuple[FactorModel, ...]:
    """Maximum a posteriori models of each factor alone, from ``observed`` = points (n, D) and values (n, F).

    The noise of each factor is inferred; length-scale priors are those of the factor's own dimension.
    """
    X, Y = observed
    models: list[FactorModel] = []
    for j, own in enumerate(graph.indices):
        factor = factor_domain(graph, domain, j)
        scale = FactorScale.of(Y[:, j])
        data = Data(factor.embed(X[:, own]), (Y[:, j] - scale.shift) / scale.scale, factor.embedded_parameter)
        search = Search(warm=None if warm is None else warm[j].hyperparameters)
        found = fit(template, data, Prior.for_dimension(len(own)), rng, search=search)
        models.append(FactorModel(found.hyperparameters, scale))
    return tuple(models)
