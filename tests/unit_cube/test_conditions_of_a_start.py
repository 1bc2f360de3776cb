"""Conditions of the first evaluations: as often as in use, and not along with a parameter of the design."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import qmc

from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.conditions_in_use import ConditionsInUse, halving_order
from orchestrator.values.over import Over


def varying(weights: FloatArray) -> ConditionsInUse:
    places = ((np.arange(len(weights)) + 0.5) / len(weights))[halving_order(len(weights))]
    return ConditionsInUse((0,), places[:, None], weights, Over())


@pytest.mark.parametrize("weights", [np.full(16, 1 / 16), np.arange(1, 17) / 136])
def test_they_come_as_often_as_they_do_in_use(weights: FloatArray) -> None:
    conditions = varying(weights)
    found = [float(conditions.of_trial(trial)[0]) for trial in range(1, 1001)]
    shares = [found.count(place) / 1000 for place in conditions.points[:, 0]]
    assert np.abs(shares - weights).max() < 0.005


def test_they_do_not_go_along_with_a_parameter_of_the_design() -> None:
    conditions = varying(np.full(16, 1 / 16))
    told = np.array([conditions.of_trial(trial)[0] for trial in range(12)])
    closest = [np.abs(np.corrcoef(told, design.T)[0, 1:]).max() for design in map(design_of, range(40))]
    assert np.mean(closest) < 0.55, "in a random order 0.48"


def design_of(seed: int) -> FloatArray:
    return np.asarray(qmc.Sobol(6, seed=np.random.default_rng(seed)).random_base2(4)[:12])
