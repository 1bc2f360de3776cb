"""Add-MES: each group goes where its own highest value would be learned about."""

import numpy as np
import pytest

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem
from orchestrator.errors import SpecError
from orchestrator.unit_cube.domain import Domain

PAIRS = ((0, 1), (2, 3))


def pairs(point) -> float:
    a = -((point[0] - 0.3) ** 2) - (point[0] - 0.3) * (point[1] - 0.7) - (point[1] - 0.7) ** 2
    return float(a + np.sin(4 * point[2]) * point[3])


def optimise(algorithm, trials):
    best, suggestion = -np.inf, None
    for trial in range(trials):
        if (number := algorithm.refit_due()) is not None:
            algorithm.adopt(algorithm.compute_refit(number))
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        value = pairs(suggestion.point)
        best = max(best, value)
        algorithm.tell([Observation(trial, suggestion.point, value)])
    return best, suggestion


@pytest.mark.parametrize("maxima_of", ["independent-values", "functions"])
def test_it_finds_the_top_of_a_sum_of_pairs(maxima_of):
    problem = Problem(Domain.continuous(4), seed=1, factors=PAIRS)
    options = {"refit_every": 8, "maxima_of": maxima_of}
    best, suggestion = optimise(registry.build("add-mes", problem, options), 35)
    assert best > 1.0 - 5e-3
    assert suggestion.why["exploration"] == 1.0
    assert suggestion.why["member"] == "1-2|3-4"


@pytest.mark.parametrize(
    ("options", "factors", "sentence"),
    [
        ({"beta": "theoretical"}, None, "`beta` belongs to algorithms with upper confidence bounds"),
        ({"group_size": 9}, None, "group_size of at most 4"),
        ({"maxima": 0}, None, "option `maxima`"),
        ({"maxima_of": "gumbel"}, None, "option `maxima_of`"),
        ({}, ((0, 1), (1, 2, 3)), "share no parameter"),
    ],
)
def test_what_makes_no_sense_is_refused(options, factors, sentence):
    with pytest.raises(SpecError) as refused:
        registry.build("add-mes", Problem(Domain.continuous(4), factors=factors), options)
    assert sentence in str(refused.value)
