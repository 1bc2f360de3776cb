"""Hypotheses that believe derivatives, beside those of values alone, where evaluations returned some.

A hypothesis is weighed by how well it foretells every value by the other results, its own derivatives left
out with it, as in the search by derivatives; those of values alone, which keep their weights among one
another, count as one.

Notation: n results, p points, E embedded columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

from orchestrator.algorithms.ask_and_tell.told_values import ToldValues
from orchestrator.algorithms.base import Observation, Problem
from orchestrator.algorithms.derivatives.hypotheses import LEAST_WEIGHT, NO_NOISE, Hypothesis
from orchestrator.algorithms.derivatives.told_derivatives import ToldDerivatives
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.belief import MixtureBelief
from orchestrator.arrays import FloatArray
from orchestrator.numerics.linalg import FactorisationError
from orchestrator.numerics.rng import stream
from orchestrator.sensitivity.belief_of_results import BeliefOfResults, BelievedFunction
from orchestrator.sensitivity.foretold import log_densities
from orchestrator.sensitivity.weighed_functions import WeighedFunctions
from orchestrator.surrogates.covariances.kernel_families import MATERN_52, RBF
from orchestrator.surrogates.evidence.with_derivatives import DerivativeData, values_left_out
from orchestrator.surrogates.fits.trusting_derivatives import fit_trusting_derivatives
from orchestrator.surrogates.posteriors.with_derivatives import DerivativeGP
from orchestrator.surrogates.scales.standardise import Standardisation

MOST_ROWS = 1000
"""Of values and derivatives: all values of results that are modelled, and what derivatives fit beside."""
MOST_FITTED = 150
"""Of which hyperparameters are found."""
FINEST = 1e-4
"""Of the deviation of all values: none counts as foretold any nearer. Models of values alone resolve finer
than those of derivatives, and by what lies about an optimum alone they would be believed."""


@dataclass(frozen=True, eq=False, slots=True)
class ByDerivatives:
    """A `BelievedFunction`: a hypothesis conditioned on ``data``, which it trusts."""

    hypothesis: Hypothesis
    scale: Standardisation
    data: DerivativeData
    posterior: DerivativeGP
    unresolved_variance: float = 0.0

    @property
    def inferred_noise(self) -> float:
        """See `BelievedFunction`."""
        return self.hypothesis.hyperparameters.noise_variance

    def expected(self, X: FloatArray) -> FloatArray:
        """See `BelievedFunction`."""
        return self.scale.undo(self.posterior.mean_at(X))

    def covariances(self, X: FloatArray) -> FloatArray:
        """See `BelievedFunction`."""
        return self.posterior.covariances(X)

    def covariances_between(self, X: FloatArray, places: FloatArray) -> FloatArray:
        """See `BelievedFunction`."""
        return self.posterior.covariances_between(X, places)

    def left_out(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """See `BelievedFunction`; O(N^3) of N rows."""
        own, data = self.hypothesis.hyperparameters, self.data
        kernel = own.kernel(self.hypothesis.family, data.aspects)
        return data.values.y, *values_left_out(kernel, data, own.noise_variance, own.ratio)


def beside_derivatives(
    alone: MixtureBelief, problem: Problem, history: History, observations: Sequence[Observation]
) -> BeliefOfResults:
    """By the ``observations`` of a history, all with a value, to which ``alone`` was fitted without their
    derivatives; that itself, where none brought any.
    """
    told = ToldDerivatives(problem.domain, problem.derivatives)
    for observation in observations:
        told.tell(observation)
    found = _hypotheses(problem, history, told) if told.brought(history) else []
    if not found:
        return alone
    each = np.array([log_densities(one, history.values, FINEST) for one in alone.members])
    scores = [float(logsumexp(each, axis=0, b=alone.weights[:, None]).sum()), *(score for _, score in found)]
    shares = np.exp(np.array(scores) - max(scores))
    shares /= shares.sum()
    weights = np.concatenate([shares[0] * alone.weights, shares[1:]])
    named: list[tuple[str, BelievedFunction]] = [
        *((one.found.hypothesis.name, one) for one in alone.members),
        *((one.hypothesis.name, one) for one, _ in found),
    ]
    likely = np.flatnonzero(weights >= LEAST_WEIGHT)
    return WeighedFunctions([named[i] for i in likely], weights[likely] / weights[likely].sum())


def _hypotheses(
    problem: Problem, history: History, told: ToldDerivatives
) -> list[tuple[ByDerivatives, float]]:
    """Each with the log density of all values, as `log_densities`."""
    values = ToldValues.of(problem, history, slice(None))
    scale = Standardisation.of(history.values, warped=True)
    noise = values.standardised(scale)[1]
    rng = stream(problem.seed, "derivatives of results", len(history))
    few = told.drawn(history, scale, noise, MOST_FITTED, rng)
    data = told.drawn(history, scale, noise, MOST_ROWS, rng)
    known = None if problem.noise.kind == "unknown" else NO_NOISE
    found = []
    for family in (MATERN_52, RBF):
        try:
            hypothesis = Hypothesis(family, True, fit_trusting_derivatives(family, few, known)[0])
            trusted = hypothesis.trusted(data)
            one = ByDerivatives(hypothesis, scale, trusted, hypothesis.conditioned(trusted))
            found.append((one, float(log_densities(one, history.values, FINEST).sum())))
        except FactorisationError:
            continue
    return found
