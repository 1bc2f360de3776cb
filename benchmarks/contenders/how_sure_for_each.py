"""How sure a search for the best settings of each condition is, and how sure it may be: what `best` says of a
run, and what is left to gain by its models, against what is so.

Notation: c judged conditions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.functions.for_each import Judge
from orchestrator.algorithms.base import Algorithm, ForeseesGain, Observation, Problem
from orchestrator.sensitivity.measured import Measured

DEVIATIONS = 2.0


@dataclass(frozen=True)
class HowSure:
    """``within``: in which share of the judged conditions the value of the settings that are shown lies
    within two deviations of what is expected; ``foreseen``: what models expect to be missed, as
    `Judge.missed` has it, if they can tell.
    """

    within: float
    foreseen: float | None


def how_sure(algorithm: Algorithm, judge: Judge, problem: Problem, told: Sequence[Observation]) -> HowSure:
    """Of a search that was told so much, its refits adopted."""
    # Not above: whoever reads the help need not load models.
    from orchestrator.sensitivity.settings_for_each import SettingsForEach

    assert isinstance(algorithm, ForeseesGain)
    gain = algorithm.remaining_gain()
    foreseen = None if gain is None else float(np.mean(gain.draws)) / judge.span
    values = np.array([one.value for one in told])
    measured = Measured(np.array([one.point for one in told]), values, np.zeros(len(told)))
    shown = SettingsForEach(problem, measured, np.empty((0, problem.domain.dimension)))
    places = [
        dict(zip(judge.in_use.coordinates, place, strict=True)) for place in judge.in_use.points.tolist()
    ]
    found = [one for place in places if (one := shown.best(place)) is not None]
    expected = np.array([one.predicted.mean for one in found])
    deviations = np.array([one.predicted.deviation for one in found])
    truly = judge.value(np.array([one.point for one in found]))
    return HowSure(float(np.mean(np.abs(truly - expected) <= DEVIATIONS * deviations)), foreseen)
