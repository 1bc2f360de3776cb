"""What is believed of the objective by an ensemble of Gaussian processes in random features.

Values are standardised (and warped, where tails are heavy) at each refit, hyperparameters and approximation
variances found, frequencies drawn, and the members conditioned on everything that the refit saw; every value
told since costs O(M D^2), whatever n is.

Conditioning on n values anew is O(M n D^2). It is done where the refit is computed, beside everything else,
and the triangular factors come with the refit (`Refit.prepared`), as does the noise that is typical of all
results, so that its adoption costs what was told meanwhile and no more. They are not journalled: a replay
works them out from the payload, by the same operations and hence to the same bits, and only those of the last
refit, when they are first needed.

Approximation variances see 1,000 results at most (the best quarter and a draw from the rest, anew each time),
hyperparameters 600 of those; posteriors and evidence, by which members are weighed, see all of them.

Notation: M members, D frequencies, n results, E embedded columns.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from orchestrator.algorithms.ask_and_tell.told_values import ToldValues
from orchestrator.algorithms.base import Problem, Refit
from orchestrator.algorithms.history import History
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.covariances.fourier_features import FourierFeatures
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.thinning import subsample
from orchestrator.surrogates.fits.one_kernel import Search, fit
from orchestrator.surrogates.hyperparameters.beliefs import Prior
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters, KernelTemplate
from orchestrator.surrogates.mixtures.ensemble import Ensemble
from orchestrator.surrogates.mixtures.feature_member import FeatureMember, draw_features
from orchestrator.surrogates.posteriors.random_features import RandomFeatureModel
from orchestrator.surrogates.scales.standardise import Standardisation

LARGEST = 1000
TYPICAL_NOISE = "typical noise"
"""What a refit prepares beside its members: a double, in this machine's order of bytes."""


@dataclass(frozen=True, slots=True)
class Dictionary:
    """What is mixed: M kernels, each in so many frequencies, none weighted below the floor."""

    templates: tuple[KernelTemplate, ...]
    frequencies: int
    weight_floor: float


@dataclass(frozen=True, eq=False, slots=True)
class Conditioned:
    """The last refit, and the ensemble made of it and of the first ``results`` results.

    ``typical_noise``: the noise variance that one more value would bring, and a failure has, standardised:
    the median of those that the refit saw, where noise is known or reported.
    """

    standardisation: Standardisation
    typical_noise: float
    ensemble: Ensemble[RandomFeatureModel]
    results: int


class FeatureBelief:
    """An ensemble fitted now and then. ``purpose`` names its streams of randomness."""

    def __init__(self, problem: Problem, history: History, dictionary: Dictionary, purpose: str) -> None:
        self._problem = problem
        self._history = history
        self._dictionary = dictionary
        self._purpose = purpose
        self._refit: Refit | None = None
        self._conditioned: Conditioned | None = None

    @property
    def refit(self) -> Refit | None:
        """The last that was adopted."""
        return self._refit

    @property
    def current(self) -> Conditioned:
        """Given everything told. Raises ValueError before the first refit."""
        if self._refit is None:
            raise ValueError("expected a belief that has been fitted; adopt a refit first")
        if self._conditioned is None:
            self._conditioned = self._caught_up(self._as_of(self._refit))
        return self._conditioned

    def learn(self) -> None:
        """Take in what was told since: O(M D^2) for each. Not before what is learned is needed."""
        if self._conditioned is not None:
            self._conditioned = self._caught_up(self._conditioned)

    def compute_refit(self, number: int) -> Refit:
        """See `Algorithm`. Beyond 1,000 results linear in them, with one pass over all for each member."""
        history, domain = self._history, self._problem.domain
        standardisation = Standardisation.of(history.values[~np.isnan(history.values)], warped=True)
        typical = self._typical_noise(standardisation, len(history))
        everything = self._results(standardisation, typical, slice(len(history)))
        seen = subsample(everything, LARGEST, self._stream("results kept", number))
        members, prepared = {}, {}
        for m, template in enumerate(self._dictionary.templates):
            found = fit(
                template,
                seen,
                Prior.for_dimension(domain.dimension),
                self._stream("hyperparameters", number, m),
                noise_variance=None if self._problem.noise.kind == "unknown" else 0.0,
                search=Search(warm=self._last_found(template.name)),
            )
            features = self._features(found, number, m)
            member = FeatureMember.fitted(found, features, seen)
            posterior = member.posterior(features, everything)
            members[template.name] = replace(member, log_evidence=posterior.log_evidence).to_json()
            prepared[template.name] = posterior.to_bytes()
        prepared[TYPICAL_NOISE] = np.float64(typical).tobytes()
        payload = {"standardisation": standardisation.to_json(), "members": members}
        return Refit(number, len(history), payload, prepared)

    def adopt(self, refit: Refit) -> None:
        """See `Algorithm`. O(M D^2) for each result that the refit has not seen, if it comes prepared."""
        if self._refit is not None and refit.number <= self._refit.number:
            return
        refit.require_told(len(self._history))
        self._refit = replace(refit, prepared={})
        self._conditioned = self._caught_up(self._as_of(refit)) if refit.prepared else None

    def _as_of(self, refit: Refit) -> Conditioned:
        """The ensemble when the refit was computed, weighted by evidence."""
        standardisation = Standardisation.from_json(refit.payload["standardisation"])
        members = self._members(refit.payload)
        features = [
            self._features(own.hyperparameters, refit.number, m) for m, own in enumerate(members.values())
        ]
        if refit.prepared:
            posteriors = [
                own.prior(feature).restored(refit.prepared[name])
                for (name, own), feature in zip(members.items(), features, strict=True)
            ]
            typical = float(np.frombuffer(refit.prepared[TYPICAL_NOISE])[0])
        else:
            typical = self._typical_noise(standardisation, refit.observations)
            seen = self._results(standardisation, typical, slice(refit.observations))
            posteriors = [
                own.posterior(feature, seen) for own, feature in zip(members.values(), features, strict=True)
            ]
        evidences = [own.log_evidence for own in members.values()]
        ensemble = Ensemble.by_evidence(list(members), posteriors, evidences, self._dictionary.weight_floor)
        return Conditioned(standardisation, typical, ensemble, refit.observations)

    def _caught_up(self, belief: Conditioned) -> Conditioned:
        """The results told since taken in (Eqs. 10 and 11), one by one: how they came is not in the bits."""
        ensemble = belief.ensemble
        for row in range(belief.results, len(self._history)):
            told = self._results(belief.standardisation, belief.typical_noise, slice(row, row + 1))
            variance = 0.0 if told.extra_noise is None else float(told.extra_noise[0])
            failed = math.isnan(self._history.values[row])
            learn = ensemble.suppose if failed else ensemble.condition
            ensemble = learn(told.X[0], float(told.y[0]), variance)
        return replace(belief, ensemble=ensemble, results=len(self._history))

    def _members(self, payload: Mapping[str, Any]) -> dict[str, FeatureMember]:
        names = [template.name for template in self._dictionary.templates]
        return {name: FeatureMember.from_json(payload["members"][name]) for name in names}

    def _last_found(self, name: str) -> Hyperparameters | None:
        if self._refit is None:
            return None
        return FeatureMember.from_json(self._refit.payload["members"][name]).hyperparameters

    def _features(self, found: Hyperparameters, refit: int, m: int) -> FourierFeatures:
        """Member m's, drawn anew for each refit."""
        return draw_features(
            found,
            self._dictionary.templates[m].family,
            self._problem.domain.embedded_parameter,
            self._dictionary.frequencies,
            self._stream("frequencies", refit, m),
        )

    def _typical_noise(self, standardisation: Standardisation, results: int) -> float:
        told = ToldValues.of(self._problem, self._history, slice(results))
        return told.typical_noise(standardisation)

    def _results(self, standardisation: Standardisation, typical_noise: float, which: slice) -> Data:
        """Some of what was told as the members see it, failures as average results."""
        domain, told = self._problem.domain, ToldValues.of(self._problem, self._history, which)
        y, noise = told.standardised(standardisation, noise_of_a_failure=typical_noise)
        return Data(domain.embed(self._history.points[which]), y, domain.embedded_parameter, noise)

    def _stream(self, purpose: str, *numbers: int) -> np.random.Generator:
        return stream(self._problem.seed, f"{self._purpose} {purpose}", *numbers)
