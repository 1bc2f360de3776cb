"""Hyperparameters of an additive GP, what is believed of them beforehand, and their layout as one vector.

Length-scales belong to parameters and are shared by all factors that see one; variances belong to factors;
the noise is one. So an overlapping decomposition of D parameters into F factors has D + F + 1
hyperparameters, not one length-scale for every edge of its graph, which a few dozen values could never tell
apart; and a length-scale keeps its meaning when a sampler splits or merges factors, which is what makes a
warm start warm.

Notation: D parameters, F factors, k free hyperparameters, theta (k,) their logarithms, phi (D + F + 1,) the
logarithms of all of them: length-scales, variances, noise variance. phi = T theta + offset.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.additive import AdditiveKernel
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.decompositions.factor_graph import Decomposition, FactorGraph
from orchestrator.surrogates.hyperparameters.beliefs import LogNormal, Prior
from orchestrator.surrogates.hyperparameters.one_kernel import LEAST_POSITIVE, KernelTemplate
from orchestrator.unit_cube.domain import Domain

SINGLE = Prior.for_dimension(1)
"""What is believed of a factor of one parameter that carries all the variance."""


@dataclass(frozen=True, slots=True)
class AdditiveHyperparameters:
    """(D,) length-scales, the (F,) variances of ``factors``, and the noise variance that all values share."""

    factors: Decomposition
    length_scales: tuple[float, ...]
    variances: tuple[float, ...]
    noise_variance: float

    def __post_init__(self) -> None:
        if len(self.factors) != len(self.variances):
            raise ValueError(f"{len(self.factors)} factors need as many variances, not {len(self.variances)}")

    def kernel(self, graph: FactorGraph, domain: Domain, family: KernelFamily) -> AdditiveKernel:
        """The kernel on embedded inputs, its factors in the graph's order, which must be that of
        ``factors``.
        """
        if graph.factors != self.factors:
            raise ValueError(f"hyperparameters of {self.factors} cannot serve {graph.factors}")
        return AdditiveKernel.over(graph, domain, family, np.array(self.length_scales), self.variances)

    def for_factors(self, factors: Decomposition) -> AdditiveHyperparameters:
        """A start for another decomposition: known factors keep their variance, the others share what is
        left.
        """
        variance_of = dict(zip(self.factors, self.variances, strict=True))
        total = sum(self.variances)
        new = [factor for factor in factors if factor not in variance_of]
        kept = sum(variance_of[factor] for factor in factors if factor in variance_of)
        share = max(total - kept, 0.1 * total) / max(1, len(new))
        variances = tuple(variance_of.get(factor, share) for factor in factors)
        return AdditiveHyperparameters(factors, self.length_scales, variances, self.noise_variance)

    def to_json(self) -> dict[str, Any]:
        """JSON values, exact to the bit."""
        return {
            "factors": [list(factor) for factor in self.factors],
            "length_scales": list(self.length_scales),
            "variances": list(self.variances),
            "noise_variance": self.noise_variance,
        }

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> AdditiveHyperparameters:
        """What `to_json` wrote."""
        return cls(
            tuple(tuple(int(p) for p in factor) for factor in payload["factors"]),
            tuple(float(scale) for scale in payload["length_scales"]),
            tuple(float(variance) for variance in payload["variances"]),
            float(payload["noise_variance"]),
        )


def length_scale_medians(graph: FactorGraph) -> FloatArray:
    """(D,) of each length-scale: that of `SINGLE` times the square root of the largest factor that sees its
    parameter, as distances within it grow.
    """
    largest = [max(len(graph.factors[i]) for i in own) for own in graph.factors_of]
    return np.asarray(SINGLE.length_scale.median * np.sqrt(np.array(largest, dtype=float)))


@dataclass(frozen=True, eq=False)
class Parameterisation:
    """phi = T theta + offset, with independent normal beliefs in theta: ``mean`` and ``deviation`` (k,)."""

    graph: FactorGraph
    T: FloatArray
    offset: FloatArray
    mean: FloatArray
    deviation: FloatArray

    @classmethod
    def of(
        cls,
        graph: FactorGraph,
        template: KernelTemplate,
        noise_variance: float | None = None,
    ) -> Parameterisation:
        """What is free, with independent log-normal beliefs, scaled to the factors rather than to the whole
        dimension: each variance's median is 1/F of the whole, and no decomposition is favoured by its prior's
        units. ``noise_variance`` holds the noise where it is known; None infers it.

        ``template.shared`` ties all length-scales to one and all variances to one, as Kandasamy et al. 2015
        do (section 5).
        """
        D, F = graph.dimension, graph.size
        medians, deviation_of_a_scale = length_scale_medians(graph), SINGLE.length_scale.deviation
        variance = LogNormal(SINGLE.variance.median / F, SINGLE.variance.deviation)
        columns: list[FloatArray] = []
        beliefs: list[tuple[float, float]] = []
        offset = np.zeros(D + F + 1)

        def free(members: slice | int, belief: LogNormal) -> None:
            column = np.zeros(D + F + 1)
            column[members] = 1.0
            columns.append(column)
            beliefs.append((math.log(belief.median), belief.deviation))

        if template.shared:
            free(slice(0, D), LogNormal(float(medians.max()), deviation_of_a_scale))
            free(slice(D, D + F), variance)
        else:
            for p in range(D):
                free(p, LogNormal(float(medians[p]), deviation_of_a_scale))
            for j in range(F):
                free(D + j, variance)
        if noise_variance is None:
            free(D + F, SINGLE.noise_variance)
        else:
            offset[-1] = math.log(noise_variance) if noise_variance > 0 else -math.inf
        mean, deviation = np.array(beliefs).T
        return cls(graph, np.array(columns).T, offset, mean, deviation)

    def log_prior(self, theta: FloatArray) -> tuple[float, FloatArray]:
        """Log density at theta and its gradient (k,)."""
        z = (theta - self.mean) / self.deviation
        return float(-0.5 * z @ z - self._log_normaliser), -z / self.deviation

    @cached_property
    def _log_normaliser(self) -> float:
        """Of the prior's density; a fit asks for it dozens of times."""
        return float(np.log(self.deviation).sum() + 0.5 * len(self.deviation) * math.log(2.0 * math.pi))

    def natural(self, theta: FloatArray) -> tuple[FloatArray, FloatArray, float]:
        """Length-scales (D,), variances (F,) and the noise variance."""
        phi = np.exp(self.T @ theta + self.offset)
        D = self.graph.dimension
        return phi[:D], phi[D:-1], float(phi[-1])

    def hyperparameters(self, theta: FloatArray) -> AdditiveHyperparameters:
        """theta as a value that other parts can read."""
        scales, variances, noise = self.natural(theta)
        return AdditiveHyperparameters(
            self.graph.factors,
            tuple(float(scale) for scale in scales),
            tuple(float(variance) for variance in variances),
            noise,
        )

    def theta(self, values: AdditiveHyperparameters) -> FloatArray:
        """(k,) the free logarithms nearest to ``values``: tied ones are averaged, within the bounds."""
        natural = [*values.length_scales, *values.variances, values.noise_variance]
        phi = np.log(np.maximum(natural, LEAST_POSITIVE))
        return np.asarray(np.clip((phi @ self.T) / self.T.sum(axis=0), *self.bounds))

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """(k,) and (k,): five prior deviations either way, where the posterior cannot have its mode."""
        return self.mean - 5.0 * self.deviation, self.mean + 5.0 * self.deviation
