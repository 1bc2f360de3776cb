"""Max-sum: exact on trees, close on loops, on grids as fine as wanted."""

import numpy as np
import pytest
from acquisition_surfaces import (
    TableFactor,
    brute_force,
    random_graph,
    random_surface,
    random_tree,
    table_domain,
)

from orchestrator.maximisers.climbs.ascent import ascend
from orchestrator.maximisers.factors.factor_objective import FactoredObjective
from orchestrator.maximisers.message_passing.exchange import InProcessExchange
from orchestrator.maximisers.sums.max_sum import FEWEST, MaxSum
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.whole_numbers import WholeNumbers


def tables_on(graph, rng, tied):
    sizes = rng.integers(2, 4, graph.dimension).tolist()
    shapes = [tuple(sizes[j] for j in factor) for factor in graph.factors]
    draw = (lambda s: rng.integers(0, 2, s).astype(float)) if tied else rng.standard_normal
    return table_domain(sizes), [TableFactor(draw(shape)) for shape in shapes]


@pytest.mark.parametrize("tied", [False, True], ids=["distinct values", "ties everywhere"])
@pytest.mark.parametrize(("factors", "largest"), [(1, 4), (3, 4), (5, 3), (8, 2)])
def test_on_a_tree_it_finds_what_brute_force_finds(factors, largest, tied):
    for number in range(8):
        rng = stream(number, "tree", factors, largest, tied)
        graph = random_tree(factors, largest, rng)
        domain, tables = tables_on(graph, rng, tied)
        found = MaxSum(levels=0).maximise(InProcessExchange(graph, tables), domain, rng)
        objective = FactoredObjective(graph, tables)
        assert found.value == pytest.approx(brute_force(domain, objective), abs=1e-9)
        assert found.value == pytest.approx(float(objective.values(found.point[None, :])[0]), abs=1e-12)


def test_on_loops_it_stays_within_a_tenth_of_the_range_and_is_mostly_exact():
    gaps = []
    for number in range(60):
        rng = stream(number, "loops")
        graph = random_graph(9, 3, rng)
        domain, tables = tables_on(graph, rng, tied=False)
        objective = FactoredObjective(graph, tables)
        found = MaxSum(levels=0).maximise(InProcessExchange(graph, tables), domain, rng)
        points = domain.sample(2000, rng)
        best = brute_force(domain, objective)
        gaps.append((best - found.value) / (best - float(objective.values(points).min())))
    assert max(gaps) <= 0.1
    assert np.mean(np.array(gaps) < 1e-9) >= 0.95


@pytest.mark.parametrize("largest", [3, 5])
def test_refined_grids_reach_the_best_of_200_gradient_starts(largest):
    surface = random_surface(largest, Domain.continuous(24), largest, coupled=False)
    rng = stream(largest, "max-sum on surfaces")
    starts = rng.random((200, 24))
    _, climbed = ascend(surface.objective, starts, np.ones(24, dtype=bool), 100)
    lowest = float(surface.objective.values(starts).min())
    found = MaxSum().maximise(InProcessExchange(surface.graph, surface.factors), surface.domain, rng)
    assert (found.value - lowest) / (climbed.max() - lowest) >= 0.99


def test_every_level_of_refinement_adds_digits():
    surface = random_surface(
        1, Domain.continuous(3), 2, coupled=False, graph=FactorGraph(((0, 1), (1, 2)), 3)
    )
    exchange = InProcessExchange(surface.graph, surface.factors)
    values = [MaxSum(levels=n).maximise(exchange, surface.domain, stream(0, "x")).value for n in (0, 2, 8)]
    start = MaxSum(levels=8).maximise(exchange, surface.domain, stream(0, "x")).point[None, :]
    _, climbed = ascend(surface.objective, start, np.ones(3, dtype=bool), 100)
    assert values[0] < values[1] <= values[2]
    assert climbed[0] - values[2] < 1e-6 * (1 + abs(climbed[0]))


@pytest.mark.parametrize("refined", [FEWEST, 5, 9])
def test_however_few_positions_a_level_has_the_next_ones_lie_closer(refined):
    graph = FactorGraph(((0, 1, 2, 3), (3, 4)), 5)
    surface = random_surface(2, Domain.continuous(5), 4, coupled=False, graph=graph)
    exchange = InProcessExchange(graph, surface.factors)
    settings = MaxSum(table=256, refined=refined, levels=14)
    point = settings.maximise(exchange, surface.domain, stream(0, "x")).point[None, :]
    _, climbed = ascend(surface.objective, point, np.ones(5, dtype=bool), 200)
    assert climbed[0] - surface.objective.values(point)[0] < 1e-4 * (1 + abs(climbed[0]))


def test_discrete_coordinates_keep_to_their_positions():
    ordinal = Coordinate("ordinal", tuple(np.linspace(0, 1, 101).tolist()))
    categorical = Coordinate("categorical", (0.0, 0.5, 1.0))
    domain = Domain((Coordinate(), ordinal, categorical, Coordinate(), ordinal))
    graph = FactorGraph(((0, 1, 2), (2, 3), (3, 4)), 5)
    surface = random_surface(3, domain, 3, coupled=False, graph=graph)
    rng = stream(0, "mixed")
    found = MaxSum().maximise(InProcessExchange(graph, surface.factors), domain, rng)
    np.testing.assert_array_equal(domain.snap(found.point), found.point)
    assert found.value >= surface.objective.values(domain.sample(20_000, rng)).max()


def test_numbers_beside_a_choice_of_many_options_have_fewer_positions():
    many = Coordinate("categorical", tuple(np.linspace(0, 1, 60).tolist()))
    graph = FactorGraph(((0, 1, 2),), 3)
    surface = random_surface(3, Domain((many, Coordinate(), Coordinate())), 3, coupled=False, graph=graph)
    (factor,) = surface.factors
    tabulated = []

    class Counted:
        weight = factor.weight

        def parts(self, X):
            tabulated.append(len(X))
            return factor.parts(X)

    exchange = InProcessExchange(graph, [Counted()])
    MaxSum(table=1024, levels=0).maximise(exchange, surface.domain, stream(0, "choice"))
    # Four positions fit the table, and the incumbent's is one more.
    assert 60 * 4 * 4 <= max(tabulated) <= 60 * 5 * 5


def test_within_reach_it_finds_the_best_about_its_incumbent():
    graph = FactorGraph(((0, 1), (1, 2)), 3)
    surface = random_surface(1, Domain.continuous(3), 2, coupled=False, graph=graph)
    exchange = InProcessExchange(graph, surface.factors)
    reach = np.array([0.1, 0.05, 0.2])
    settings = MaxSum(reach=tuple(reach), levels=0)
    for centre in np.array([[0.5, 0.5, 0.5], [0.05, 0.9, 0.3]]):
        found = settings.maximise(exchange, surface.domain, stream(0, "x"), centre[None, :])
        assert (np.abs(found.point - centre) <= reach + 1e-12).all()
        box = np.clip(centre + reach * np.random.default_rng(0).uniform(-1, 1, (5000, 3)), 0, 1)
        values = surface.objective.values(box)
        assert found.value > values.max() - 0.02 * np.ptp(values)


def test_an_incumbent_is_kept_where_nothing_better_is_found():
    graph = FactorGraph(((0, 1), (2,)), 3)
    surface = random_surface(5, Domain.continuous(3), 2, coupled=False, graph=graph)
    exchange = InProcessExchange(graph, surface.factors)
    best = MaxSum(levels=8).maximise(exchange, surface.domain, stream(0, "x"))
    again = MaxSum(table=9, levels=0).maximise(exchange, surface.domain, stream(1, "x"), best.point[None, :])
    assert again.value >= best.value


def test_functions_that_share_their_roots_are_refused():
    surface = random_surface(6, Domain.continuous(4), 3, coupled=True)
    with pytest.raises(ValueError, match="share their roots"):
        MaxSum().maximise(
            InProcessExchange(surface.graph, surface.factors, coupled=True), surface.domain, stream(0, "x")
        )


@pytest.mark.parametrize("number", range(3))
def test_whole_numbers_that_are_not_listed_end_where_no_neighbour_is_better(number):
    whole = (WholeNumbers(1, 5000, True), WholeNumbers(0, 100_000))
    domain = Domain((*(Coordinate(whole=w) for w in whole), Coordinate(), Coordinate()))
    surface = random_surface(number, domain, 3, coupled=False)
    exchange = InProcessExchange(surface.graph, surface.factors, surface.coupled)
    found = MaxSum().maximise(exchange, domain, stream(number, "whole"))
    assert np.array_equal(domain.snap(found.point), found.point)
    assert found.value == pytest.approx(float(surface.objective.values(found.point[None, :])[0]))
    for j, w in enumerate(whole):
        here = w.at(found.point[j])
        beside = np.tile(found.point, (2, 1))
        beside[:, j] = [w.position(max(here - 1, w.low)), w.position(min(here + 1, w.high))]
        assert surface.objective.values(beside).max() <= found.value + 1e-3


class Counted:
    """A factor that remembers of how many points it was asked at once."""

    def __init__(self, factor):
        self.factor, self.weight, self.asked = factor, factor.weight, []

    def parts(self, X):
        self.asked.append(len(X))
        return self.factor.parts(X)


def test_of_changes_in_one_coordinate_a_factor_is_told_those_that_it_sees_once():
    ring = FactorGraph(tuple(tuple(sorted((j, (j + 1) % 24))) for j in range(24)), 24)
    surface = random_surface(3, Domain.continuous(24), 2, coupled=False, graph=ring)
    factors = [Counted(factor) for factor in surface.factors]
    few_messages = MaxSum(table=64, levels=2, passes=1)
    few_messages.maximise(InProcessExchange(ring, factors), surface.domain, stream(3, "x"))
    # Of 8 positions of each coordinate and the incumbent's; all changes of all would be 9 x 24 points.
    assert max(max(factor.asked) for factor in factors) == 9 * 9
    # Once at first, and on three levels for its table, its answer and the changes; more where one was made.
    assert min(len(factor.asked) for factor in factors) == 10
