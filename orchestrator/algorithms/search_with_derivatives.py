"""The search of ``auto`` where evaluations return derivatives of the objective beside its value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

import numpy as np

from orchestrator.acquisition.embedded import Embedded
from orchestrator.acquisition.feasibility import LogFeasibility
from orchestrator.acquisition.improvement import LogExpectedImprovement
from orchestrator.acquisition.mixture_improvement import LogMixtureImprovement
from orchestrator.algorithms.ask_and_tell.best_there import leaders, to_improve_on
from orchestrator.algorithms.ask_and_tell.opening import Opening
from orchestrator.algorithms.ask_and_tell.rarer_fits import RarerFits
from orchestrator.algorithms.ask_and_tell.told_values import ToldValues
from orchestrator.algorithms.ask_and_tell.turns import Turn, Turns
from orchestrator.algorithms.ask_and_tell.without_refits import WithoutRefits
from orchestrator.algorithms.base import (
    AskKey,
    BelievedBest,
    Insight,
    Observation,
    Options,
    Prediction,
    Problem,
    Suggestion,
)
from orchestrator.algorithms.best_tried import best_tried_or
from orchestrator.algorithms.derivatives.contradicted import in_words
from orchestrator.algorithms.derivatives.hypotheses import Believed, Hypothesis, hypotheses
from orchestrator.algorithms.derivatives.told_derivatives import STEEPEST, ToldDerivatives
from orchestrator.algorithms.derivatives.usable import Usable
from orchestrator.algorithms.exclusion import at_random
from orchestrator.algorithms.gaussian_process.trust_region import FIRST_LENGTH, LONGEST, TrustRegion
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.penalties import count_penalties_as_failures
from orchestrator.algorithms.outcomes.believed_slacks import BelievedSlacks
from orchestrator.algorithms.outcomes.feasible_objective import FeasibleObjective
from orchestrator.algorithms.recommended import recommended
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.boxes.within_box import Box
from orchestrator.maximisers.climbs.multistart import maximise
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.evidence.with_derivatives import DerivativeData
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.unit_cube.domain import Domain

MOST_DESIGNED = 5
FAILURES_TO_SHRINK = 1
MOST_ROWS = 1000
"""Of values and derivatives that are believed in: each ask costs the cube of that, once or twice."""
MOST_FITTED = 150
"""Of which hyperparameters are found, about a hundred times the cube."""
CONTENDERS = 10
LEAST_IMPROVEMENT = 1e-5
"""Of values' deviation: the last digits of a top that was found are worth nothing."""
FITS = RarerFits(each=16, doubling=8)
"""After how many results hyperparameters are found anew."""


class WithDerivativesOptions(Options):
    """There is nothing to choose."""

    keeps_constraints: ClassVar[bool] = True
    takes_conditions: ClassVar[bool] = True
    holds_parameters: ClassVar[bool] = True
    learns_outcomes: ClassVar[bool] = True
    learns_derivatives: ClassVar[bool] = True


@dataclass(frozen=True, eq=False)
class _Learned:
    """``used``: of how many results the derivatives are among the data; ``too_steep``: how many of them are
    left out for that.
    """

    data: DerivativeData
    believed: Believed
    scale: Standardisation
    noise: float
    used: int
    too_steep: int
    feasibility: LogFeasibility | None


class SearchWithDerivatives(WithoutRefits):
    """One Gaussian process of the value and its derivatives together.

    ```
    1  begin with a Sobol sequence, of a point more than there are parameters, 5 at most
    2  three hypotheses: derivatives are right, under a Matern 5/2 and a squared exponential kernel, with
       noise of values and of derivatives that are found apart; and they say nothing, under a Matern 5/2
    3  weigh each by how well it foretells every value by the other results
    4  x = argmax log sum_h w_h E_h max(f(x) - b_h, 0) + log P(constraints on outcomes hold, and it succeeds)
       everywhere; of three trials of four in a box about the best point, which grows and shrinks
    ```

    b_h is the best value; in noise, or beside points that run, which count as come out as expected, value and
    derivatives, the highest mean of h at the ten best points or those. Of n results with d derivatives each
    there are n (1 + d) rows, of which 1,000 are kept: of values 500, the best quarter and others spread over
    time, and derivatives of the best results and of the latest. Hyperparameters are found by 150 such rows.

    Values with a heavy tail are warped, and their derivatives with them; a value that looks like a penalty
    for a failure is one (`penalties`), and derivatives that are steeper than `STEEPEST` are left out. So are
    those that all the rest contradicts (`trusted_derivatives`), by each hypothesis that believes them.

    Source: the joint covariance Rasmussen & Williams 2006, section 9.4, and Solak et al. 2003; for
    optimisation Wu, Poloczek, Wilson & Frazier 2017; the box of Eriksson et al. 2019, which shrinks at the
    first failure here, and grows at once where derivatives say that a step was too short; weights by the
    predictive densities of what is left out, Rasmussen & Williams, section 5.4.2; the logarithm of the
    improvement after Ament et al. 2023.

    Deviations: Wu et al. choose by a knowledge gradient and keep one directional derivative; here it is
    expected improvement, and all are kept as far as there is room. Hyperparameters are maximum a posteriori.
    The noise of derivatives is one part of what each varies by. A hypothesis that does not believe them
    stands beside, as derivatives may be wrong. Points of a batch are chosen in turn.
    """

    name: ClassVar[str] = "auto"
    Options: ClassVar[type[Options]] = WithDerivativesOptions

    def __init__(self, problem: Problem, options: WithDerivativesOptions) -> None:
        del options
        self._problem = problem
        self._history = History(problem.domain, problem.outcome_constraints)
        self._opening = Opening.by_dimension(problem, self._history, beyond=1, most=MOST_DESIGNED)
        self._told = ToldDerivatives(problem.domain, problem.derivatives)
        self._turns = Turns(problem, self._history, "search with derivatives")
        self._region = TrustRegion(FAILURES_TO_SHRINK)
        self._slacks = BelievedSlacks(problem)
        self._learned: _Learned | None = None
        self._found: tuple[bytes, tuple[Hypothesis, ...]] = (b"", ())

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        """See `Algorithm`."""
        return self._turns.chosen(n, pending, key, self._suggest)

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`. The models are made when they are asked."""
        for observation in observations:
            self._told.tell(observation)
            self._follow(observation)
            self._history.tell(observation)
            self._learned = None
            count_penalties_as_failures(self._history, max(self._opening.points, MOST_DESIGNED))

    def _follow(self, observation: Observation) -> None:
        """Have the region grow or shrink by a result that it chose, and begin anew where nothing is left. It
        grows at once where the step to a new best was too short.
        """
        row = len(self._history)
        chosen = not (self._opening.lasts(running=0) or observation.attached)
        own = chosen and _is_in_region(observation.trial)
        value = None if observation.foreseen else observation.value
        before = self._region
        self._region = before.after(value, row) if own else before.seen(value, row)
        moved_from = before.centre if own and self._region.centre == row else None
        if moved_from is not None and self._still_rises(moved_from, observation.point):
            self._region = replace(self._region, length=min(2.0 * before.length, LONGEST), successes=0)
        if self._region.exhausted:
            self._region = replace(self._region, length=FIRST_LENGTH)

    def _still_rises(self, centre: int, point: FloatArray) -> bool:
        """Whether by the derivatives told at both ends of a step the value rises at its end at least half as
        steeply as at its beginning: a parabola is highest as far again, or farther. By what is told at one
        end alone nothing is known of that.
        """
        step = point - self._history.points[centre]
        first, last = (along * step for along in self._told.rows[[centre, -1]])
        both = ~np.isnan(first + last)
        first, last = (float(rises[both].sum()) for rises in (first, last))
        return last > 0.0 and last >= 0.5 * first

    def _box(self, learned: _Learned, domain: Domain, centre: FloatArray) -> Box:
        """About a point, longer along what changes less, by the likeliest hypothesis, by the root of that: a
        valley may lead across.
        """
        likeliest = learned.believed.hypotheses[int(np.argmax(learned.believed.weights))]
        scales = domain.embedding.of_coordinates(likeliest.hyperparameters.length_scales)
        stretch = np.sqrt(scales / np.exp(np.log(scales).mean()))
        return Box.about(domain, centre, np.minimum(0.5 * self._region.length * stretch, 1.0))

    def recommend(self, within: Domain | None) -> Suggestion | None:
        """See `Recommends`. By all hypotheses together. Where values are exact, and of all that is sought,
        the best one told unless another is surely better.
        """
        learned, domain = self._believed(), within or self._problem.domain
        if learned is None:
            return None
        found = recommended(
            domain,
            self._history,
            learned.believed,
            learned.scale,
            None if learned.feasibility is None else Usable(learned.feasibility),
            stream(self._problem.seed, "search with derivatives recommendation", len(self._history)),
        )
        if within is not None or not self._problem.noise.is_none:
            return found
        predicted = partial(self._predicted, learned)
        return best_tried_or(found, self._history, domain, self._problem.noise, predicted)

    def insight(self) -> Insight:
        """See `Algorithm`."""
        learned = self._believed()
        if learned is None:
            return self._opening.insight()
        known = learned.believed.hypotheses
        return Insight(
            weights={one.name: one.weight for one in known},
            hyperparameters={one.name: dict(one.hyperparameters.to_json()) for one in known},
            notes=self._notes(learned),
            believed_best=self._believed_best(learned),
        )

    def _notes(self, learned: _Learned) -> list[str]:
        brought = self._told.brought(self._history)
        if not brought:
            return ["no result has brought derivatives yet: values alone are learned from"]
        notes = []
        if learned.used < brought:
            notes.append(
                f"derivatives of {learned.used} of the {brought} results that brought some are made use of,"
                f" the best and the latest: more rows than {MOST_ROWS:,} a model does not have"
            )
        if learned.too_steep:
            notes.append(
                f"{learned.too_steep} derivatives are left out, being steeper than {STEEPEST:,.0f} deviations"
                " of all values along a side of the domain: are they in the parameters' own units?"
            )
        seen = learned.believed.believed_rows()
        if seen is not None and len(seen.y) < len(learned.data.y):
            told, kept = self._told.where(learned.data), self._told.where(seen)
            which = in_words(told & ~kept, told, self._history.trials)
            notes.append(f"derivatives that contradict what all the rest says are left out: {which}")
        if self._history.penalties:
            notes.append(
                f"values so much worse than the others that they count as failures: {self._history.penalties}"
            )
        return notes

    def _believed_best(self, learned: _Learned) -> BelievedBest | None:
        if self._problem.noise.is_none or not self._history.satisfied:
            return None
        rows = self._history.best_rows(CONTENDERS)
        mean, variance = learned.believed.mean_and_variance(
            self._problem.domain.embed(self._history.points[rows])
        )
        best = int(np.argmax(mean))
        predicted = Prediction.of(mean[best], variance[best], learned.scale)
        return BelievedBest(self._history.trials[rows[best]], predicted)

    def _believed(self) -> _Learned | None:
        """By all that was told; None before there is a value."""
        history = self._history
        if self._learned is None and history.successes:
            told = ToldValues.of(self._problem, history, slice(None))
            scale = Standardisation.of(history.values[~np.isnan(history.values)], warped=True)
            noise = told.standardised(scale)[1]
            data, used = self._told.data(history, scale, noise, MOST_ROWS)
            too_steep = self._told.too_steep(history, scale)
            succeeded = ~np.isnan(history.values)
            feasible = self._slacks.feasibility(
                history, self._problem.domain.embed(history.points), succeeded
            )
            believed = Believed.of(self._hypotheses(), data)
            of_all = told.typical_noise(scale)
            self._learned = _Learned(data, believed, scale, of_all, used, too_steep, feasible)
        return self._learned

    def _hypotheses(self) -> tuple[Hypothesis, ...]:
        """Found by the results up to the last at which they were due, whenever that is asked, and anew where
        one of these is known to be a penalty since.
        """
        history, count = self._history, len(self._history)
        due = FITS.seen(count)
        known = history.values[:due]
        if np.isnan(known).all():
            due, known = count, history.values
        if (seen := known.tobytes()) != self._found[0]:
            scale = Standardisation.of(known[~np.isnan(known)], warped=True)
            noise = ToldValues.of(self._problem, history, slice(None)).standardised(scale)[1]
            data, _ = self._told.data(history, scale, noise, MOST_FITTED, due)
            self._found = seen, hypotheses(data, self._problem.noise.kind == "unknown")
        return self._found[1]

    def _suggest(self, turn: Turn) -> Suggestion:
        if self._opening.lasts(len(turn.running)) or (learned := self._believed()) is None:
            return self._opening.suggest(turn)
        running = turn.domain.embed(turn.running)
        believed = learned.believed.believing(running, self._told.columns, learned.noise)
        improvement = self._improvement(learned, believed, turn)
        promised = Embedded(turn.domain, improvement)
        objective = FeasibleObjective.of(promised, turn.domain, learned.feasibility)
        about = leaders(self._history, turn, CONTENDERS)
        why: dict[str, object] = {"source": "model"}
        point = None
        if _is_in_region(turn.trial) and len(about):
            box = self._box(learned, turn.domain, about[0])
            point = box.maximise(objective, about, turn.exclusion.allows, turn.rng)
            why |= {} if point is None else {"region": self._region.length}
        if point is None:
            found = maximise(objective, turn.domain, about, turn.exclusion.allows, turn.rng)
            if found is None:
                return at_random(turn.domain, turn.exclusion, turn.rng)
            point = found.point
        X = turn.domain.embed(point[None, :])
        why["exploration"] = float(improvement.exploration(X)[0])
        if self._problem.outcome_constraints and learned.feasibility is not None:
            why["feasible"] = float(np.exp(learned.feasibility.of_slacks.values(X))[0])
        return Suggestion(point, self._predicted(learned, point), why)

    def _predicted(self, learned: _Learned, point: FloatArray) -> Prediction:
        X = self._problem.domain.embed(point[None, :])
        mean, variance = learned.believed.mean_and_variance(X)
        return Prediction.of(mean[0], variance[0], learned.scale)

    def _improvement(self, learned: _Learned, believed: Believed, turn: Turn) -> LogMixtureImprovement:
        history, domain = self._history, self._problem.domain
        rows = to_improve_on(history, turn, CONTENDERS)
        rivals = turn.running_there
        parts = []
        for one, process in zip(believed.hypotheses, believed.processes, strict=True):
            bests = [float(learned.scale.apply(np.nanmin(history.values)))]
            if len(rows) and self._problem.noise.is_none:
                bests.append(float(learned.scale.apply(history.values[rows[0]])))
            elif len(rows):
                bests.append(float(process.mean_and_variance(domain.embed(history.points[rows]))[0].max()))
            if len(rivals):
                bests.append(float(process.mean_and_variance(domain.embed(rivals))[0].max()))
            noise = one.hyperparameters.noise_variance + learned.noise
            parts.append(LogExpectedImprovement(process, max(bests) + LEAST_IMPROVEMENT, noise))
        return LogMixtureImprovement(parts, np.log(believed.weights))


def _is_in_region(trial: int) -> bool:
    """Whether a trial is chosen in the region: all but every fourth, whatever else runs."""
    return trial % 4 != 0
