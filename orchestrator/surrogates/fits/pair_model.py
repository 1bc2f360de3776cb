"""The most probable hyperparameters of a kernel, by its evidence.

Notation: theta (k,) the logarithms of what is free.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from orchestrator.surrogates.evidence.pair_model import KernelEvidence
from orchestrator.surrogates.fits.mode_search import Mode, highest_mode

H = TypeVar("H")

# theta is searched this many of its belief's deviations either side of the median.
REACH = 4.0


def fit_kernel(evidence: KernelEvidence[H], warm: H | None, starts: int, iterations: int) -> Mode[H]:
    """The highest mode found from ``warm``, if given, and cold starts, ``starts`` in all. Deterministic.

    Raises FactorisationError if no start can be factorised.
    """
    bounds = evidence.believed.within(REACH)
    before = [] if warm is None else [evidence.model.theta(warm)]
    chosen = [*before, *evidence.model.cold_starts][: max(1, starts)]
    within = [np.clip(start, bounds[:, 0], bounds[:, 1]) for start in chosen]
    best = highest_mode(evidence.log_posterior, within, bounds, iterations)
    return Mode(evidence.model.hyperparameters(best), evidence.log_marginal(best))
