"""Each factor learned from its own output (App. C of Bardou et al. 2024), as finely as it splits further.

Given its own values, a factor of several parameters may turn out to be a sum over them: then each parameter
has a function of its own, of which far fewer values tell the shape. The graph of these finest factors is the
one that acquisitions and maximisers see; Eqs. 23 and 24 are the case in which no factor splits.

Notation: F known factors, Y (n, F) their outputs in any one unit, G >= F finest factors, m points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from orchestrator.algorithms.ask_and_tell.hallucination import in_all
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.factors.gaussian_factor import GaussianFactor, gaussian_factors
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.decompositions.factor_graph import Decomposition, FactorGraph
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.fits.additive import AdditiveFitter, AdditiveSearch
from orchestrator.surrogates.hyperparameters.additive import AdditiveHyperparameters
from orchestrator.surrogates.hyperparameters.one_kernel import KernelTemplate
from orchestrator.surrogates.posteriors.additive import AdditiveGP
from orchestrator.surrogates.scales.factor_scale import FactorScale
from orchestrator.unit_cube.domain import Domain

# How many outputs of a factor a fit sees at most.
LARGEST_FITTED = 200


@dataclass(frozen=True, slots=True)
class TermModel:
    """One factor's hyperparameters, its parameters counted within it, in its own scaled units."""

    hyperparameters: AdditiveHyperparameters
    scale: FactorScale

    def to_json(self) -> dict[str, Any]:
        """JSON values, exact to the bit."""
        return {
            "hyperparameters": self.hyperparameters.to_json(),
            "shift": self.scale.shift,
            "scale": self.scale.scale,
        }

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> TermModel:
        """What `to_json` wrote."""
        return cls(
            AdditiveHyperparameters.from_json(payload["hyperparameters"]),
            FactorScale(float(payload["shift"]), float(payload["scale"])),
        )


class TermsPosterior:
    """F independent additive GPs, told together in O(F n^2)."""

    def __init__(
        self, domain: Domain, factors: Decomposition, family: KernelFamily, models: Sequence[TermModel]
    ) -> None:
        self.factors = factors
        self.models = tuple(models)
        self._parameters = [np.array(factor, dtype=np.intp) for factor in factors]
        self._terms = [
            AdditiveGP(
                domain.alone(factor),
                FactorGraph(model.hyperparameters.factors, len(factor)),
                family,
                model.hyperparameters,
            )
            for factor, model in zip(factors, models, strict=True)
        ]
        finest = tuple(
            tuple(factor[p] for p in part)
            for factor, term in zip(factors, self._terms, strict=True)
            for part in term.graph.factors
        )
        self.graph = FactorGraph(finest, domain.dimension, nested=True)

    @property
    def noise_variance(self) -> float:
        """Of the sum of a row of Y, in its unit."""
        return sum(model.scale.scale**2 * model.hyperparameters.noise_variance for model in self.models)

    def append(self, X: FloatArray, Y: FloatArray) -> None:
        """Learn (p, D) points and (p, F) outputs. Raises ValueError for rows of another length."""
        if Y.shape != (len(X), len(self.factors)):
            raise ValueError(
                f"{len(X)} points of {len(self.factors)} factors need outputs of shape "
                f"{(len(X), len(self.factors))}; got {Y.shape}"
            )
        for own, term, model, y in zip(self._parameters, self._terms, self.models, Y.T, strict=True):
            term.append(X[:, own], model.scale.apply(y))

    def hallucinating(self, X: FloatArray) -> AbstractContextManager[None]:
        """Within the block (p, D) points count as observed at their means."""
        terms = zip(self._parameters, self._terms, strict=True)
        return in_all(term.hallucinating(X[:, own]) for own, term in terms)

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(m,) and (m,) of the sum at (m, D) points."""
        total, spread = np.zeros(len(X)), np.zeros(len(X))
        for own, term, model in zip(self._parameters, self._terms, self.models, strict=True):
            mean, variance = term.mean_and_variance(X[:, own])
            total += model.scale.shift + model.scale.scale * mean
            spread += model.scale.scale**2 * variance
        return total, spread

    def factor_moments(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(G,) means and variances of the finest factors at a (D,) point, in the unit of Y."""
        means, variances = [], []
        for own, term, model in zip(self._parameters, self._terms, self.models, strict=True):
            mean, variance = term.factor_moments(x[own])
            means.append(model.scale.shift / len(mean) + model.scale.scale * mean)
            variances.append(model.scale.scale**2 * variance)
        return np.concatenate(means), np.concatenate(variances)

    def functions(self, weights: FloatArray, coupled: bool) -> tuple[GaussianFactor, ...]:
        """The G finest factors for an acquisition with ``weights`` (G,), in the unit of Y."""
        counts = self.graph.neighbour_counts if coupled else np.ones(self.graph.size)
        found: list[GaussianFactor] = []
        for term, model in zip(self._terms, self.models, strict=True):
            parts = gaussian_factors(term, [1.0] * term.graph.size, coupled=False)
            for part in parts:
                j = len(found)
                found.append(
                    replace(
                        part,
                        alpha=model.scale.scale * part.alpha,
                        offset=model.scale.shift / len(parts),
                        weight=float(weights[j]),
                        divisor=float(counts[j]) / model.scale.scale,
                    )
                )
        return tuple(found)


def fit_terms(
    domain: Domain,
    factors: Decomposition,
    family: KernelFamily,
    observed: tuple[FloatArray, FloatArray],
    warm: Sequence[TermModel] | None = None,
) -> list[TermModel]:
    """Maximum a posteriori models from ``observed``, (n, D) points and (n, F) outputs. Noise is inferred.

    Each factor is taken for one function of all its parameters or for a sum over them, and length-scales for
    different or shared, whichever has more evidence.
    """
    X, Y = observed
    models = []
    for j, factor in enumerate(factors):
        own = domain.alone(factor)
        scale = FactorScale.of(Y[:, j])
        data = Data(own.embed(X[:, factor]), scale.apply(Y[:, j]), own.embedded_parameter)
        before = None if warm is None else warm[j].hyperparameters
        models.append(TermModel(_likeliest(data, len(factor), family, before), scale))
    return models


def _likeliest(
    data: Data, parameters: int, family: KernelFamily, warm: AdditiveHyperparameters | None
) -> AdditiveHyperparameters:
    structures = [FactorGraph.whole(parameters)]
    if parameters > 1:
        structures.append(FactorGraph(tuple((p,) for p in range(parameters)), parameters))
    fits = []
    for graph in structures:
        start = warm if warm is not None and warm.factors == graph.factors else None
        for shared in (False, True) if parameters > 1 else (False,):
            template = KernelTemplate("shared" if shared else "each", family, shared=shared)
            fitter = AdditiveFitter(data, template, largest=LARGEST_FITTED)
            fits.append(fitter.fit(graph, AdditiveSearch(starts=2, iterations=40, warm=start)))
    return max(fits, key=lambda fit: fit.log_marginal).hyperparameters
