"""The heavy part of a refit: structures searched, hyperparameters fitted, written as JSON values.

What it costs is bounded by the search's budget of evidences, each of which is one short fit on at most
`LARGEST_SEARCHED` values, and by the fits of the members kept, on at most `LARGEST_FITTED`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from orchestrator.algorithms.additive.belief import Belief, TotalsBelief
from orchestrator.algorithms.additive.results import AdditiveResults
from orchestrator.algorithms.additive.scales import Scale, ScaleChoice
from orchestrator.algorithms.additive.structure_search import KnownStructure, StructureSearch
from orchestrator.algorithms.additive.terms_posterior import TermModel, fit_terms
from orchestrator.algorithms.base import Problem
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.decompositions.factor_graph import Decomposition, FactorGraph, canonical
from orchestrator.surrogates.fits.additive import AdditiveFitter, AdditiveSearch, DecompositionEvidence
from orchestrator.surrogates.hyperparameters.additive import AdditiveHyperparameters
from orchestrator.surrogates.scales.standardise import Standardisation

LARGEST_SEARCHED = 150
LARGEST_FITTED = 300
# Above this dimension a fit has hundreds of hyperparameters and as many kernels.
MANY_PARAMETERS = 40
LARGEST_FITTED_OF_MANY = 200
LARGEST_SCALED_OF_MANY = 80
LEAST_SHARE = 0.02
"""A structure less probable than this part of the best one's is not kept as a member."""


@dataclass(frozen=True, eq=False, slots=True)
class TotalsRefit:
    """Refits from totals: which structures, which hyperparameters, how probable.

    ``scales``: how values and distances may be measured; ``members``: how many structures to keep at most.
    """

    problem: Problem
    scales: ScaleChoice
    structures: StructureSearch
    members: int

    def compute(
        self, results: AdditiveResults, before: Belief | None, rng: np.random.Generator
    ) -> Mapping[str, Any]:
        """The payload that `TotalsBelief` is made from. ``before`` is the belief to go on from."""
        D = self.problem.domain.dimension
        warm, incumbents = _leader(before), _incumbents(before)
        scale = self._scale(results, incumbents, warm)
        evidence = DecompositionEvidence(
            self._fitter(results, scale, LARGEST_SEARCHED),
            D,
            AdditiveSearch(starts=1 if warm else 2, iterations=20, warm=warm),
        )
        searched = self.structures.search(evidence, incumbents, rng)
        largest = LARGEST_FITTED if D <= MANY_PARAMETERS else LARGEST_FITTED_OF_MANY
        best = self._fitter(results, scale, largest)
        members = []
        for structure in searched.most_probable(self.members, LEAST_SHARE):
            found = evidence.fits.get(structure)
            start = warm if found is None else found.hyperparameters
            graph = FactorGraph(structure, D, nested=True)
            fit = best.fit(graph, AdditiveSearch(starts=2 if start else 3, iterations=60, warm=start))
            members.append(
                {
                    "hyperparameters": fit.hyperparameters.to_json(),
                    "log_probability": fit.log_marginal + self.structures.log_prior(structure),
                }
            )
        return {
            "of": "totals",
            "standardisation": scale.standardisation.to_json(),
            "members": members,
            "last": [list(factor) for factor in searched.last],
            "weighed": len(searched.log_posteriors),
            "steps": searched.steps,
            "accepted": searched.accepted,
        }

    def _scale(
        self,
        results: AdditiveResults,
        incumbents: Sequence[Decomposition],
        warm: AdditiveHyperparameters | None,
    ) -> Scale:
        """By the evidence of the structure believed in."""
        D = self.problem.domain.dimension
        if isinstance(self.structures, KnownStructure):
            structure = canonical(self.structures.decomposition)
        else:
            structure = incumbents[0] if incumbents else (tuple(range(D)),)
        graph = FactorGraph(structure, D, nested=True)
        search = AdditiveSearch(starts=2, iterations=20, warm=warm)
        largest = LARGEST_SEARCHED if D <= MANY_PARAMETERS else LARGEST_SCALED_OF_MANY

        def evidence(scale: Scale) -> float:
            fitter = self._fitter(results, scale, largest)
            return fitter.fit(graph, search).log_marginal + fitter.pairs.log_jacobian

        return self.scales.choose(results, evidence)

    def _fitter(self, results: AdditiveResults, scale: Scale, largest: int) -> AdditiveFitter:
        typical = results.typical_noise(scale.standardisation, len(results))
        told = results.totals(scale.standardisation, slice(None), typical)
        noise = None if self.problem.noise.kind == "unknown" else 0.0
        data = told.data(self.problem.domain)
        return AdditiveFitter(data, scale.template, noise_variance=noise, largest=largest)


@dataclass(frozen=True, eq=False, slots=True)
class TermsRefit:
    """Refits from decomposed outputs: each factor's hyperparameters from its own terms."""

    problem: Problem
    family: KernelFamily
    factors: Decomposition

    def compute(
        self, results: AdditiveResults, before: Belief | None, rng: np.random.Generator
    ) -> Mapping[str, Any]:
        """The payload that `TermsBelief` is made from. ``before`` is the belief to go on from."""
        del rng
        scale = Standardisation.of(results.succeeded).scale
        told = results.terms(scale, slice(None))
        warm = None
        if before is not None and before.refit.payload["of"] == "terms":
            warm = [TermModel.from_json(model) for model in before.refit.payload["models"]]
        observed = (told.points, told.values)
        models = fit_terms(self.problem.domain, self.factors, self.family, observed, warm)
        return {
            "of": "terms",
            "standardisation": Standardisation(results.offset, scale).to_json(),
            "models": [model.to_json() for model in models],
        }


def _leader(before: Belief | None) -> AdditiveHyperparameters | None:
    """The most probable member's hyperparameters."""
    if not isinstance(before, TotalsBelief):
        return None
    posterior = before.hypotheses[0].posterior
    described = before.refit.payload["members"]
    for member in described:
        hyperparameters = AdditiveHyperparameters.from_json(member["hyperparameters"])
        if hyperparameters.factors == posterior.graph.factors:
            return hyperparameters
    return None


def _incumbents(before: Belief | None) -> list[Decomposition]:
    """The members' structures, the most probable first, and where the chain stopped."""
    if not isinstance(before, TotalsBelief):
        return []
    last = canonical(before.refit.payload["last"])
    return list(dict.fromkeys([*(h.posterior.graph.canonical for h in before.hypotheses), last]))
