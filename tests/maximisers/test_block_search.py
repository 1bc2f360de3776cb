"""What the one who asks makes of the factors' answers: the whole function, and better blocks."""

import numpy as np
import pytest
from acquisition_surfaces import random_surface

from orchestrator.maximisers.message_passing.exchange import InProcessExchange
from orchestrator.maximisers.message_passing.exchange_objective import ExchangeObjective
from orchestrator.maximisers.sums.block_search import improve_blocks
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain

DIMENSION = 8


def surface_and_objective(number, coupled):
    surface = random_surface(number, Domain.continuous(DIMENSION), 3, coupled)
    return surface, ExchangeObjective(InProcessExchange(surface.graph, surface.factors, coupled))


def exhaustively_improved(surface, blocks, points):
    """Every block of every point replaced by the best of its pool, on and on, by values of the whole."""
    points = points.copy()
    for _ in range(20):
        before = points.copy()
        for v, pool in zip(surface.graph.indices, blocks, strict=True):
            for point in points:
                candidates = np.tile(point, (len(pool) + 1, 1))
                candidates[1:, v] = pool
                point[:] = candidates[int(np.argmax(surface.objective.values(candidates)))]
        if (points == before).all():
            return points
    raise AssertionError("blocks were still being replaced after 20 sweeps")


@pytest.mark.parametrize("coupled", [True, False])
def test_factors_answers_add_up_to_the_whole_and_its_gradient(coupled):
    surface, objective = surface_and_objective(0, coupled)
    X = stream(0, "points").random((7, DIMENSION))
    values, gradients = objective.values_and_gradients(X)
    expected, expected_gradients = surface.objective.values_and_gradients(X)
    np.testing.assert_allclose(values, expected, rtol=1e-12)
    np.testing.assert_allclose(gradients, expected_gradients, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(objective.values(X), expected, rtol=1e-9)


@pytest.mark.parametrize("coupled", [True, False])
@pytest.mark.parametrize("number", range(4))
def test_blocks_end_where_trying_every_replacement_ends(number, coupled):
    surface, objective = surface_and_objective(number, coupled)
    rng = stream(number, "blocks")
    points = rng.random((3, DIMENSION))
    blocks = [rng.random((5, len(v))) for v in surface.graph.indices]
    improved, values = improve_blocks(objective, blocks, points, 20)
    np.testing.assert_allclose(improved, exhaustively_improved(surface, blocks, points))
    np.testing.assert_allclose(values, surface.objective.values(improved), rtol=1e-9)
    assert (values >= surface.objective.values(points)).all()


def test_a_factor_that_shares_nothing_with_a_block_is_not_asked():
    surface, _ = surface_and_objective(1, coupled=False)
    exchange = InProcessExchange(surface.graph, surface.factors, False)
    only = {"factor:0": {"points": np.full((2, len(surface.graph.factors[0])), 0.5)}}
    told = exchange.run("values", {}, only).results
    assert told["factor:0"]["plain"].shape == (2,)
    assert all(not told[f"factor:{i}"] for i in range(1, surface.graph.size))
