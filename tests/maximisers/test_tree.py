"""Cells tile the domain, whatever is expanded, and are cut as P(m; a, b) says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.algorithms.exclusion import CELLS
from orchestrator.maximisers.trees.tree import FINEST_SIDE, ROOT, Cell, LongestSides, Tree
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.whole_numbers import WholeNumbers

coordinates = st.one_of(
    st.just(Coordinate()),
    st.integers(1, 7).map(lambda k: Coordinate("ordinal", tuple(np.linspace(0, 1, k).tolist()))),
    st.tuples(st.integers(1, 6), st.integers(1, 5000), st.booleans()).map(
        lambda told: Coordinate(whole=WholeNumbers(told[0], told[0] + told[1], told[2]))
    ),
    st.integers(2, 5).map(lambda k: Coordinate("categorical", tuple(np.linspace(0, 1, k).tolist()))),
)


@st.composite
def grown_trees(draw):
    domain = Domain(tuple(draw(st.lists(coordinates, min_size=1, max_size=4))))
    partition = LongestSides(draw(st.integers(2, 4)), draw(st.integers(1, domain.dimension)))
    tree = Tree(domain)
    for choice in draw(st.lists(st.integers(0, 10_000), max_size=12)):
        leaves = tree.leaves()
        if not leaves:
            break
        tree.expand(leaves[choice % len(leaves)], partition)
    return tree


def part_of_domain(cell, domain):
    sizes = [
        (upper - lower) / (c.whole.count if c.whole else max(1, len(c.positions)))
        for c, (lower, upper) in zip(domain.coordinates, cell.sides, strict=True)
    ]
    return float(np.prod(sizes))


def contains(cell, point, domain):
    """Whether a feasible point lies inside."""
    for x, coordinate, (lower, upper) in zip(point, domain.coordinates, cell.sides, strict=True):
        if coordinate.whole is not None:
            at = float(coordinate.whole.at(x))
        elif coordinate.positions:
            at = float(np.abs(np.asarray(coordinate.positions) - x).argmin())
        else:
            at = float(x)
        last = upper == 1.0 and not coordinate.positions and coordinate.whole is None
        if not (lower <= at < upper or (last and at == 1.0)):
            return False
    return True


@settings(max_examples=150)
@given(grown_trees(), st.integers(0, 2**32 - 1))
def test_the_frontier_tiles_the_domain(tree, seed):
    # A single point that was expanded has no children and stays a tile.
    frontier = [node for node in tree.nodes if not node.children]
    assert sum(part_of_domain(node.cell, tree.domain) for node in frontier) == pytest.approx(1.0)
    points = tree.domain.sample(30, np.random.default_rng(seed))
    corners = np.array([np.zeros(tree.domain.dimension), np.ones(tree.domain.dimension)])
    for point in [*points, *tree.domain.snap(corners)]:
        assert sum(contains(node.cell, point, tree.domain) for node in frontier) == 1


@settings(max_examples=100)
@given(grown_trees())
def test_centres_are_feasible_and_lie_in_their_own_cells(tree):
    for node in tree.nodes:
        np.testing.assert_array_equal(tree.domain.snap(node.centre), node.centre)
        assert contains(node.cell, node.centre, tree.domain)
    frontier = [tuple(node.centre) for node in tree.nodes if not node.children]
    assert len(set(frontier)) == len(frontier)


def test_the_papers_figure_two_parts_of_three_sides_are_eight_equal_cubes():
    domain = Domain.continuous(3)
    cells = LongestSides(2, 3).cut(Tree(domain).nodes[ROOT].cell, domain)
    assert len(cells) == LongestSides(2, 3).children == 8
    for cell in cells:
        np.testing.assert_allclose(cell.lengths(domain), 0.5)


def test_the_longest_sides_are_cut_and_ties_go_to_the_first():
    domain = Domain.continuous(3)
    cell = Cell(((0.0, 0.5), (0.0, 1.0), (0.0, 1.0)))
    once = LongestSides(3, 1).cut(cell, domain)
    assert [c.sides[1] for c in once] == [(0.0, 1 / 3), (1 / 3, 2 / 3), (2 / 3, 1.0)]
    assert all(c.sides[0] == (0.0, 0.5) and c.sides[2] == (0.0, 1.0) for c in once)
    twice = LongestSides(2, 2).cut(cell, domain)
    assert len(twice) == 4
    assert all(c.sides[0] == (0.0, 0.5) for c in twice)


def test_trisection_keeps_the_parents_centre():
    domain = Domain.continuous(2)
    tree = Tree(domain)
    children = tree.expand(ROOT, LongestSides(3))
    np.testing.assert_allclose(tree.centres(children)[1], tree.nodes[ROOT].centre)


def test_whole_numbers_by_their_logarithms_are_cut_by_width_and_never_within_one_of_them():
    domain = Domain((Coordinate(whole=WholeNumbers(1, 5000, True)),))
    tree = Tree(domain)
    for leaf in (node for _ in range(6) for node in tree.leaves()):
        tree.expand(leaf, LongestSides(2))
    runs = sorted(node.cell.sides[0] for node in tree.nodes if not node.children)
    assert runs[:3] == [(1, 2), (2, 3), (3, 4)]
    assert max(Cell((run,)).lengths(domain)[0] for run in runs) < 0.04


def test_what_counts_as_one_point_is_not_cut():
    tree, leaf, depth = Tree(Domain.continuous(1)), ROOT, 0
    while children := tree.expand(leaf, LongestSides(2)):
        leaf, depth = children[-1], depth + 1
    assert depth == 20
    assert FINEST_SIDE * CELLS == 1.0, "both say what counts as one"


def test_values_come_whenever_they_come():
    tree = Tree(Domain.continuous(2))
    children = tree.expand(ROOT, LongestSides(2))
    tree.nodes[children[1]].value = 3.0
    np.testing.assert_array_equal(tree.values(children), [-np.inf, 3.0])
    assert tree.leaves(1) == list(children)
    assert tree.leaves(0) == []
    assert tree.depth == 1


def test_what_makes_no_sense_is_refused():
    tree = Tree(Domain.continuous(2))
    with pytest.raises(ValueError, match="b = 3 sides"):
        tree.expand(ROOT, LongestSides(2, 3))
    with pytest.raises(ValueError, match="a >= 2"):
        LongestSides(1, 1)
