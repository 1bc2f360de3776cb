"""Fully Bayesian GP-TS: hyperparameters are drawn from their posterior too (baseline of Lu et al. 2022)."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import AfterValidator, BeforeValidator, Field

from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Options, Problem
from orchestrator.algorithms.gaussian_process.fitters import Drawn
from orchestrator.algorithms.gaussian_process.kernel_dictionary import FAMILIES
from orchestrator.algorithms.gaussian_process.options import FamilyName, GpOptions
from orchestrator.algorithms.gaussian_process.thompson_sampling import ThompsonSampling
from orchestrator.algorithms.plain_options import exactly_two
from orchestrator.surrogates.draws.pathwise import FEATURES
from orchestrator.surrogates.fits.samples import UniformPriors


def _interval(ends: tuple[float, float]) -> tuple[float, float]:
    if not 0 < ends[0] < ends[1]:
        raise ValueError("expected an interval [low, high] with 0 < low < high")
    return ends


Interval = Annotated[tuple[float, float], BeforeValidator(exactly_two), AfterValidator(_interval)]


class GpTsBayesOptions(GpOptions):
    """Options of ``gp-ts-bayes``, and those of `GpOptions`; the intervals' defaults are the paper's.

    ``length_scale``, ``variance`` and ``noise_variance``: the intervals of the uniform priors, in the unit
    cube and in standardised values. Noise that is known or reported is not sampled. ``draws``:
    hyperparameters kept from each chain.
    """

    keeps_constraints: ClassVar[bool] = True
    takes_conditions: ClassVar[bool] = True
    holds_parameters: ClassVar[bool] = True
    chooses_rows: ClassVar[bool] = True
    kernel: FamilyName = "rbf"
    length_scale: Interval = (1e-3, 1e3)
    variance: Interval = (1.0, 100.0)
    noise_variance: Interval = (0.1, 0.3)
    draws: int = Field(8, ge=1, le=100)
    features: int = Field(FEATURES, ge=1, le=10_000)


class GpTsBayes(ThompsonSampling):
    """Hyperparameters are drawn, then a function given them; its maximiser is the next point.

    Source: Lu et al. 2022, section 6 and App. E: RBF with one length-scale, uniform priors.

    Deviations: a slice sampler in place of Hamiltonian Monte Carlo, as three dimensions do not need
    gradients; each refit goes on from the last chain and keeps ``draws`` of it, among which every ask
    chooses. Refits follow the schedule of `GpOptions` and not every result. Functions are drawn as in
    ``gp-ts``. The paper's interval for the noise, 0.1 to 0.3 of the values' variance, keeps the model from
    ever being sure of anything: lower it for objectives without noise. The start design is a Sobol sequence.
    Values with a heavy tail are warped where that has more evidence. A failed evaluation counts as an average
    result. A point is not suggested twice.
    """

    name: ClassVar[str] = "gp-ts-bayes"
    Options: ClassVar[type[Options]] = GpTsBayesOptions

    def __init__(self, problem: Problem, options: GpTsBayesOptions) -> None:
        priors = UniformPriors(options.length_scale, options.variance, options.noise_variance)
        fitter = Drawn(options.draws, FAMILIES[options.kernel], priors)
        super().__init__(problem, options, fitter, options.features)
        self._draws = options.draws

    def _member(self, turn: Turn) -> int:
        """The first draw: of hyperparameters. The second is of a function."""
        return int(turn.rng.integers(self._draws))
