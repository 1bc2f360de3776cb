"""With a suggestion comes what each factor is believed to add at its point, in the objective's units."""

import numpy as np
import pytest
from additive_stories import PAIRS, built, pairs, told

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem, reasons
from orchestrator.unit_cube.domain import Domain

POINTS = np.random.default_rng(0).random((80, 6))


@pytest.mark.parametrize("with_terms", [False, True], ids=["totals", "decomposed outputs"])
@pytest.mark.parametrize("name", ["dumbo", "add-gp-ucb"])
def test_they_add_up_to_the_prediction_less_what_all_points_have_in_common(name, with_terms):
    algorithm = told(built(name, 6, factors=PAIRS), pairs, POINTS[:50], with_terms)
    (suggestion,) = algorithm.ask(1, [], AskKey(50, 50))
    assert [part.factor for part in suggestion.parts] == [
        tuple(factor) for factor in algorithm.insight().decomposition
    ]
    scale = algorithm._belief.standardisation
    assert scale.warp is None
    added = sum(part.predicted.mean for part in suggestion.parts)
    assert scale.shift + added == pytest.approx(suggestion.predicted.mean, abs=1e-9)
    assert all(part.predicted.deviation >= 0.0 for part in suggestion.parts)


def test_auto_gives_those_of_the_decomposition_that_it_believes_in():
    problem = Problem(Domain.continuous(6), factors=PAIRS, noise=Noise("known", 0.0))
    algorithm = registry.build("auto", problem)
    algorithm.tell([Observation(k, x, float(pairs(x).sum())) for k, x in enumerate(POINTS)])
    algorithm.adopt(algorithm.compute_refit(1))
    suggestions = algorithm.ask(4, [], AskKey(0, 80))
    everywhere = [s for s in suggestions if s.why["search"] == "global"]
    assert everywhere
    for suggestion in everywhere:
        assert [part.factor for part in suggestion.parts] == list(PAIRS)
    assert algorithm.insight().probability == pytest.approx(
        sum(weight for name, weight in algorithm.insight().weights.items() if name.startswith("factors"))
    )


def test_in_the_sense_of_an_objective_to_minimise_their_means_change_sign():
    algorithm = told(built("dumbo", 6, factors=PAIRS), pairs, POINTS[:50])
    (suggestion,) = algorithm.ask(1, [], AskKey(50, 50))
    up, down = (reasons(suggestion, sign)["parts"] for sign in (1.0, -1.0))
    assert [part["factor"] for part in up] == [list(part.factor) for part in suggestion.parts]
    assert [part["mean"] for part in up] == [-part["mean"] for part in down]
    assert [part["deviation"] for part in up] == [part["deviation"] for part in down]
