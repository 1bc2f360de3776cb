"""How likely a threshold is exceeded over two parameters: where that is looked at, and where a dot lies."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from orchestrator.arrays import FloatArray
from orchestrator.parameters.space import Space
from orchestrator.report.html.chance_chart import chances_drawn
from orchestrator.report.html.map_chart import Side
from orchestrator.sensitivity.chance_map import ChanceMap, chance_map


def test_chances_stand_where_whole_numbers_of_a_logarithmic_scale_do() -> None:
    width = {"type": "int", "bounds": [8, 4096], "scale": "log"}
    space = Space.from_description({"width": width, "rate": (0.0, 1.0), "other": (0.0, 1.0)})

    def believed(points: FloatArray) -> Any:
        return SimpleNamespace(above=lambda threshold: (points[:, 0] > threshold).astype(float))

    model: Any = SimpleNamespace(domain=space.domain, believed=believed)
    found = chance_map(model, (0, 1), 0.5, np.random.default_rng(0))
    assert found.chances == pytest.approx(np.tile(1.0 * (found.columns > 0.5), (len(found.rows), 1)))
    across = Side.of(space.parameters[0], found.columns)
    shown = [space.parameters[0].decode(at) for at in found.columns.tolist()]
    assert [across.share(value) * len(shown) for value in shown] == pytest.approx(np.arange(len(shown)) + 0.5)
    assert across.share(512) == pytest.approx(2 / 3, abs=0.05)
    assert Side.of(space.parameters[1], found.rows).positions is None


def test_names_are_told_as_they_are() -> None:
    space = Space.from_description({"p & q": (0.0, 1.0), "r": (0.0, 1.0)})
    found = ChanceMap(0, 1, np.array([0.25, 0.75]), np.array([0.5]), np.array([[0.2, 0.9]]))
    told: Any = SimpleNamespace(found=SimpleNamespace(chances=found), space=space)
    objective = SimpleNamespace(name="b < c", threshold=2.0, unit="")
    state = SimpleNamespace(trials={}, optimiser=SimpleNamespace(model=0))
    run: Any = SimpleNamespace(spec=SimpleNamespace(objective=objective), state=state)
    drawn = chances_drawn(run, [told])
    assert "<h2>Where b &lt; c is above 2</h2>" in drawn
    assert "all settings of the parameters but p &amp; q and r: the darker" in drawn
