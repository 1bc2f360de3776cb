"""One factor's function, and the sum over all: values, gradients, and the way across a wire."""

import json

import numpy as np
import pytest
from acquisition_surfaces import random_surface
from dense_factors import bonus, conditioned

from orchestrator.maximisers.factors.factor_description import read_description, write_description
from orchestrator.maximisers.factors.factor_objective import FactoredObjective
from orchestrator.maximisers.factors.gaussian_factor import gaussian_factors
from orchestrator.maximisers.message_passing.exchange import InProcessExchange
from orchestrator.maximisers.message_passing.exchange_objective import ExchangeObjective
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.covariances.kernel_families import RBF
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.surrogates.posteriors.additive import AdditiveGP
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

MIXED = Domain(
    (
        Coordinate(),
        Coordinate("categorical", (0.0, 0.5, 1.0)),
        Coordinate("ordinal", (0.0, 0.25, 0.5, 1.0)),
        Coordinate(),
        Coordinate(),
    )
)
GRAPH = FactorGraph(((1, 0), (1, 2, 3), (3, 4)), 5)


@pytest.mark.parametrize("coupled", [True, False])
def test_the_sum_over_nodes_is_the_acquisition_of_the_whole(coupled):
    surface = random_surface(0, MIXED, 3, coupled, graph=GRAPH)
    X = MIXED.sample(50, stream(0, "points"))
    means, covariances = conditioned(surface.posterior, surface.values, X)
    expected = means.sum(axis=0)
    expected += bonus(GRAPH, np.sqrt(surface.betas), np.diagonal(covariances).T, coupled)
    np.testing.assert_allclose(surface.objective.values(X), expected, rtol=1e-8, atol=1e-9)
    values, _ = surface.objective.values_and_gradients(X)
    np.testing.assert_allclose(values, expected, rtol=1e-8, atol=1e-9)
    exchange = InProcessExchange(GRAPH, surface.factors, coupled)
    np.testing.assert_allclose(ExchangeObjective(exchange).values(X), expected, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("coupled", [True, False])
def test_gradients_in_a_mixed_domain_are_those_in_its_numbers(coupled):
    surface = random_surface(0, MIXED, 3, coupled, graph=GRAPH)
    X = MIXED.sample(50, stream(0, "points"))
    _, gradients = surface.objective.values_and_gradients(X)
    for j, coordinate in enumerate(MIXED.coordinates):
        if coordinate.kind == "categorical":
            assert not gradients[:, j].any()
            continue
        step = 1e-5 * np.eye(5)[j]
        slope = (surface.objective.values(X + step) - surface.objective.values(X - step)) / 2e-5
        np.testing.assert_allclose(gradients[:, j], slope, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("coupled", [True, False])
def test_gradients_agree_with_finite_differences(coupled):
    surface = random_surface(1, Domain.continuous(6), 4, coupled)
    X = stream(1, "points").uniform(0.1, 0.9, (8, 6))
    _, gradients = surface.objective.values_and_gradients(X)
    for j in range(6):
        step = 1e-5 * np.eye(6)[j]
        slope = (surface.objective.values(X + step) - surface.objective.values(X - step)) / 2e-5
        np.testing.assert_allclose(gradients[:, j], slope, rtol=1e-4, atol=1e-5)


def test_a_description_crosses_as_json_to_the_bit():
    surface = random_surface(2, MIXED, 3, coupled=True, graph=GRAPH)
    for factor in surface.factors:
        crossed = read_description(json.loads(json.dumps(write_description(factor)))).local_objective()
        X = factor.domain.sample(20, stream(2, "points"))
        here, there = factor.parts_and_gradients(X), crossed.parts_and_gradients(X)
        for mine, theirs in zip(here, there, strict=True):
            np.testing.assert_array_equal(mine, theirs)
        assert crossed.weight == factor.weight


def test_before_any_value_is_known_factors_are_flat():
    told = random_surface(3, MIXED, 3, coupled=True, graph=GRAPH).posterior
    untold = AdditiveGP(MIXED, GRAPH, RBF, told.hyperparameters)
    factors = gaussian_factors(untold, [1.0] * 3, coupled=True)
    crossed = [read_description(write_description(f)).local_objective() for f in factors]
    values, gradients = FactoredObjective(GRAPH, crossed, True).values_and_gradients(
        MIXED.sample(5, stream(3, "x"))
    )
    assert np.ptp(values) == 0
    np.testing.assert_array_equal(gradients, 0)


@pytest.mark.parametrize(
    ("data", "complaint"),
    [({"kind": "pickle"}, "known kind"), ({}, "known kind"), ({"kind": "gaussian"}, "incomplete")],
)
def test_what_is_no_description_is_refused_in_words(data, complaint):
    with pytest.raises(ValueError, match=complaint):
        read_description(data)


def test_gradients_beside_angles_are_those_in_their_turns():
    domain = Domain((Coordinate(periodic=True), *MIXED.coordinates[1:4], Coordinate(periodic=True)))
    surface = random_surface(0, domain, 3, True, graph=GRAPH)
    X = domain.sample(20, stream(0, "points")) + np.array([-0.7, 0.0, 0.0, 0.0, 0.6])
    values, gradients = surface.objective.values_and_gradients(X)
    np.testing.assert_allclose(values, surface.objective.values(X + np.array([1.0, 0.0, 0.0, 0.0, -2.0])))
    for j in (0, 2, 3, 4):
        step = 1e-5 * np.eye(5)[j]
        slope = (surface.objective.values(X + step) - surface.objective.values(X - step)) / 2e-5
        np.testing.assert_allclose(gradients[:, j], slope, rtol=1e-4, atol=1e-5)
