"""A weighted mixture of Gaussian processes under different hypotheses, each with its own scale.

Weights are evidence at a refit, and predictive likelihood in between (Eqs. 7 and 10 of Lu et al. 2022), both
in the objective's units, so that hypotheses that see the values differently can be weighed against each
other.

Notation: M members, n results, m points, E embedded columns.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from orchestrator.algorithms.additive.factor_parts import parts
from orchestrator.algorithms.ask_and_tell.hallucination import in_all
from orchestrator.algorithms.ask_and_tell.told_values import ToldValues
from orchestrator.algorithms.base import Part, Prediction
from orchestrator.algorithms.mixture.feature_posterior import FeaturePosterior
from orchestrator.algorithms.mixture.hypotheses import Found
from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.surrogates.covariances.block_offsets import Blocks
from orchestrator.surrogates.covariances.posterior_mean import PosteriorMean
from orchestrator.surrogates.decompositions.factor_graph import Decomposition
from orchestrator.surrogates.mixtures.ensemble import normalised
from orchestrator.surrogates.posteriors.averaged import AveragedPosterior
from orchestrator.surrogates.posteriors.covariances_with import covariances_with
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.posteriors.factor_moments import factor_moments
from orchestrator.surrogates.posteriors.random_features import RandomFeatureModel
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.settings_off import SettingsOff

WEIGHT_FLOOR = 1e-3


@dataclass(frozen=True, eq=False, slots=True)
class Results:
    """(n, E) embedded inputs, (n,) values, (n,) noise variances, in the objective's units;
    ``foreseen`` as in `ToldValues`; ``blocks`` are those that values share offsets by, if any.
    """

    X: FloatArray
    values: FloatArray
    variances: FloatArray
    foreseen: BoolArray | None = None
    blocks: Blocks | None = None

    def standardised(self, scale: Standardisation) -> tuple[FloatArray, FloatArray]:
        """(n,) values and noise variances as a member sees them."""
        return ToldValues(self.values, self.variances).standardised(scale)

    def with_offset_variance(self, variance: float) -> Results:
        """The same, where offsets of blocks vary by so much, if there are blocks."""
        if self.blocks is None:
            return self
        return replace(self, blocks=replace(self.blocks, variance=variance))

    def blocks_on(self, scale: Standardisation) -> Blocks | None:
        """The blocks as a member sees them, which has no warp: offsets are added to values as they are."""
        if self.blocks is None:
            return None
        variance = scale.apply_variance(np.zeros(1), np.array([self.blocks.variance]))
        return replace(self.blocks, variance=float(variance[0]))

    def typical_noise(self, scale: Standardisation) -> float:
        """The median of the variances that were told with values, standardised; 0 if there are none."""
        return ToldValues(self.values, self.variances, self.foreseen).typical_noise(scale)


@dataclass(frozen=True, eq=False, slots=True)
class Member:
    """A hypothesis with its posterior, which learns in place."""

    found: Found
    scale: Standardisation
    posterior: ExactGP | FeaturePosterior | AveragedPosterior
    # Of one more evaluation, standardised.
    noise_variance: float
    # Of detail that results do not resolve, standardised: it is part of the function, and as good as luck.
    unresolved_variance: float = 0.0

    @classmethod
    def of(
        cls,
        found: Found,
        scale: Standardisation,
        domain: Domain,
        results: Results,
        known: Sequence[PosteriorMean] = (),
    ) -> Member:
        """Exact, conditioned on results: O(n^3). ``known`` is what related experiments found."""
        blocks = results.blocks_on(scale)
        offset_variance = 0.0 if blocks is None else blocks.variance
        posterior = ExactGP(found.covariance(domain, known), found.noise_variance, offset_variance)
        numbers = None if blocks is None else blocks.numbers
        posterior.append(results.X, *results.standardised(scale), blocks=numbers)
        return cls(found, scale, posterior, found.noise_variance + results.typical_noise(scale))

    @classmethod
    def from_json(cls, model: Mapping[str, Any], domain: Domain, results: Results) -> Member:
        """What a refit found, conditioned on the results that it was found from, or more: O(n^3)."""
        scale = Standardisation.from_json(model["scale"])
        return cls.of(Found.from_json(model["found"]), scale, domain, results)

    @classmethod
    def in_features(
        cls, found: Found, scale: Standardisation, prior: RandomFeatureModel, results: Results
    ) -> Member:
        """In random features: O(n D^2) for D frequencies."""
        posterior = FeaturePosterior(prior)
        posterior.append(results.X, *results.standardised(scale))
        return cls(found, scale, posterior, found.noise_variance + results.typical_noise(scale))

    @property
    def drawable(self) -> ExactGP | RandomFeatureModel:
        """What functions can be drawn from."""
        assert not isinstance(self.posterior, AveragedPosterior)
        return self.posterior.model if isinstance(self.posterior, FeaturePosterior) else self.posterior

    @property
    def offset_variance(self) -> float:
        """That of blocks' offsets, standardised: 0 where there are none."""
        return self.posterior.offset_variance if isinstance(self.posterior, ExactGP) else 0.0

    @property
    def inferred_noise(self) -> float:
        """How one more value varies about the function, but for what is told with it, standardised."""
        return self.found.noise_variance + self.offset_variance

    def covariances(self, X: FloatArray) -> FloatArray:
        """(p, p) of the function at (p, E) inputs together: O(n^2 p)."""
        return covariances_with(self.drawable, X).matrix(X)

    def covariances_between(self, X: FloatArray, places: FloatArray) -> FloatArray:
        """(p, P) of the function at (p, E) inputs with (P, E) places: O(n^2 P + n p P)."""
        return covariances_with(self.drawable, places).matrix(X)

    def left_out(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(n,) values, as it sees them, with those of `ExactGP.left_out`: of exact members alone."""
        assert isinstance(self.posterior, ExactGP)
        return self.posterior.values, *self.posterior.left_out()

    def expected(self, X: FloatArray) -> FloatArray:
        """(n,) what values are believed to be without their noise, in the objective's units."""
        return self.scale.undo(self.posterior.mean_at(X))

    def predicted(self, X: FloatArray) -> Prediction:
        """What the value is believed to be at a (1, E) point, without its noise, in the objective's units."""
        mean, variance = self.posterior.mean_and_variance(X)
        return Prediction.of(mean[0], variance[0] + self.unresolved_variance, self.scale)

    @property
    def whose_noise_is_detail(self) -> Member:
        """Where values have no noise: what is inferred to be some is detail that results do not resolve."""
        return replace(
            self,
            noise_variance=self.noise_variance - self.found.noise_variance,
            unresolved_variance=self.found.noise_variance,
        )

    def averaged(self, off: SettingsOff) -> Member:
        """What it believes of averages over where embedded inputs come out that are ``off``; it learns what
        this one learns. Detail that results do not resolve is as good as none on average.
        """
        assert isinstance(self.posterior, ExactGP)
        return replace(self, posterior=AveragedPosterior(self.posterior, off), unresolved_variance=0.0)

    def parts(self, x: FloatArray) -> tuple[Part, ...]:
        """What each factor is believed to add at an embedded (E,) point; none, if it believes in none."""
        if self.found.factors is None or not isinstance(self.posterior, ExactGP):
            return ()
        total = float(self.posterior.mean_at(x[None, :])[0])
        return parts(self.found.factors, factor_moments(self.posterior, x), total, self.scale)

    def learn(self, result: Results) -> float:
        """Take one result in; the log density that it gave the value before, in the objective's units."""
        y, noise = result.standardised(self.scale)
        assert not isinstance(self.posterior, AveragedPosterior)
        if result.blocks is None or isinstance(self.posterior, FeaturePosterior):
            density = float(self.posterior.log_predictive(result.X, y, noise)[0])
            self.posterior.append(result.X, y, noise)
        else:
            numbers = result.blocks.numbers
            density = float(self.posterior.log_predictive(result.X, y, noise, numbers)[0])
            self.posterior.append(result.X, y, noise, numbers)
        return density + math.log(float(self.scale.slopes(result.values)[0]))

    def offsets(self, names: Sequence[str]) -> dict[str, Prediction]:
        """What is believed of the offsets of blocks, which are numbered as they are named, in the objective's
        units, from the mean of all of them: what they have in common is hardly told from the function.
        """
        assert isinstance(self.posterior, ExactGP)
        count = len(names)
        means, covariance = self.posterior.offsets(np.arange(count))
        from_mean = np.eye(count) - 1.0 / count
        means, variances = from_mean @ means, np.diagonal(from_mean @ covariance @ from_mean)
        unit = self.scale.scale
        believed = zip(names, means * unit, np.sqrt(np.maximum(variances, 0.0)) * unit, strict=True)
        return {name: Prediction(float(mean), float(deviation)) for name, mean, deviation in believed}


class MixtureBelief:
    """M members, the most probable first at each refit."""

    def __init__(self, members: Sequence[Member], log_weights: FloatArray) -> None:
        self.members = tuple(members)
        self._log_weights = normalised(log_weights, WEIGHT_FLOOR)

    @property
    def weights(self) -> FloatArray:
        """(M,) probabilities."""
        return np.exp(self._log_weights)

    def averaged(self, off: SettingsOff) -> MixtureBelief:
        """What it believes of averages: see `Member.averaged`."""
        return MixtureBelief([member.averaged(off) for member in self.members], self._log_weights)

    @property
    def by_name(self) -> dict[str, float]:
        """The probability of each hypothesis by what it is called."""
        named = zip(self.members, self.weights, strict=True)
        return {member.found.hypothesis.name: float(weight) for member, weight in named}

    @property
    def leader(self) -> Member:
        """The most probable member."""
        return self.members[int(np.argmax(self._log_weights))]

    def probability(self, factors: Decomposition) -> float:
        """That of a decomposition, whatever the kernels of those that believe in it."""
        alike = [member.found.factors == factors for member in self.members]
        return float(self.weights[np.array(alike)].sum())

    def learn(self, result: Results) -> None:
        """Take one result in: O(M n^2)."""
        densities = np.array([member.learn(result) for member in self.members])
        self._log_weights = normalised(self._log_weights + densities, WEIGHT_FLOOR)

    def hallucinating(self, X: FloatArray, *, without_noise: bool = False) -> AbstractContextManager[None]:
        """Within the block (m, E) points count as come out at each member's mean, or as known to be there."""
        return in_all(m.posterior.hallucinating(X, without_noise=without_noise) for m in self.members)
