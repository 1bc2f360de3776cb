"""Hypotheses that see the values on different scales, weighed against each other by what they predicted."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np
import pytest
from scipy.integrate import trapezoid

from orchestrator.algorithms.mixture.belief import Member, MixtureBelief, Results
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.surrogates.scales.warp import Warp

NOISE = 0.05
SCALES = {
    "as they are": Standardisation(),
    "in other units": Standardisation(shift=-40.0, scale=25.0),
    "heavy tails drawn in": Standardisation(0.1, 0.7, Warp(centre=2.0, spread=3.0, upper=0.4, lower=0.6)),
}


def member(scale: Standardisation, length_scale: float = 0.5) -> Member:
    kernel = Hyperparameters((length_scale,), 1.0, NOISE).kernel(MATERN_52, np.arange(1))
    return Member(cast(Any, None), scale, ExactGP(kernel, NOISE), NOISE)


def result(x: float, value: float) -> Results:
    return Results(np.array([[x]]), np.array([value]), np.zeros(1))


@pytest.mark.parametrize("scale", SCALES.values(), ids=list(SCALES))
def test_what_a_member_expects_of_a_value_is_a_density_in_the_objective_s_units(
    scale: Standardisation,
) -> None:
    values = scale.undo(np.linspace(-7.0, 7.0, 2001))
    densities = [math.exp(member(scale).learn(result(0.3, float(value)))) for value in values]
    assert trapezoid(densities, values) == pytest.approx(1.0, abs=1e-3)


def test_each_value_adds_its_density_to_what_was_believed_before() -> None:
    told = [(0.1, 0.3), (0.2, 0.5), (0.8, -0.4)]
    alone = [member(Standardisation(), length_scale) for length_scale in (0.1, 0.5)]
    logs = np.log([0.3, 0.7])
    belief = MixtureBelief([member(Standardisation(), length_scale) for length_scale in (0.1, 0.5)], logs)
    for x, value in told:
        belief.learn(result(x, value))
        logs = logs + [one.learn(result(x, value)) for one in alone]
    assert belief.weights == pytest.approx(np.exp(logs) / np.exp(logs).sum(), abs=1e-9)
