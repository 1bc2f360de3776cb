"""What was told, as an experiment of Ax's: its own kinds of parameters where the domain's have one.

Notation: D coordinates, k positions of a discrete one.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from ax.api.client import Client
from ax.api.configs import ChoiceParameterConfig, RangeParameterConfig
from ax.exceptions.core import AxError
from ax.utils.common.logger import set_ax_logger_levels
from botorch.exceptions import ModelFittingError
from linear_operator.utils.errors import NanError, NotPSDError

from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Observation, Problem
from orchestrator.algorithms.peers.peer import known_objectives, known_slacks
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.coordinate import Coordinate

OBJECTIVE = "value"
# What Ax raises where it finds no point, and what the fit of its model may.
REFUSALS = (AxError, ModelFittingError, NanError, NotPSDError)

# It reports every trial otherwise, in the middle of our own output.
set_ax_logger_levels(logging.ERROR)


class ToldExperiment:
    """A client that is told results and asked for points.

    Asking leaves no trace that the next one sees: trials that were running meanwhile end as failed, which Ax
    overlooks, and the strategy is a new one. A failed evaluation is a failed trial, and so is one of which
    not all objectives and slacks of constraints on outcomes are known.
    """

    def __init__(self, problem: Problem) -> None:
        self._domain = domain = problem.domain
        self._noise = problem.noise
        self._slacks = tuple(f"slack_{i}" for i in range(problem.outcome_constraints))
        self._further = tuple(f"further_{i}" for i in range(problem.further_objectives))
        self._varying = tuple(i for i, c in enumerate(domain.coordinates) if len(c.positions) != 1)
        self._client = Client()
        with _quiet():
            self._client.configure_experiment(
                [_parameter(f"x{i}", domain.coordinates[i]) for i in self._varying]
            )
            self._client.configure_optimization(
                ", ".join([OBJECTIVE, *self._further]),
                outcome_constraints=[f"{slack} >= 0" for slack in self._slacks],
            )

    @property
    def varies(self) -> bool:
        """Whether there is anything to choose."""
        return bool(self._varying)

    def learn(self, observation: Observation) -> None:
        """Add one result."""
        with _quiet():
            trial = self._client.attach_trial(self._parameters(self._domain.snap(observation.point)))
            slacks = known_slacks(observation, len(self._slacks))
            objectives = known_objectives(observation, len(self._further))
            if objectives is None or slacks is None:
                self._client.mark_trial_failed(trial)
                return
            value, *further = objectives
            error = self._standard_error(observation)
            told: dict[str, Any] = {OBJECTIVE: value if error is None else (value, error)}
            told |= zip((*self._further, *self._slacks), (*further, *slacks), strict=True)
            self._client.complete_trial(trial, raw_data=told)

    def draw(self, turn: Turn, attempts: int) -> FloatArray | None:
        """A (D,) point of Ax's that may be suggested; None after so many that may not, or where it has none.

        The points refused count as running, so that it turns elsewhere.
        """
        with _quiet():
            begun = [self._client.attach_trial(self._parameters(point)) for point in turn.running]
            try:
                # The start design is told already, so its strategy begins with the model.
                self._client.configure_generation_strategy(
                    initialization_budget=0, initialize_with_center=False
                )
                for _ in range(attempts):
                    self._client._random_seed = turn.seed()
                    asked = self._client.get_next_trials(1)
                    begun += asked
                    for parameters in asked.values():
                        point = self._point(parameters)
                        if turn.exclusion.allows(point[None, :])[0]:
                            return point
            except REFUSALS:
                return None
            finally:
                for trial in begun:
                    self._client.mark_trial_failed(trial)
        return None

    def _standard_error(self, observation: Observation) -> float | None:
        if self._noise.kind == "known":
            return self._noise.standard_deviation
        if self._noise.kind == "reported" and observation.variance is not None:
            return float(np.sqrt(observation.variance))
        return None

    def _parameters(self, point: FloatArray) -> dict[str, Any]:
        told: dict[str, Any] = {}
        for i in self._varying:
            coordinate = self._domain.coordinates[i]
            nearest = np.abs(coordinate.grid - point[i]).argmin() if coordinate.positions else None
            told[f"x{i}"] = float(point[i]) if nearest is None else int(nearest)
        return told

    def _point(self, parameters: Any) -> FloatArray:
        point = np.zeros(self._domain.dimension)
        for i in self._varying:
            coordinate, value = self._domain.coordinates[i], parameters[f"x{i}"]
            point[i] = coordinate.grid[round(float(value))] if coordinate.positions else value
        return self._domain.snap(point)


def _parameter(name: str, coordinate: Coordinate) -> RangeParameterConfig | ChoiceParameterConfig:
    """Categories as choices without an order, other positions as integers by number."""
    if coordinate.kind == "continuous":
        return RangeParameterConfig(name, (0.0, 1.0), "float")
    last = len(coordinate.positions) - 1
    if coordinate.kind == "categorical":
        return ChoiceParameterConfig(name, list(range(last + 1)), "int", is_ordered=False)
    return RangeParameterConfig(name, (0, last), "int")


@contextmanager
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
