"""Every algorithm learns of what was stopped: forecasts are told with values, and are no best."""

from __future__ import annotations

import numpy as np
import pytest
from conforming import NAMES
from quick_options import quick_options

from orchestrator.python_interface.optimiser import Optimiser, Plan

SPACE = {"x": (0.0, 1.0), "y": (0.0, 1.0)}


@pytest.mark.parametrize("name", NAMES)
def test_it_goes_on_among_forecasts_and_believes_in_none_of_them(name: str) -> None:
    optimiser = Optimiser(
        SPACE, goal="maximise", algorithm=name, options=quick_options(name), plan=Plan(trials=9), seed=3
    )
    stopped = set()
    for k in range(9):
        (asked,) = optimiser.ask()
        x, y = asked.parameters["x"], asked.parameters["y"]
        value = 1.0 - (x - 0.3) ** 2 - (y - 0.6) ** 2
        if k % 3 == 2:
            # As high as can be, and so uncertain that it says next to nothing.
            optimiser.tell(asked.trial, 1.0, 4.0, foreseen=True)
            stopped.add(asked.trial)
        else:
            optimiser.tell(asked.trial, value)
        assert np.isfinite([x, y]).all()
    assert optimiser.best().trial not in stopped
    assert optimiser.best().value < 1.0
    believed = optimiser.insight().believed_best
    assert believed is None or believed.trial not in stopped
