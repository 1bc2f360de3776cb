"""From Python: of what an equality leaves to be computed, the rest is chosen as ever."""

from __future__ import annotations

from typing import Any

import pytest

from orchestrator import Optimiser

SHARES = {"a": (0.0, 30.0), "b": (0.0, 40.0), "wide": (0.0, 48.0)}


@pytest.mark.parametrize(
    "told",
    [
        {"fidelity": {"parameter": "wide", "cost": "1 + wide"}},
        {"factors": [["wide"], ["a"]], "algorithm": "gp-ei"},
    ],
    ids=str,
)
def test_it_is_neither_the_fidelity_nor_in_a_factor_though_widest(told: dict[str, Any]) -> None:
    optimiser = Optimiser(SHARES, constraints=["a + b + wide == 60"], **told)
    (asked,) = optimiser.ask()
    assert sum(asked.parameters.values()) == pytest.approx(60.0)
    assert list(asked.parameters)[-1] == "b"
