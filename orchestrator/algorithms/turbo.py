"""TuRBO-1: local Bayesian optimisation in a trust region (Eriksson et al. 2019)."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from orchestrator.acquisition.embedded import Embedded
from orchestrator.acquisition.improvement import LogExpectedImprovement
from orchestrator.acquisition.posterior import Acquisition
from orchestrator.acquisition.thompson import ThompsonSample
from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Insight, Observation, Options, Problem
from orchestrator.algorithms.gaussian_process.fitters import Likeliest
from orchestrator.algorithms.gaussian_process.followed_region import FollowedRegion
from orchestrator.algorithms.gaussian_process.model_based import ModelBased
from orchestrator.algorithms.gaussian_process.options import KernelOptions
from orchestrator.arrays import FloatArray
from orchestrator.surrogates.draws.pathwise import PathwisePosterior
from orchestrator.surrogates.posteriors.exact import ExactGP

# All three are the paper's: so many candidates; and how many parameters of a candidate differ from the
# centre's, on average.
MOST_CANDIDATES = 5000
CANDIDATES_A_PARAMETER = 100
PARAMETERS_CHANGED = 20


class TurboOptions(KernelOptions):
    """Options of ``turbo``, and those of `KernelOptions`.

    ``acquisition``: Thompson sampling, or expected improvement, over the candidates in the region.
    ``candidates``: how many; 100 for each parameter and 5,000 at most, if left out.
    """

    keeps_constraints: ClassVar[bool] = True
    takes_conditions: ClassVar[bool] = True
    acquisition: Literal["thompson", "expected-improvement"] = "thompson"
    candidates: int | None = Field(None, ge=1, le=100_000)


class Turbo(ModelBased):
    """A local model, a box about its best point, and a new start elsewhere once the box has shrunk away.

    1. The start design, until there are enough results for a model.
    2. Candidates in the box: the best point with some parameters changed. The box's sides are as the model's
       length-scales, its volume is L^D.
    3. The candidate at which a function drawn from the posterior is highest is next.
    4. Three successes in a row double L, max(4, D) failures in a row halve it; under 2^-7 all starts anew.

    Source: Eriksson et al. 2019, section 2 and Apps. A and B, with one region.

    Deviations: successes and failures are counted by result, not by batch, so that workers need not wait for
    one another; a batch of q then needs the same number of evaluations to shrink the box. A success is better
    by a thousandth of the best value's magnitude, or of the range of values if that is less. Results of
    points that were asked before a restart and come after it are not learned from. The start design is a
    Sobol sequence, not a Latin hypercube, and candidates are drawn at random, not from such a sequence.
    Values are standardised and warped where tails are heavy; hyperparameters are maximum a posteriori. The
    function is drawn pathwise rather than at the candidates jointly. A changed category is drawn from all. A
    failed evaluation counts as a failure and an average result, one that was stopped as a failure. A person's
    points, and those on the way to others, may be the best and move the box, but count for neither. A point
    is not suggested twice.
    """

    name: ClassVar[str] = "turbo"
    Options: ClassVar[type[Options]] = TurboOptions

    def __init__(self, problem: Problem, options: TurboOptions) -> None:
        super().__init__(problem, options, Likeliest((options.template,)))
        self._options = options
        self._trust = FollowedRegion(problem, self._design, self._history)

    @property
    def hallucinates(self) -> bool:
        """EI needs to be told what runs; draws differ anyway."""
        return self._options.acquisition == "expected-improvement"

    def _learned(self, observation: Observation) -> None:
        """Line 4, and what the local model sees."""
        if not self._trust.follow(observation, ready=self._belief.ready):
            return
        self._belief.learn(len(self._history) - 1)
        if self._trust.region.exhausted:
            self._belief.begin_anew()
            self._trust.begin_anew()

    def _acquisition(self, posterior: ExactGP, turn: Turn) -> Acquisition:
        if self._options.acquisition == "thompson":
            return ThompsonSample.draw(PathwisePosterior(posterior), turn.rng)
        contenders = np.vstack([self._centre(), turn.running])
        mean, _ = posterior.mean_and_variance(self._problem.domain.embed(contenders))
        return LogExpectedImprovement(posterior, float(mean.max()))

    def _search(self, objective: Embedded, turn: Turn) -> FloatArray | None:
        """Lines 2 and 3."""
        candidates = self._candidates(turn.rng)
        candidates = candidates[turn.exclusion.allows(candidates)]
        if len(candidates) == 0:
            return None
        return np.asarray(candidates[int(np.argmax(objective.values(candidates)))])

    def _candidates(self, rng: np.random.Generator) -> FloatArray:
        """(m, D) feasible points in the box. About 20 parameters of each are changed, one at the least."""
        domain, centre = self._problem.domain, self._centre()
        D = domain.dimension
        count = self._options.candidates or min(CANDIDATES_A_PARAMETER * D, MOST_CANDIDATES)
        lower, upper = self._box(centre)
        drawn = lower + (upper - lower) * rng.random((count, D))
        for j, coordinate in enumerate(domain.coordinates):
            if coordinate.kind == "categorical":
                drawn[:, j] = rng.choice(coordinate.grid, size=count)
        changed = rng.random((count, D)) < min(1.0, PARAMETERS_CHANGED / D)
        changed[np.arange(count), rng.integers(D, size=count)] = True
        return domain.snap(np.where(changed, drawn, centre))

    def _box(self, centre: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(D,) and (D,) corners: sides in proportion to the length-scales, with L as their geometric mean.

        A side reaches at least to the neighbouring positions of a discrete parameter.
        """
        scales = np.array(self._belief.fitted.hyperparameters[0].length_scales)
        half = 0.5 * self._trust.region.length * np.exp(np.log(scales) - np.log(scales).mean())
        for j, coordinate in enumerate(self._problem.domain.coordinates):
            if len(coordinate.positions) > 1:
                half[j] = max(half[j], float(np.diff(coordinate.grid).max()))
        return np.clip(centre - half, 0.0, 1.0), np.clip(centre + half, 0.0, 1.0)

    def _centre(self) -> FloatArray:
        """(D,) where the highest value of the region was seen."""
        row = self._trust.region.centre
        return np.asarray(self._history.points[self._belief.rows[-1] if row is None else row])

    def insight(self) -> Insight:
        """See `Algorithm`."""
        known = super().insight()
        trust = self._trust
        side = f"trust region of side {trust.region.length:.3g}; restarts so far: {trust.restarts}"
        return replace(known, notes=[*known.notes, side])
