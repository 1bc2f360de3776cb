"""The part of a refit of `auto` that is about whether evaluations succeed, and what is believed by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from orchestrator.algorithms.mixture.outcomes_kept import OutcomesKept
from orchestrator.algorithms.mixture.success_belief import SuccessBelief
from orchestrator.surrogates.evidence.thinning import evenly
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.latent.likeliest_kernel import FAMILY
from orchestrator.surrogates.latent.probit_fit import base_rate, fit_success, typical

LARGEST_FITTED = 200
LEAST_CHANCE = 0.35
"""What is less likely to succeed is not tried while there is anything to gain elsewhere; where few points of
the start design succeeded, it is half of their share.
"""


def success_model(kept: OutcomesKept, designed: int) -> dict[str, Any] | None:
    """JSON values of what a refit finds; None while nothing has failed. Of more than 200 results it sees as
    many, spread evenly over time. So many of the first were ``designed``.
    """
    succeeded, domain = kept.succeeded, kept.problem.domain
    if succeeded.all():
        return None
    mean = base_rate(succeeded)
    seen = evenly(len(succeeded), LARGEST_FITTED)
    found = fit_success(kept.embedded[seen], succeeded[seen], mean, domain.embedded_aspect)
    share = float(np.mean(~kept.history.failed[:designed]))
    return {"found": found.to_json(), "mean": mean, "least": min(LEAST_CHANCE, share / 2.0)}


def success_belief(kept: OutcomesKept, model: Mapping[str, Any]) -> SuccessBelief:
    """What a refit's payload says, told what is kept."""
    found = Hyperparameters.from_json(model["found"])
    # Refits that were journalled before say nothing of the least chance.
    return _belief(kept, found, float(model["mean"]), float(model.get("least", 0.0)))


def first_belief(kept: OutcomesKept) -> SuccessBelief:
    """Once something has failed, until there is a refit that knows of it: told what is kept."""
    return _belief(kept, typical(kept.problem.domain.embedded_aspect), base_rate(kept.succeeded))


def _belief(kept: OutcomesKept, found: Hyperparameters, mean: float, least: float = 0.0) -> SuccessBelief:
    kernel = found.kernel(FAMILY, kept.problem.domain.embedded_aspect)
    return SuccessBelief(kernel, mean, kept.embedded, kept.succeeded, least)
