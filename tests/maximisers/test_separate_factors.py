"""Factors that share nothing: each climbs alone, and the whole is as high as gradients reach together."""

import numpy as np
import pytest
from acquisition_surfaces import random_surface

from orchestrator.maximisers.climbs.multistart import maximise
from orchestrator.maximisers.message_passing.exchange import InProcessExchange
from orchestrator.maximisers.sums.separate_factors import SeparateFactors
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.unit_cube.domain import Domain

DOMAIN = Domain.continuous(8)
GRAPH = FactorGraph(((0, 5), (1, 2, 3), (4,), (6, 7)), 8)


@pytest.mark.parametrize("number", range(4))
def test_it_reaches_what_gradients_of_the_whole_reach(number):
    surface = random_surface(number, DOMAIN, 3, coupled=False, graph=GRAPH)
    exchange = InProcessExchange(GRAPH, surface.factors)
    rng = np.random.default_rng(number)
    found = SeparateFactors().maximise(exchange, DOMAIN, rng)
    objective = surface.objective
    everything = maximise(objective, DOMAIN, np.empty((0, 8)), lambda X: np.ones(len(X), bool), rng)
    worst = objective.values(rng.random((500, 8))).min()
    assert found.value - worst > 0.99 * (everything.value - worst)
    assert found.value == pytest.approx(objective.values(found.point[None])[0])


def test_each_factor_has_its_own_block_of_whichever_known_point_is_best_for_it():
    surface = random_surface(1, DOMAIN, 3, coupled=False, graph=GRAPH)
    exchange, known = InProcessExchange(GRAPH, surface.factors), np.random.default_rng(2).random((400, 8))
    brief = SeparateFactors(restarts=1, candidates=1, steps=0)
    alone = brief.maximise(exchange, DOMAIN, np.random.default_rng(3), known[:0])
    found = brief.maximise(exchange, DOMAIN, np.random.default_rng(3), known)
    values = surface.objective.values(np.vstack([known, alone.point]))
    assert found.value > values.max()
    for block in GRAPH.indices:
        assert (found.point[block] == np.vstack([known, alone.point])[:, block]).all(axis=1).any()


def test_factors_that_share_a_parameter_are_not_its_business():
    surface = random_surface(0, DOMAIN, 3, coupled=False)
    exchange = InProcessExchange(surface.graph, surface.factors)
    with pytest.raises(ValueError, match="share no parameter"):
        SeparateFactors().maximise(exchange, DOMAIN, np.random.default_rng(0))
