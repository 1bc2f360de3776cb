"""The lab of galaxies, whose measured numbers have a covariance: its misfit is theirs."""

from __future__ import annotations

import numpy as np
import pytest
from lab_bench import LABS

from evaluators.cosmology.cmass import ERRORS, MEANS, OBSERVABLES, log_likelihood
from orchestrator.spec.build import build_wanted_outcomes
from orchestrator.spec.load import load_spec


def test_its_misfit_is_twice_the_negative_logarithm_of_the_published_likelihood() -> None:
    wanted = build_wanted_outcomes(load_spec(LABS / "galaxies.yaml").spec)
    assert wanted is not None
    for apart in np.random.default_rng(0).standard_normal((5, 5)):
        predicted = MEANS + 2.0 * ERRORS * apart
        told = {one.name: value for one, value in zip(OBSERVABLES, predicted.tolist(), strict=True)}
        assert wanted.value({}, told) == pytest.approx(-2.0 * log_likelihood(predicted), rel=1e-5)
