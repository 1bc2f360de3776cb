"""LineBO: one line through the best point after another (Kirschner et al. 2019)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from orchestrator.acquisition.embedded import Embedded
from orchestrator.acquisition.posterior import Acquisition
from orchestrator.acquisition.ucb import UpperConfidenceBound, practical_beta
from orchestrator.acquisition.weighted_means import WeightedMeans
from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Observation, Options, Problem, Refit
from orchestrator.algorithms.gaussian_process.fitters import Likeliest
from orchestrator.algorithms.gaussian_process.line_directions import Line, LineDirections
from orchestrator.algorithms.gaussian_process.model_based import ModelBased
from orchestrator.algorithms.gaussian_process.options import KernelOptions
from orchestrator.algorithms.gaussian_process.subspace import Subspace
from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.maximisers.climbs.multistart import Effort
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.posteriors.exact import ExactGP

ON_A_LINE = Effort(samples=200, starts=8, iterations=30, polished=1, moves=1)


class LineBoOptions(KernelOptions):
    """Options of ``line-bo``, and those of `KernelOptions`.

    ``directions``: random ones, the coordinates in a random order, or the gradient of the posterior mean and
    random ones in turn. ``on_each_line``: evaluations before the next line.
    """

    keeps_constraints: ClassVar[bool] = True
    holds_parameters: ClassVar[bool] = True
    directions: Literal["random", "coordinate", "descent"] = "random"
    on_each_line: int = Field(4, ge=1)
    acquisition: Literal["ucb", "expected-improvement"] = "ucb"


class LineBo(ModelBased):
    """The acquisition is maximised on a line through the best point; a new line every few evaluations.

    Source: Kirschner et al. 2019, Algorithm 1 (RandomLineBO, CoordinateLineBO and DescentLineBO).

    Deviations: a line lasts a fixed number of evaluations, not until its maximum is known to some accuracy.
    It runs through the point of the highest value told, which lies on it as long as nothing better is found
    elsewhere; where it meets a face of the cube it goes on along it. A gradient is taken once a line, of the
    results told before the first that may have come after its beginning, by `Problem.parallel`; a refit that
    is adopted after the beginning does not turn it (`line_directions`). beta is 0.2 log 2t, that of one
    dimension. The start design is a Sobol sequence. Hyperparameters are maximum a posteriori. Discrete
    coordinates are those nearest to the line's; where all of a line has been tried, the point is random.
    Where parameters are held, a line runs through the point believed best there, along the others, and a
    gradient is that of the moment. Values with a heavy tail are warped where that has more evidence. A failed
    evaluation counts as an average result. Where constraints do not hold, a point leaves its line for one
    near by where they do. A point is not suggested twice.
    """

    name: ClassVar[str] = "line-bo"
    Options: ClassVar[type[Options]] = LineBoOptions

    def __init__(self, problem: Problem, options: LineBoOptions) -> None:
        super().__init__(problem, options, Likeliest((options.template,)))
        self._options = options
        # Of lines up a gradient, once the belief that they began with is no longer at hand.
        self._directions = LineDirections(problem.domain.is_continuous)

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`."""
        for observation in observations:
            if observation.trial < 1:
                self._keep_directions_asked()
            else:
                self._keep_directions(observation.trial, settles=True)
            super().tell([observation])

    def adopt(self, refit: Refit) -> None:
        """See `Algorithm`."""
        self._keep_directions_asked()
        super().adopt(refit)

    def _acquisition(self, posterior: ExactGP, turn: Turn) -> Acquisition:
        if self._options.acquisition == "expected-improvement":
            return self._improvement(posterior, turn)
        return UpperConfidenceBound(posterior, practical_beta(self._evaluation(turn), 1))

    def _search(self, objective: Embedded, turn: Turn) -> FloatArray | None:
        best = self._best(turn, 1)
        if turn.is_held:
            direction = self._new_direction(self._line(turn.trial), best, ~turn.domain.is_held)
        else:
            direction = self._direction(turn.trial, turn.running)
        if not direction.any():
            return None
        line = Subspace.line(turn.domain, best[0], direction)
        return line.maximise(objective, best, turn.exclusion.allows, turn.rng, ON_A_LINE)

    def _keep_directions_asked(self) -> None:
        """Before the belief changes while trials may run that were asked for with it."""
        self._keep_directions(max(self._history.trials, default=-1) + 1, settles=False)

    def _keep_directions(self, first: int, *, settles: bool) -> None:
        """Before the belief changes: those of the lines that may have begun with it, when ``first`` is the
        first of as many trials as may run.
        """
        if self._options.directions != "descent" or not self._belief.ready:
            return
        last = first + self._problem.parallel - 1
        for line in range(self._line(first), self._line(last) + 1):
            self._directions.may_have_begun(line, partial(self._new_line, line), settles=settles)

    def _line(self, trial: int) -> int:
        return trial // self._options.on_each_line

    def _direction(self, trial: int, running: FloatArray) -> FloatArray:
        """(D,) that of the line which the trial's number belongs to, while (k, D) points run."""
        line = self._line(trial)
        if self._options.directions != "descent":
            return self._new_line(line).direction
        own = [row for row, told in enumerate(self._history.trials) if told >= 1 and self._line(told) == line]
        witnesses = self._history.points[own] if own else running
        return self._directions.of(line, partial(self._new_line, line), witnesses)

    def _new_line(self, line: int) -> Line:
        """One that begins now."""
        best = self._history.best(1)
        return Line(np.array(best[0]), self._new_direction(line, best, np.ones(best.shape[1], dtype=bool)))

    def _new_direction(self, line: int, best: FloatArray, free: BoolArray) -> FloatArray:
        """(D,) that of a line which begins now, through the (1, D) best point, along coordinates that are
        ``free`` (D,); 0 where none is.
        """
        D = self._problem.domain.dimension
        rng = stream(self._problem.seed, "line-bo direction", line)
        if self._options.directions == "coordinate":
            order = stream(self._problem.seed, "line-bo order", line // D).permutation(D)
            order = order[free[order]]
            return np.asarray(np.eye(D)[order[line % len(order)]]) if len(order) else np.zeros(D)
        if self._options.directions == "descent" and line % 2 == 0:
            mean = WeightedMeans([self._belief.posterior], [1.0])
            gradient = Embedded(self._problem.domain, mean).values_and_gradients(best)[1][0] * free
            if np.abs(gradient).max() > 0.0:
                return np.asarray(gradient / np.linalg.norm(gradient))
        direction = rng.standard_normal(D) * free
        return np.asarray(direction / np.linalg.norm(direction)) if free.any() else direction
