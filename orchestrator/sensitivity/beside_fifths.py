"""Hypotheses that a fifth fewer results led to, beside those that all of them did.

What is likeliest by all results, which parameters act together before all, was looked for among very many by
these same results, and is mostly believed nearly alone. Where other parts of them lead elsewhere, that is
told of nowhere. So a part of the weight is theirs: hypotheses as they were found, conditioned on all results.
How far bounds are stretched was found without them, and stays.

Notation: n results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.mixture.belief import Member, MixtureBelief
from orchestrator.algorithms.mixture.kept import Kept
from orchestrator.algorithms.mixture.related_experiments import known_functions
from orchestrator.algorithms.mixture.sums_seen import seeing_sums
from orchestrator.sensitivity.fitted_mixture import FEW
from orchestrator.sensitivity.foretold import log_densities
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.sensitivity.weighed_functions import WeighedFunctions

SHARE = 0.5
"""Of the weight, that fifths have together, each as much, before members are weighed by all results."""


def beside_fifths(
    model: ResultsModel, fifths: Sequence[ResultsModel], problem: Problem, results: Measured
) -> ResultsModel:
    """A ``model`` of ``results`` with what models of all but each fifth of them found: O(n^3) for each
    member. The model itself, where those were not fitted as if there were no others, being of more than
    `FEW`, where derivatives are believed, and where values may have noise: of such it is not known to help.

    A weight is multiplied by the n-th root of how likely results are, each by all others, as a part of what
    they are by the best member of the model, and by 1 at most: as if all of them told as much as one.
    """
    models = (model, *fifths)
    if not fifths or not problem.noise.is_none or max(fifth.modelled for fifth in fifths) > FEW:
        return model
    if not all(isinstance(one.belief, MixtureBelief) for one in models):
        return model
    conditioned = [_by_all(one, problem, results) for one in models]
    shares = [1.0 - SHARE, *(SHARE / len(fifths) for _ in fifths)]
    weights = np.concatenate([part * one.belief.weights for part, one in zip(shares, models, strict=True)])
    members = [member for own in conditioned for member in own]
    foretold = np.array([log_densities(member, model.sign * results.values).mean() for member in members])
    weights *= np.exp(np.minimum(foretold - foretold[: len(conditioned[0])].max(), 0.0))
    named = [(member.found.hypothesis.name, member) for member in members]
    scales = tuple(one.scales for one in models for _ in one.belief.members)
    return replace(model, belief=WeighedFunctions(named, weights / weights.sum()), own_scales=scales)


def _by_all(model: ResultsModel, problem: Problem, results: Measured) -> list[Member]:
    """Its members as they were found, conditioned on all results, which have no noise."""
    there = seeing_sums(problem)
    if model.scales:
        there = replace(there, domain=model.scales.domain(there.domain))
    history = replace(results, points=model.scales.seen(results.points)).history(there)
    history.offset_variance = model.standing.offset_variance
    held = Kept(there, history, 1, len(history), noisy=False).by_exact_models
    known = known_functions(there, model.standing.related)
    return [
        Member.of(member.found, member.scale, there.domain, held, known).whose_noise_is_detail
        for member in model.belief.members
        if isinstance(member, Member)
    ]
