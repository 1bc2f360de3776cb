"""Fits of linear simulators, of which posteriors are known in closed form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.arrays import FloatArray
from orchestrator.computed_objective import Misfit
from orchestrator.fit_targets import Target
from orchestrator.parameters.space import Space
from orchestrator.sensitivity.composed import ComposedModel, Composing

SPACE = Space.from_description({"a": (0.0, 2.0), "b": (0.0, 1.0)})
RATES = np.array([[1.0, 0.5], [-0.3, 1.0], [0.4, 0.4]])
ERRORS = np.array([0.1, 0.05, 0.2])
TRUTH = np.array([1.0, 0.5])
NONE = np.zeros((0, 2))


def linear(settings: FloatArray) -> FloatArray:
    return settings @ RATES.T


def model_of(
    space: Space,
    simulated: Callable[[FloatArray], FloatArray],
    targets: FloatArray,
    errors: FloatArray,
    points: FloatArray,
) -> ComposedModel:
    """Of what is simulated at settings in their own units, which are linear in the cube."""
    told = {
        f"y{j}": Target(t, e) for j, (t, e) in enumerate(zip(targets.tolist(), errors.tolist(), strict=True))
    }
    fit = Misfit(told, -1.0, len(space.names))
    problem = Problem(space.domain, noise=Noise("known", 0.0), composite=fit)
    numbers = np.column_stack([p.numbers(x) for p, x in zip(space.parameters, points.T, strict=True)])
    return ComposedModel.fitted(Composing(problem, fit, points, simulated(numbers), -1.0))


@contextmanager
def few_steps() -> Iterator[None]:
    """Walks are short, and by the likeliest model alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("orchestrator.sensitivity.calibration.MOST_STEPS", 200)
        patch.setattr("orchestrator.sensitivity.calibration.FEWER_STEPS", 100)
        patch.setattr("orchestrator.sensitivity.calibration.BEGUN", 512)
        # What several models say is held against what each says in stories of its own.
        patch.setattr("orchestrator.sensitivity.composed.MOST_DRAWN", 1)
        yield


def fitted_to_truth() -> ComposedModel:
    """By 14 results, of targets that `TRUTH` meets."""
    points = np.random.default_rng(0).random((14, 2))
    return model_of(SPACE, linear, linear(TRUTH), ERRORS, points)


def covariance() -> FloatArray:
    weighed = RATES / ERRORS[:, None]
    return np.asarray(np.linalg.inv(weighed.T @ weighed))
