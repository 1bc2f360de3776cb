"""Each covariance is that of its own pair to the bit, whatever is asked for beside it: up to as many as an
exact process learns row by row it asks for at once.
"""

import numpy as np
import pytest

from orchestrator.surrogates.covariances.additive import AdditiveKernel
from orchestrator.surrogates.covariances.covariance import LARGEST_ROW_BY_ROW
from orchestrator.surrogates.covariances.interaction import InteractionKernel
from orchestrator.surrogates.covariances.kernel_families import MATERN_52, RBF
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.covariances.paraboloid import ParaboloidKernel, Paraboloids
from orchestrator.surrogates.covariances.posterior_mean import PosteriorMean
from orchestrator.surrogates.covariances.related import RelatedKernel
from orchestrator.surrogates.covariances.taylor_remainder import TaylorRemainder
from orchestrator.surrogates.covariances.trend import TrendKernel
from orchestrator.surrogates.covariances.wave import WaveKernel, Waves

E = 9
RNG = np.random.default_rng(0)
X = RNG.random((40 + LARGEST_ROW_BY_ROW, E))
COLUMNS, CENTRE = np.arange(E), RNG.random(E)
DETAIL = Kernel(MATERN_52, np.geomspace(0.3, 3.0, E), 1.7)
TREND = TrendKernel(Kernel(RBF, np.full(E, 4.0), 2.0), DETAIL)
PARABOLOIDS = Paraboloids(CENTRE, 0.8, 1.1, 0.6, 0.3)
KNOWN = PosteriorMean(Kernel(RBF, np.ones(E)), RNG.random((33, E)), RNG.standard_normal(33), COLUMNS)
COVARIANCES = {
    "one kernel": DETAIL,
    "factors": AdditiveKernel((COLUMNS[:5], COLUMNS[4:]), (Kernel(RBF, np.ones(5)), Kernel(RBF, np.ones(5)))),
    "pairs": InteractionKernel(MATERN_52, np.ones(E), (0.6, 1.7), COLUMNS),
    "a trend": TREND,
    "waves": WaveKernel(TREND, COLUMNS[:4], (Waves(3.2, 0.8), Waves(0.4, 1.3))),
    "paraboloids": ParaboloidKernel(PARABOLOIDS, DETAIL),
    "an expansion": ParaboloidKernel(PARABOLOIDS, TaylorRemainder(DETAIL, CENTRE, 0.8)),
    "a known function": RelatedKernel((KNOWN,), np.array([2.0]), DETAIL),
}


@pytest.mark.parametrize("covariance", COVARIANCES.values(), ids=COVARIANCES)
def test_what_is_asked_for_at_once_is_what_is_asked_for_row_by_row(covariance):
    together = covariance.matrix(X, X[40:])
    for new in range(LARGEST_ROW_BY_ROW):
        row = X[40 + new : 41 + new]
        assert np.array_equal(covariance.matrix(X[: 40 + new], row)[:, 0], together[: 40 + new, new])
        assert covariance.matrix(row)[0, 0] == together[40 + new, new]
