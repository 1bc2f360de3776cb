"""What is believed of whether evaluations succeed: a Gaussian process of a latent function, once one failed.

Failures have no values that a model of values could be told. Numbers in their place would be cliffs that it
takes for the function's, and where evaluations fail by chance it would learn of nothing else.

Notation: n results, k points, E embedded columns.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from orchestrator.acquisition.feasibility import DrawnSlackScore, ExpectedSlack
from orchestrator.acquisition.success import LogSuccess
from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.numerics import normal
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.draws.drawn_functions import DrawnFunctions, FirstOf
from orchestrator.surrogates.draws.pathwise_functions import PathwiseFunctions
from orchestrator.surrogates.draws.weighed_functions import WeighedFunctions
from orchestrator.surrogates.latent.probit import laplace
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.scales.standardise import Standardisation


class SuccessBelief:
    """A latent function's process under a ``kernel`` about a prior ``mean``, told (n, E) embedded inputs and
    whether an evaluation ``succeeded`` there. It learns in place. With less than the ``least`` probability of
    success a place is not tried while there is anything to gain elsewhere.
    """

    def __init__(
        self, kernel: Kernel, mean: float, X: FloatArray, succeeded: BoolArray, least: float = 0.0
    ) -> None:
        self._kernel, self._mean, self._least = kernel, mean, float(ndtri(least))
        self._X, self._succeeded = X, succeeded
        self._known: ExactGP | None = None

    def learn(self, x: FloatArray, succeeded: bool) -> None:
        """Take in one result, at a (1, E) input. What it changes is computed when it is asked for: O(n^3)."""
        self._X = np.vstack([self._X, x])
        self._succeeded = np.append(self._succeeded, succeeded)
        self._known = None

    @property
    def log_success(self) -> LogSuccess:
        """Of embedded inputs."""
        return LogSuccess(self._posterior, self._mean, least=self._least)

    @property
    def expected(self) -> ExpectedSlack:
        """What the latent function is expected to be, above 0 where success is likelier than failure."""
        return ExpectedSlack(self._posterior, -self._mean)

    def probability(self, X: FloatArray) -> FloatArray:
        """(k,) that evaluations succeed at (k, E) embedded inputs."""
        return normal.distribution(self.log_success.scores(X))

    def drawn(self, frequencies: int, rng: np.random.Generator) -> DrawnSlackScore:
        """One latent function, drawn in so many frequencies."""
        functions = PathwiseFunctions.from_posterior(self._posterior, frequencies, 1, rng)
        return DrawnSlackScore(FirstOf(functions), -self._mean)

    def weighing(
        self,
        functions: DrawnFunctions,
        floors: FloatArray,
        scale: Standardisation,
        frequencies: int,
        rng: np.random.Generator,
    ) -> WeighedFunctions:
        """S functions drawn of values on a ``scale``, (S,) ``floors`` to be improved on: what is above them
        weighed by as many latent functions.
        """
        latent = PathwiseFunctions.from_posterior(self._posterior, frequencies, len(floors), rng)
        return WeighedFunctions(functions, latent, self._mean, scale, floors)

    @property
    def _posterior(self) -> ExactGP:
        if self._known is None:
            found = laplace(self._kernel.matrix(self._X), self._mean, self._succeeded)
            self._known = ExactGP(self._kernel, 0.0)
            self._known.append(self._X, found.targets, found.noise_variances)
        return self._known
