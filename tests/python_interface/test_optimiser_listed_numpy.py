"""Choices that are listed as numbers and words of numpy's, as arrays and frames give them."""

import json

import numpy as np
import pytest

from orchestrator import Optimiser


@pytest.mark.parametrize("kind", [np.bool_, np.int64, np.float32, np.str_])
@pytest.mark.parametrize("listed", [list, tuple])
def test_choices_of_numpy_s_are_python_s(kind, listed):
    """As `list(frame["flag"].unique())` has them."""
    values = [kind(0), kind(1)]
    optimiser = Optimiser({"c": {"type": "choice", "values": listed(values)}}, algorithm="random")
    for asked in optimiser.ask(4):
        assert json.loads(json.dumps(asked.parameters))["c"] in [value.item() for value in values]
    optimiser.learn({"c": kind(1)}, 1.0)
    assert optimiser.best().parameters["c"] == kind(1).item()
