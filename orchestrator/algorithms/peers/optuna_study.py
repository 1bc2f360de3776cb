"""What was told, as an Optuna study: its native distributions where the domain's coordinates have one.

Notation: D coordinates, k positions of a discrete one.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import optuna
from numpy.typing import NDArray
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.samplers import BaseSampler
from optuna.storages import InMemoryStorage
from optuna.trial import FrozenTrial, TrialState, create_trial

from orchestrator.algorithms.base import Observation, Problem
from orchestrator.algorithms.peers.peer import known_objectives, known_slacks
from orchestrator.algorithms.turns import Turn
from orchestrator.domain import Coordinate

FloatArray = NDArray[np.float64]

# It announces every study otherwise, in the middle of our own output.
optuna.logging.set_verbosity(optuna.logging.WARNING)


class ToldStudy:
    """A study in memory that is told results and asked for points.

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
                    asked.append(self._study.ask(self._distributions))
                point = self._point(asked[-1].params)
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
        params = dict(zip(self._distributions, self._params(point), strict=True))
        # To Optuna, what is above 0 is violated.
        violations = {f"c{i}": -slack for i, slack in enumerate(slacks)}
        return create_trial(
            state=state,
            params=params,
            distributions=self._distributions,
            values=objectives,
            constraints=violations or None,
        )

    def _params(self, point: FloatArray) -> Iterable[float | int]:
        for coordinate, distribution, x in zip(
            self._domain.coordinates, self._distributions.values(), point, strict=True
        ):
            is_position = isinstance(distribution, FloatDistribution)
            yield float(x) if is_position else int(np.abs(coordinate.grid - x).argmin())

    def _point(self, params: dict[str, Any]) -> FloatArray:
        raw = [
            params[name] if isinstance(distribution, FloatDistribution) else coordinate.grid[params[name]]
            for coordinate, (name, distribution) in zip(
                self._domain.coordinates, self._distributions.items(), strict=True
            )
        ]
        return self._domain.snap(np.array(raw, dtype=float))


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
