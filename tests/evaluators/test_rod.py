"""A heated rod of parts, and its adjoint."""

from __future__ import annotations

import numpy as np
import pytest

from evaluators.rod import Rod, misfit


def test_of_parts_that_conduct_alike_temperatures_are_the_parabola_s() -> None:
    places = np.arange(1, 12) / 12
    found = Rod(3).temperatures(np.full(3, 2.0))
    assert found == pytest.approx(places * (1.0 - places) / (2.0 * 2.0), rel=1e-10)


def test_what_it_returns_for_each_part_is_what_differences_are() -> None:
    there, measured = {"part_2": 0.7, "part_10": 3.0, "part_1": 1.5}, [0.1, 0.2, 0.1]
    slopes = misfit(there, measured)["derivatives"]
    assert list(slopes) == list(there)
    for name, value in there.items():
        above, below = (misfit({**there, name: value + h}, measured)["value"] for h in (1e-5, -1e-5))
        assert slopes[name] == pytest.approx((above - below) / 2e-5, rel=1e-5)
