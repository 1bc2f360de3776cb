"""The mixture that `auto` believes in: the likeliest hypotheses of a refit, conditioned on results."""

from __future__ import annotations

import numpy as np

from orchestrator.algorithms.base import Problem, Refit
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.belief import Member, MixtureBelief
from orchestrator.algorithms.mixture.features import member_features
from orchestrator.algorithms.mixture.hypotheses import Found
from orchestrator.algorithms.mixture.kept import Kept
from orchestrator.algorithms.mixture.related_experiments import known_functions
from orchestrator.algorithms.mixture.standing import Standing
from orchestrator.surrogates.covariances.posterior_mean import PosteriorMean
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.mixtures.feature_member import FeatureMember
from orchestrator.surrogates.scales.standardise import Standardisation


def mixture(problem: Problem, history: History, refit: Refit, standing: Standing) -> MixtureBelief:
    """Of what a ``refit``, which left things ``standing`` so, saw of the results: O(n^3) for each member."""
    payload = refit.payload
    found = standing.candidates[: payload["members"]]
    scales = {warped: Standardisation.from_json(scale) for warped, scale in payload["scales"]}
    kept = Kept(problem, history, refit.number, refit.observations, payload["noisy"])
    known = known_functions(problem, standing.related)
    members = [
        _member(problem, refit.number, f, scales[f.hypothesis.warped], kept, variance, known)
        for f, variance in zip(found, payload["approximations"], strict=True)
    ]
    if problem.noise.is_none:
        members = [member.whose_noise_is_detail for member in members]
    return MixtureBelief(members, np.array([f.log_probability for f in found]))


def _member(
    problem: Problem,
    number: int,
    found: Found,
    scale: Standardisation,
    kept: Kept,
    approximation_variance: float | None,
    known: tuple[PosteriorMean, ...],
) -> Member:
    """Exact, of some of the results where they are many; or in features, of more of them, where these are
    known to add so much noise.
    """
    if approximation_variance is None:
        return Member.of(found, scale, problem.domain, kept.by_exact_models, known)
    own = found.hyperparameters
    assert isinstance(own, Hyperparameters)
    prior = FeatureMember(own, approximation_variance, 0.0).prior(member_features(problem, number, found))
    return Member.in_features(found, scale, prior, kept.by_features)
