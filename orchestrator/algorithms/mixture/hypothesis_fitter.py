"""Fitting hypotheses to one data set: by maximum a posteriori, with their evidence (Laplace).

All evidence is in the objective's units, so that hypotheses that see the values differently can be compared.

Notation: D parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from orchestrator.algorithms.mixture.hypotheses import OF_FORM, Fitted, Found, Hypothesis
from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.posterior_mean import PosteriorMean
from orchestrator.surrogates.covariances.wave import wave_columns
from orchestrator.surrogates.decompositions.factor_graph import Decomposition, FactorGraph
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.likely_waves import likely_waves
from orchestrator.surrogates.evidence.pair_model import KernelEvidence
from orchestrator.surrogates.evidence.pairwise_data import PairwiseData
from orchestrator.surrogates.evidence.thinning import best_and_spread, evenly
from orchestrator.surrogates.fits.additive import AdditiveFitter, AdditiveSearch
from orchestrator.surrogates.fits.pair_model import fit_kernel
from orchestrator.surrogates.hyperparameters.additive import AdditiveHyperparameters
from orchestrator.surrogates.hyperparameters.interaction import InteractionModel
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.hyperparameters.pair_model import PairModel
from orchestrator.surrogates.hyperparameters.paraboloid import ParaboloidModel
from orchestrator.surrogates.hyperparameters.related import RelatedModel
from orchestrator.surrogates.hyperparameters.scaled_pairs import ScaledPairs
from orchestrator.surrogates.hyperparameters.trend import TrendHyperparameters, TrendModel
from orchestrator.surrogates.hyperparameters.wave import WaveHyperparameters, WaveModel

M = TypeVar("M", InteractionModel, TrendModel, ScaledPairs)

MANY_PARAMETERS = 40
LARGEST_FITTED = 200
LARGEST_FITTED_OF_MANY = 150
# Waves are fitted where the values show some at so many deviations, and from so many frequencies.
LEAST_DEVIATIONS = 1.5
FREQUENCIES_TRIED = 2
# One frequency along all parameters is more than what other hypotheses assume.
LOG_PRIOR_OF_WAVES = -6.0
# Between these variances, standardised, a fit of waves starts.
LEAST_WAVES, MOST_WAVES = 0.03, 1.0


@dataclass(frozen=True, slots=True)
class FitEffort:
    """How hard a fit looks: ``starts``, with a warm one if there is one, and iterations from each."""

    starts: int
    iterations: int


AFRESH, AGAIN, AT_A_GLANCE = FitEffort(2, 40), FitEffort(1, 12), FitEffort(1, 40)
"""Where a hypothesis is weighed anew; where it goes on from its last fit; and where it may be ruled out, for
which its mode has to be found first.
"""


@dataclass(frozen=True, eq=False)
class HypothesisFitter:
    """One data set under one scale of its outputs.

    ``data`` has slopes, by which densities of standardised values become densities of values;
    ``noise_variance`` None infers the noise; ``log_prior`` is what a scale has to make up for that was chosen
    among many; ``about`` (E,) is the embedded input that expansions are about; ``known`` what related
    experiments found.
    """

    data: Data
    noise_variance: float | None
    log_prior: float = 0.0
    about: FloatArray | None = None
    known: tuple[PosteriorMean, ...] = ()

    def thinned(self, count: int) -> HypothesisFitter:
        """One of so many of the values at most, whatever they are."""
        return replace(self, data=self.data.take(evenly(len(self.data.y), count)))

    @property
    def largest(self) -> int:
        """How many values a fit sees at most."""
        few = self.data.dimension <= MANY_PARAMETERS
        return LARGEST_FITTED if few else LARGEST_FITTED_OF_MANY

    @cached_property
    def pairs(self) -> PairwiseData:
        """Pairwise differences, shared by all hypotheses."""
        return PairwiseData.of(self.data, self.largest)

    def fit(
        self, hypothesis: Hypothesis, factors: Decomposition | None, warm: Found | None, effort: FitEffort
    ) -> Found:
        """``factors`` for the form that has them.

        Raises FactorisationError if nothing can be factorised.
        """
        starts, iterations = effort.starts, effort.iterations
        before = warm.hyperparameters if warm is not None else None
        if hypothesis.form == "waves":
            assert isinstance(before, WaveHyperparameters)
            return self._waves(hypothesis, [before], iterations)
        if (model := self._pair_model(hypothesis)) is not None:
            assert before is None or isinstance(before, OF_FORM[hypothesis.form])
            mode = fit_kernel(KernelEvidence(self.pairs, model), before, starts, iterations)
            return self._found(hypothesis, mode.hyperparameters, mode.log_marginal)
        D = self.data.dimension
        structure = (tuple(range(D)),) if factors is None or hypothesis.form == "joint" else factors
        search = AdditiveSearch(starts, iterations, _additive(warm, D))
        found = self.additive(hypothesis).fit(FactorGraph(structure, D, nested=True), search)
        own = found.hyperparameters
        if hypothesis.form == "factors":
            return self._found(hypothesis, own, found.log_marginal)
        joint = Hyperparameters(own.length_scales, own.variances[0], own.noise_variance)
        return self._found(hypothesis, joint, found.log_marginal)

    def waves_upon(self, trends: Sequence[Found], before: Sequence[Found], effort: FitEffort) -> list[Found]:
        """Waves, of a frequency that the values show or that was found ``before``; none where there is none.

        Upon the likeliest of some ``trends``, with one length-scale for all its detail: else that explains
        waves that are seen too rarely. Only if they are likelier than the trend without them.

        Raises FactorisationError if nothing can be factorised.
        """
        trend = trends[0].hypothesis
        alike = replace(trend, shared=self.data.dimension > 1)
        found = next((f for f in trends if f.hypothesis == alike), None) or self.fit(
            alike, None, trends[0], AGAIN
        )
        surface = found.hyperparameters
        assert isinstance(surface, TrendHyperparameters)
        covariance = surface.kernel(alike.family, self.data.embedded_parameter)
        likely = likely_waves(self._seen, covariance, surface.noise_variance, FREQUENCIES_TRIED)
        starts = [w for f in before if isinstance(w := f.hyperparameters, WaveHyperparameters)]
        for one in likely:
            if one.deviations > LEAST_DEVIATIONS:
                variance = min(max(one.waves.variance, LEAST_WAVES), MOST_WAVES)
                starts.append(WaveHyperparameters(surface, replace(one.waves, variance=variance)))
        if not starts:
            return []
        waves = self._waves(replace(alike, form="waves"), starts, effort.iterations)
        return [waves] if waves.log_probability > found.log_probability else []

    def _waves(self, hypothesis: Hypothesis, starts: Sequence[WaveHyperparameters], iterations: int) -> Found:
        along = self._seen.X[:, wave_columns(self.data.embedded_parameter)]
        model = WaveModel(self._model(TrendModel, hypothesis), along, starts)
        waves = fit_kernel(KernelEvidence(self.pairs, model), None, len(starts), iterations)
        return self._found(hypothesis, waves.hyperparameters, waves.log_marginal + LOG_PRIOR_OF_WAVES)

    def additive(self, hypothesis: Hypothesis, largest: int | None = None) -> AdditiveFitter:
        """A fitter of decompositions under its kernel."""
        largest = largest or self.largest
        told = len(self.data.y)
        return AdditiveFitter(
            self.data,
            hypothesis.template,
            noise_variance=self.noise_variance,
            largest=largest,
            known_pairs=self.pairs if min(told, largest) == min(told, self.largest) else None,
        )

    @cached_property
    def _seen(self) -> Data:
        """What `pairs` are of."""
        return self.data.take(best_and_spread(self.data.ranked, self.largest))

    def _pair_model(self, hypothesis: Hypothesis) -> PairModel[Any] | None:
        """None for a form whose evidence `fits.additive` computes."""
        if hypothesis.form == "pairs":
            return self._model(InteractionModel, hypothesis)
        if hypothesis.form == "trend":
            return self._model(TrendModel, hypothesis)
        if hypothesis.form == "paraboloid":
            return ParaboloidModel(self._model(ScaledPairs, hypothesis), self._seen.X)
        if hypothesis.form == "expansion":
            assert self.about is not None
            scaled = self._model(ScaledPairs, hypothesis)
            return ParaboloidModel(scaled, self._seen.X, self.about, self._tells_pairs_apart)
        if hypothesis.form == "related":
            found = np.array([known.values(self._seen.X) for known in self.known])
            return RelatedModel(self._model(ScaledPairs, hypothesis), found)
        return None

    @property
    def _tells_pairs_apart(self) -> bool:
        """Whether the values may say how much pairs of parameters count for: those of a paraboloid's
        coefficients are the most, and noise does not hide them.
        """
        D, extra = self.data.dimension, self.data.extra_noise
        exact = self.noise_variance == 0.0 and (extra is None or not extra.any())
        return exact and D * (D - 1) / 2 > 2 * D + 1

    def _model(self, model: type[M], hypothesis: Hypothesis) -> M:
        return model(self.pairs.squared, hypothesis.family, hypothesis.shared, self.noise_variance)

    def _found(self, hypothesis: Hypothesis, own: Fitted, log_marginal: float) -> Found:
        return Found(hypothesis, own, log_marginal + self.pairs.log_jacobian + self.log_prior)


def _additive(warm: Found | None, dimension: int) -> AdditiveHyperparameters | None:
    if warm is None:
        return None
    own = warm.hyperparameters
    if isinstance(own, AdditiveHyperparameters):
        return own
    assert isinstance(own, Hyperparameters)
    whole = (tuple(range(dimension)),)
    return AdditiveHyperparameters(whole, own.length_scales, (own.variance,), own.noise_variance)
