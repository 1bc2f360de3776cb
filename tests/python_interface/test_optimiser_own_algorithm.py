"""An algorithm of one's own that suggests what is no point, called from Python."""

from pathlib import Path

import numpy as np
import pytest

from orchestrator import Optimiser
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Suggestion
from orchestrator.algorithms.random_search import RandomSearch
from orchestrator.errors import OptimiserError


class Astray(RandomSearch):
    """An algorithm of one's own that suggests what it was told to."""

    answer: object = None

    def ask(self, *_):
        return self.answer


@pytest.mark.parametrize(
    ("answer", "got"),
    [
        (None, "to return a list of Suggestions, got None"),
        ([Suggestion(np.array([0.5, 1.5]))], "to return points of 2 numbers in the unit cube, got [0.5 1.5]"),
        ([Suggestion(np.array([0.5, np.nan]))], "got [0.5 nan]"),
        ([Suggestion(np.zeros((1, 2)))], "got [[0. 0.]]"),
        ([], "as many Suggestions as were asked for, 1, got 0"),
    ],
)
def test_an_algorithm_of_one_s_own_that_suggests_no_point_is_told_so_and_nothing_is_pending(
    monkeypatch, answer, got
):
    monkeypatch.setattr(registry, "load", lambda _: Astray)
    monkeypatch.setattr(Astray, "answer", answer)
    optimiser = Optimiser({"x": (0.0, 1.0), "y": (0.0, 1.0)}, algorithm="astray")
    with pytest.raises(OptimiserError) as refused:
        optimiser.ask()
    assert got in str(refused.value)
    assert Path(__file__).name in str(refused.value)
    assert optimiser.pending == ()
