"""A weighted mixture of additive hypotheses: what is believed of the function, and of each structure.

A member is a decomposition with its hyperparameters. Its weight is the decomposition's posterior probability:
by evidence at a refit (Eq. 21 of Bardou et al. 2024, without the Monte Carlo noise of Eq. 22), by predictive
likelihood in between, of values only: what stands in for a failed evaluation's is learned and weighs nothing.
Telling a member one value costs O(n^2). Beyond 500 results a refit keeps 500 of them
(`AdditiveResults.kept`), and the members hold those and what was told since.

Notation: M members, n results held, m points, D parameters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from orchestrator.algorithms.additive.results import AdditiveResults, Rows
from orchestrator.algorithms.additive.terms_posterior import TermModel, TermsPosterior
from orchestrator.algorithms.ask_and_tell.hallucination import in_all
from orchestrator.algorithms.base import Refit
from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.decompositions.factor_graph import Decomposition, FactorGraph, decomposition_key
from orchestrator.surrogates.hyperparameters.additive import AdditiveHyperparameters
from orchestrator.surrogates.mixtures.ensemble import Ensemble
from orchestrator.surrogates.posteriors.additive import AdditiveGP
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.unit_cube.domain import Domain

LONGEST_NAME = 48
FEWEST_SURPRISES, SURPRISING = 3, 3.0
"""A refit is found wrong once so many results have been told since, or more, and these lie more than so many
predicted deviations off (root mean square).
"""


def structure_name(decomposition: Decomposition) -> str:
    """``1-3|2|4``, parameters counted from 1; where that is long, the factors of two or more, or a count."""
    name = "|".join("-".join(str(p + 1) for p in factor) for factor in decomposition)
    if len(name) <= LONGEST_NAME:
        return name
    alone = sum(len(factor) == 1 for factor in decomposition)
    if alone == len(decomposition):
        return f"all {alone} alone"
    if len(decomposition) == 1:
        return f"all {len(decomposition[0])} together"
    together = "|".join("-".join(str(p + 1) for p in f) for f in decomposition if len(f) > 1)
    name = together + (f"|{alone} alone" if alone else "")
    if len(name) <= LONGEST_NAME:
        return name
    return f"{len(decomposition)} factors, {decomposition_key(decomposition)[:6]}"


@dataclass(frozen=True, eq=False, slots=True)
class WeighedStructure:
    """One structure with its posterior and its probability."""

    posterior: AdditiveGP | TermsPosterior
    weight: float


class Belief(Protocol):
    """What was made of the last refit, of the results that it kept, and of all told since. Points are (m, D),
    in the unit cube.
    """

    @property
    def refit(self) -> Refit:
        """The last."""
        ...

    @property
    def standardisation(self) -> Standardisation:
        """Of values, by what the refit saw."""
        ...

    @property
    def hypotheses(self) -> Sequence[WeighedStructure]:
        """The most probable first."""
        ...

    @property
    def weights(self) -> Mapping[str, float]:
        """Probabilities by `structure_name`."""
        ...

    @property
    def hyperparameters(self) -> Mapping[str, Mapping[str, Any]]:
        """JSON values by `structure_name`."""
        ...

    @property
    def noise_variance(self) -> float:
        """That inferred of the values, in standardised units; by several hypotheses the largest."""
        ...

    @property
    def surprised(self) -> bool:
        """Whether what was learned since the refit lies so far from what was predicted that it was wrong."""
        ...

    def learn(self, results: AdditiveResults, which: slice) -> None:
        """Take some results in, one after the other."""
        ...

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(m,) and (m,) of the mixture, in standardised units."""
        ...

    def hallucinating(self, X: FloatArray) -> AbstractContextManager[None]:
        """Within the block (m, D) points that still run count as come out at their means."""
        ...


@dataclass(frozen=True, eq=False, slots=True)
class AdditiveMember:
    """A member of the ensemble. It learns in place."""

    posterior: AdditiveGP

    def condition(self, x: FloatArray, y: float, variance: float = 0.0) -> tuple[AdditiveMember, float]:
        """Itself, having learned a value at a (D,) point, and the log density that it gave it before."""
        X, values, noise = x[None, :], np.array([y]), np.array([variance])
        density = float(self.posterior.log_predictive(X, values, noise)[0])
        self.posterior.append(X, values, noise)
        return self, density

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Of the sum, at (m, D) points."""
        return self.posterior.mean_and_variance(X)


class TotalsBelief:
    """M decompositions, each with a GP learned from totals. See `Belief`.

    Failures, and points that run, have as much noise as is typical of what the refit saw, where it is known
    or reported.
    """

    def __init__(self, refit: Refit, domain: Domain, family: KernelFamily, seen: AdditiveResults) -> None:
        self.refit = refit
        self.standardisation = Standardisation.from_json(refit.payload["standardisation"])
        self._typical_noise = seen.typical_noise(self.standardisation, refit.observations)
        kept = seen.kept(refit.number, refit.observations)
        told = seen.totals(self.standardisation, kept, self._typical_noise)
        members, names, logs = [], [], []
        for described in refit.payload["members"]:
            hyperparameters = AdditiveHyperparameters.from_json(described["hyperparameters"])
            graph = FactorGraph(hyperparameters.factors, domain.dimension, nested=True)
            posterior = AdditiveGP(domain, graph, family, hyperparameters)
            posterior.append(told.points, told.values, told.noise)
            members.append(AdditiveMember(posterior))
            names.append(structure_name(graph.factors))
            logs.append(float(described["log_probability"]))
        self._ensemble = Ensemble.by_evidence(names, members, logs)
        # Of the results learned since, in predicted variances.
        self._squared_errors: list[float] = []

    @property
    def hypotheses(self) -> Sequence[WeighedStructure]:
        weights = self._ensemble.weights
        order = np.argsort(-weights, kind="stable")
        return [WeighedStructure(self._ensemble.members[m].posterior, float(weights[m])) for m in order]

    @property
    def weights(self) -> Mapping[str, float]:
        return dict(zip(self._ensemble.names, self._ensemble.weights.tolist(), strict=True))

    @property
    def hyperparameters(self) -> Mapping[str, Mapping[str, Any]]:
        return {
            name: member.posterior.hyperparameters.to_json()
            for name, member in zip(self._ensemble.names, self._ensemble.members, strict=True)
        }

    @property
    def noise_variance(self) -> float:
        members = self._ensemble.members
        return max(member.posterior.hyperparameters.noise_variance for member in members)

    @property
    def surprised(self) -> bool:
        errors = self._squared_errors
        return len(errors) >= FEWEST_SURPRISES and float(np.mean(errors)) > SURPRISING**2

    def learn(self, results: AdditiveResults, which: slice) -> None:
        told = results.totals(self.standardisation, which, self._typical_noise)
        failed = np.isnan(results.history.values[which])
        for x, value, noise, no_value in zip(told.points, told.values, told.noise, failed, strict=True):
            y, variance = float(value), float(noise)
            if no_value:
                self._ensemble = self._ensemble.suppose(x, y, variance)
                continue
            self._squared_errors.append(self._squared_error(x, y, variance))
            self._ensemble = self._ensemble.condition(x, y, variance)

    def _squared_error(self, x: FloatArray, y: float, variance: float) -> float:
        """Of what the most probable member predicts of a value, before it learns it."""
        leader = self._ensemble.members[int(np.argmax(self._ensemble.weights))].posterior
        mean, spread = leader.mean_and_variance(x[None, :])
        expected = float(spread[0]) + variance + leader.hyperparameters.noise_variance
        return float((y - mean[0]) ** 2 / max(expected, np.finfo(float).tiny))

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        return self._ensemble.mean_and_variance(X)

    def hallucinating(self, X: FloatArray) -> AbstractContextManager[None]:
        members = self._ensemble.members
        return in_all(member.posterior.hallucinating(X, self._typical_noise) for member in members)


class TermsBelief:
    """One known decomposition, each factor with a GP learned from its own term (App. C). See `Belief`."""

    def __init__(
        self,
        refit: Refit,
        domain: Domain,
        family: KernelFamily,
        factors: Decomposition,
        seen: AdditiveResults,
    ) -> None:
        self.refit = refit
        self.standardisation = Standardisation.from_json(refit.payload["standardisation"])
        models = [TermModel.from_json(model) for model in refit.payload["models"]]
        self._posterior = TermsPosterior(domain, factors, family, models)
        kept = seen.kept(refit.number, refit.observations, with_terms=True)
        self._append(seen.terms(self.standardisation.scale, kept))

    @property
    def hypotheses(self) -> Sequence[WeighedStructure]:
        return [WeighedStructure(self._posterior, 1.0)]

    @property
    def weights(self) -> Mapping[str, float]:
        return {structure_name(self._posterior.graph.factors): 1.0}

    @property
    def hyperparameters(self) -> Mapping[str, Mapping[str, Any]]:
        return {
            f"output {j + 1}, of {structure_name((factor,))}": model.hyperparameters.to_json()
            for j, (factor, model) in enumerate(
                zip(self._posterior.factors, self._posterior.models, strict=True)
            )
        }

    @property
    def noise_variance(self) -> float:
        """Of the outputs' sum: each has noise of its own, in its own unit."""
        return self._posterior.noise_variance

    @property
    def surprised(self) -> bool:
        """Never: each factor's refit sees outputs that belong to nothing else."""
        return False

    def learn(self, results: AdditiveResults, which: slice) -> None:
        self._append(results.terms(self.standardisation.scale, which))

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        return self._posterior.mean_and_variance(X)

    def hallucinating(self, X: FloatArray) -> AbstractContextManager[None]:
        return self._posterior.hallucinating(X)

    def _append(self, told: Rows) -> None:
        if len(told.points):
            self._posterior.append(told.points, told.values)
