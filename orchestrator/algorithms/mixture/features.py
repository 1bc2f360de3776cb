"""The members of `auto` that stand for more results than an exact model holds: in random features."""

from __future__ import annotations

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.mixture.hypotheses import Found
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.covariances.fourier_features import FourierFeatures
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.mixtures.feature_member import (
    APPROXIMATION_VARIANCES,
    FeatureMember,
    draw_features,
)

FREQUENCIES = 200


def member_features(problem: Problem, number: int, found: Found) -> FourierFeatures:
    """The frequencies of a joint hypothesis at a refit."""
    own = found.hyperparameters
    assert isinstance(own, Hyperparameters)
    rng = stream(problem.seed, f"auto frequencies of {found.hypothesis.name}", number)
    return draw_features(own, found.hypothesis.family, problem.domain.embedded_aspect, FREQUENCIES, rng)


def approximation_variance(problem: Problem, number: int, found: Found, data: Data) -> float | None:
    """The noise that random features would add to a member at a refit, where its values' own noise hides
    that; else None.
    """
    own = found.hyperparameters
    if not isinstance(own, Hyperparameters):
        return None
    noise = own.noise_variance + float(np.median(data.extra_noise if data.extra_noise is not None else 0.0))
    if noise <= APPROXIMATION_VARIANCES[0]:
        return None
    features = member_features(problem, number, found)
    variance = FeatureMember.fitted(own, features, data).approximation_variance
    return variance if variance <= noise else None
