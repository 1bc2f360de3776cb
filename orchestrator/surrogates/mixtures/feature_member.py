"""A random-feature member of an ensemble: fitted by an exact GP, its approximation paid for as noise.

Hyperparameters are those of the exact GP (Lu et al. 2022, App. E fits them so). But 2D features cannot
express everything that the GP can, least of all sharp peaks or many results without noise, and a posterior
that took what is left over for signal would be sure of a bad approximation. So what is left over counts as
noise, of the variance under which the features' own evidence is highest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from orchestrator.arrays import IndexArray
from orchestrator.surrogates.covariances.fourier_features import FourierFeatures
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.posteriors.random_features import RandomFeatureModel

# In standardised units. The least keeps observations without noise from being taken for exact.
APPROXIMATION_VARIANCES = tuple(float(10.0**exponent) for exponent in np.arange(-6.0, 0.5, 0.5))


@dataclass(frozen=True, slots=True)
class FeatureMember:
    """What determines a member, but for its frequencies and its data.

    ``approximation_variance`` is added to the noise variance; ``log_evidence`` is that of the data it is
    weighed by, those it was fitted to or more, under the features (the batch form of Eq. 7), in nats.
    """

    hyperparameters: Hyperparameters
    approximation_variance: float
    log_evidence: float

    @classmethod
    def fitted(cls, hyperparameters: Hyperparameters, features: FourierFeatures, data: Data) -> FeatureMember:
        """With the approximation variance of highest evidence. O(n D^2), a dozen times."""

        def member(variance: float) -> FeatureMember:
            candidate = cls(hyperparameters, variance, 0.0)
            return replace(candidate, log_evidence=candidate.posterior(features, data).log_evidence)

        return max(map(member, APPROXIMATION_VARIANCES), key=lambda candidate: candidate.log_evidence)

    def prior(self, features: FourierFeatures) -> RandomFeatureModel:
        """The member before it has seen data."""
        noise = self.hyperparameters.noise_variance + self.approximation_variance
        return RandomFeatureModel.prior(features, self.hyperparameters.variance, noise)

    def posterior(self, features: FourierFeatures, data: Data) -> RandomFeatureModel:
        """The member given ``data``. O(n D^2)."""
        noise = 0.0 if data.extra_noise is None else data.extra_noise
        return self.prior(features).condition_on_batch(data.X, data.y, noise)

    def to_json(self) -> dict[str, Any]:
        """JSON values, exact to the bit."""
        return {
            "hyperparameters": self.hyperparameters.to_json(),
            "approximation_variance": self.approximation_variance,
            "log_evidence": self.log_evidence,
        }

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> FeatureMember:
        """What `to_json` wrote."""
        return cls(
            Hyperparameters.from_json(payload["hyperparameters"]),
            float(payload["approximation_variance"]),
            float(payload["log_evidence"]),
        )


def draw_features(
    hyperparameters: Hyperparameters,
    family: KernelFamily,
    embedded_parameter: IndexArray,
    count: int,
    rng: np.random.Generator,
) -> FourierFeatures:
    """``count`` frequencies of the kernel's spectral density; ``embedded_parameter`` (E,) as of `Data`."""
    kernel = hyperparameters.kernel(family, embedded_parameter)
    return FourierFeatures(kernel.spectral_frequencies(count, rng))
