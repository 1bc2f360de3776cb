"""What was told, as an Optuna study: its native distributions where the domain's coordinates have one.

Notation: D coordinates, k positions of a discrete one.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.samplers import BaseSampler
from optuna.storages import InMemoryStorage
from optuna.trial import FrozenTrial, Trial, TrialState, create_trial

from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Observation, Problem
from orchestrator.algorithms.peers.peer import conditions_of, known_objectives, known_slacks
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.coordinate import Coordinate

# It announces every study otherwise, in the middle of our own output.
optuna.logging.set_verbosity(optuna.logging.WARNING)


class ToldStudy:
    """A study in memory that is told results and asked for points. Of a trial it has what counts there, as a
    function that suggests what it needs would have it.

    Asking leaves no trace that a sampler sees: trials that were running meanwhile end as failed, and Optuna's
    samplers look at complete and running ones only. A failed evaluation is a failed trial, and so is one of
    which not all objectives and slacks of constraints on outcomes are known: its samplers take those of all
    trials or none.
    """

    def __init__(self, problem: Problem) -> None:
        self._domain = domain = problem.domain
        self._slacks = problem.outcome_constraints
        self._further = problem.further_objectives
        self._distributions = {f"x{i}": _distribution(c) for i, c in enumerate(domain.coordinates)}
        self._conditions = conditions_of(domain)
        counting = np.ones(domain.dimension, dtype=bool)
        if self._conditions is not None:
            counting = ~self._conditions.conditional
        pairs = zip(self._distributions.items(), counting, strict=True)
        self._always = {name: distribution for (name, distribution), own in pairs if own}
        self._storage = InMemoryStorage()
        directions = [optuna.study.StudyDirection.MAXIMIZE] * (1 + self._further)
        self._study_id = self._storage.create_new_study(directions)
        self._study = optuna.Study(
            study_name=self._storage.get_study_name_from_id(self._study_id), storage=self._storage
        )

    def learn(self, observation: Observation) -> None:
        """Add one result."""
        slacks = known_slacks(observation, self._slacks)
        objectives = known_objectives(observation, self._further)
        failed = objectives is None or slacks is None
        state = TrialState.FAIL if failed else TrialState.COMPLETE
        point = self._domain.snap(observation.point)
        self._study.add_trial(self._trial(point, state, None if failed else objectives, slacks or ()))

    def draw(self, sampler: BaseSampler, turn: Turn, attempts: int) -> FloatArray | None:
        """A (D,) point of the sampler's that may be suggested, or None after so many that may not.

        ``sampler`` must be new, so that nothing from earlier asks is in it. The points refused count as
        running, so that it turns elsewhere.
        """
        self._study.sampler = sampler
        running = [
            self._storage.create_new_trial(self._study_id, self._trial(point, TrialState.RUNNING))
            for point in turn.running
        ]
        asked = []
        try:
            for _ in range(attempts):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    asked.append(self._study.ask(self._always))
                    point = self._point(asked[-1])
                if turn.exclusion.allows(point[None, :])[0]:
                    return point
            return None
        finally:
            for trial in asked:
                self._study.tell(trial, state=TrialState.FAIL)
            for trial_id in running:
                self._storage.set_trial_state_values(trial_id, TrialState.FAIL)

    def _trial(
        self,
        point: FloatArray,
        state: TrialState,
        objectives: Sequence[float] | None = None,
        slacks: Sequence[float] = (),
    ) -> FrozenTrial:
        told = zip(
            self._distributions, self._params(point), self._domain.active(point[None, :])[0], strict=True
        )
        params = {name: value for name, value, counts in told if counts}
        # To Optuna, what is above 0 is violated.
        violations = {f"c{i}": -slack for i, slack in enumerate(slacks)}
        return create_trial(
            state=state,
            params=params,
            distributions={name: self._distributions[name] for name in params},
            values=objectives,
            constraints=violations or None,
        )

    def _params(self, point: FloatArray) -> Iterable[float | int]:
        for coordinate, distribution, x in zip(
            self._domain.coordinates, self._distributions.values(), point, strict=True
        ):
            is_position = isinstance(distribution, FloatDistribution)
            yield float(x) if is_position else int(np.abs(coordinate.grid - x).argmin())

    def _point(self, trial: Trial) -> FloatArray:
        """(D,) that of a trial, which is asked for what else counts where it lies, parents first."""
        point, conditions = np.zeros(self._domain.dimension), self._conditions
        for name, value in trial.params.items():
            j = int(name.removeprefix("x"))
            point[j] = self._position(j, value)
        if conditions is not None:
            for j in conditions.parents_first:
                if conditions.active(point[None, :])[0, j]:
                    point[j] = self._position(j, _suggested(trial, f"x{j}", self._distributions[f"x{j}"]))
        return self._domain.snap(point)

    def _position(self, j: int, value: Any) -> float:
        if isinstance(self._distributions[f"x{j}"], FloatDistribution):
            return float(value)
        return float(self._domain.coordinates[j].grid[value])


def _suggested(trial: Trial, name: str, distribution: BaseDistribution) -> Any:
    if isinstance(distribution, FloatDistribution):
        return trial.suggest_float(name, distribution.low, distribution.high)
    if isinstance(distribution, IntDistribution):
        return trial.suggest_int(name, distribution.low, distribution.high)
    assert isinstance(distribution, CategoricalDistribution)
    return trial.suggest_categorical(name, distribution.choices)


def _distribution(coordinate: Coordinate) -> BaseDistribution:
    """Categories as categories, evenly spaced positions as integers by number; others as numbers, snapped."""
    if coordinate.kind == "continuous":
        return FloatDistribution(0.0, 1.0)
    grid = coordinate.grid
    if coordinate.kind == "categorical":
        return CategoricalDistribution(tuple(range(len(grid))))
    steps = np.diff(grid)
    if len(steps) == 0 or np.allclose(steps, steps[0], rtol=1e-6, atol=0.0):
        return IntDistribution(0, len(grid) - 1)
    return FloatDistribution(float(grid[0]), float(grid[-1]))
