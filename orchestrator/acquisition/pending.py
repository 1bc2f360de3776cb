"""Points that still run, believed to come out as predicted while the next one is chosen.

For acquisitions that would otherwise choose the same point again (UCB, EI): the mean stays, the variance
shrinks about what runs (Desautels, Krause & Burdick 2014, GP-BUCB). Thompson sampling needs none of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from orchestrator.acquisition.posterior import Posterior
from orchestrator.surrogates.exact import ExactGP
from orchestrator.surrogates.random_features import RandomFeatureModel

FloatArray = NDArray[np.float64]


@contextmanager
def hallucinating(
    posterior: ExactGP | RandomFeatureModel, pending: FloatArray, extra_noise: float = 0.0
) -> Iterator[Posterior]:
    """Within the block, a posterior for which (p, E) embedded points have come out at their means.

    ``extra_noise``: the variance that a value of one brings beside what all share, in standardised units. The
    posterior passed in is the same after the block as before, to the bit.
    """
    if isinstance(posterior, ExactGP):
        with posterior.hallucinating(pending, extra_noise=extra_noise):
            yield posterior
    else:
        yield posterior.hallucinated(pending, extra_noise)
