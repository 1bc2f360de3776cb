"""What an evaluation gave, as algorithms are told: in the sense of maximisation, and within arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from orchestrator.algorithms.base import Algorithm, Noise, Observation
from orchestrator.arrays import FloatArray
from orchestrator.wanted_outcomes import Judged

LARGEST = 1e150
"""Of a value or a deviation. Sums of their squares are finite still, which those of the largest double, a
common penalty, are not.
"""


def known_noise(standard_deviation: float) -> Noise:
    """Noise of which the standard deviation is known. A larger one than `LARGEST` counts as that."""
    return Noise("known", min(float(standard_deviation), LARGEST))


def observed(
    trial: int,
    point: FloatArray,
    outcome: tuple[float | None, float | None, Sequence[float] | None],
    sign: float,
    *,
    foreseen: bool = False,
) -> Observation:
    """A trial's outcome, (value, variance, factors), at a (D,) point. ``sign``: -1 where one minimises.

    What is larger than an algorithm can calculate with counts as `LARGEST`.
    """
    value, variance, factors = outcome
    return Observation(
        trial=trial,
        point=point,
        value=None if value is None else float(_bounded(sign * value)),
        variance=None if variance is None else min(variance, LARGEST**2),
        factors=None if factors is None else _bounded(sign * np.asarray(factors, dtype=float)),
        foreseen=foreseen,
    )


def notes_on_best(value: float) -> list[str]:
    """That the best value, in whichever sense, is not told from others, where it is not."""
    if abs(value) < LARGEST:
        return []
    return [
        f"the best value, {value:.3g}, is beyond {LARGEST:g}, where all values look alike to a model: scale "
        "what is returned, or return its logarithm"
    ]


def with_outcomes(observation: Observation, judged: Judged, algorithm: type[Algorithm]) -> Observation:
    """With the further objectives, the slacks, and the outcomes that the value was computed from; to an
    algorithm that makes no use of slacks, what does not satisfy the constraints has failed.
    """
    if judged.composed is not None:
        observation = replace(observation, outcomes=_bounded(np.array(judged.composed)))
    if judged.further:
        observation = replace(observation, further=_bounded(np.array(judged.further)))
    if algorithm.Options.learns_outcomes:
        slacks = np.array(judged.slacks)
        slacks[np.isfinite(slacks)] = _bounded(slacks[np.isfinite(slacks)])
        return replace(observation, slacks=slacks)
    return replace(observation, value=None) if judged.broken else observation


def _bounded(values: FloatArray | float) -> FloatArray:
    return np.clip(values, -LARGEST, LARGEST)
