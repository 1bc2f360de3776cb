"""Alg. 1 of BOO, step by step, on an example worked by hand."""

import math

import numpy as np
import pytest

from orchestrator.maximisers.trees.optimistic_sweep import OptimisticSweep
from orchestrator.maximisers.trees.tree import ROOT, LongestSides, Tree
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain


def grown(partition, depth_limit=math.sqrt, domain=None):
    tree = Tree(domain or Domain.continuous(1))
    return tree, OptimisticSweep(tree, partition, depth_limit)


def score_by(tree, function):
    return lambda leaves: np.array([function(float(tree.nodes[i].centre[0])) for i in leaves])


def run(tree, sweep, upper_bound, function, steps):
    """BOO: leaves by their upper bound, the threshold by the function at the centre expanded."""
    centres = []
    for _ in range(steps):
        step = sweep.next(score_by(tree, upper_bound))
        assert step is not None
        x = float(tree.nodes[step.node].centre[0])
        centres.append(x)
        sweep.observe(step, function(x))
    return centres


def test_a_worked_example():
    # f(x) = x with bound x + 1/2, halves. By hand:
    # sweep 1 (p = 1): h = 0 only: 1/2.
    # sweep 2 (p = 2, depth 1, h_max = 1): h = 1: 3/4, not 1/4; its children lie too deep.
    # sweep 3 (p = 3, depth 2, h_max = 1): h = 1: 1/4, the only leaf left there.
    # sweep 4 (p = 4, depth 2, h_max = 2): h = 2: 7/8, of 1/8, 3/8, 5/8, 7/8.
    # sweep 5 (p = 5, depth 3, h_max = 2): h = 2: 5/8.
    tree, sweep = grown(LongestSides(2))
    centres = run(tree, sweep, lambda x: x + 0.5, lambda x: x, 5)
    assert centres == [0.5, 0.75, 0.25, 0.875, 0.625]


def test_a_deeper_leaf_must_beat_what_was_observed_above_it():
    # The bound falls short of f at the shallower leaf, so that the sweep passes the deeper ones over.
    def expand_three(observed):
        tree, sweep = grown(LongestSides(4), depth_limit=lambda _: math.inf)
        sweep.observe(sweep.next(score_by(tree, lambda x: x)), 0.0)
        step = sweep.next(score_by(tree, lambda x: x))
        assert tree.nodes[step.node].depth == 1
        sweep.observe(step, 0.0)
        first = sweep.next(score_by(tree, lambda x: x))
        sweep.observe(first, observed)
        second = sweep.next(score_by(tree, lambda x: x))
        return tree.nodes[first.node].depth, tree.nodes[second.node].depth

    assert expand_three(observed=0.0) == (1, 2)  # 31/32 >= 0: the same sweep goes deeper
    assert expand_three(observed=5.0) == (1, 1)  # nothing reaches 5: a new sweep from the top


def test_no_sweep_goes_deeper_than_the_root_of_the_expansions():
    tree, sweep = grown(LongestSides(3))
    for p in range(1, 200):
        step = sweep.next(score_by(tree, lambda x: x))
        sweep.observe(step, -1.0)
        assert sweep.expansions == p + 1
        assert tree.nodes[step.node].depth <= math.sqrt(p)


def test_each_depth_gives_at_most_one_leaf_a_sweep():
    tree, sweep = grown(LongestSides(3))
    chosen: dict[int, list[int]] = {}
    for _ in range(120):
        step = sweep.next(score_by(tree, lambda x: -abs(x - 0.3)))
        sweep.observe(step, -10.0)
        chosen.setdefault(step.sweep, []).append(tree.nodes[step.node].depth)
    assert all(depths == sorted(set(depths)) for depths in chosen.values())
    assert max(len(depths) for depths in chosen.values()) > 2


def test_with_two_children_it_goes_on_where_the_papers_loop_would_spin():
    tree, sweep = grown(LongestSides(2))
    for _ in range(100):
        assert sweep.next(score_by(tree, lambda x: x)) is not None


def test_leaves_without_a_value_wait_and_a_late_value_counts_for_its_own_sweep_only():
    # SOO: a leaf's score is its value, brought when it is known.
    tree, sweep = grown(LongestSides(2))
    tree.nodes[ROOT].value = 0.0
    first = sweep.next(tree.values)
    assert sweep.next(tree.values) is None
    left, right = first.children
    tree.nodes[right].value = 1.0
    second = sweep.next(tree.values)
    assert second.node == right
    sweep.observe(first, 100.0)
    tree.nodes[left].value = 0.5
    assert sweep.next(tree.values).node == left


def test_soo_finds_the_top_of_a_hill():
    tree, sweep = grown(LongestSides(3))

    def height(x):
        return -abs(x - 1 / 7)

    tree.nodes[ROOT].value = height(0.5)
    best = -math.inf
    for _ in range(60):
        step = sweep.next(tree.values)
        sweep.observe(step, step.score)
        for child in step.children:
            value = height(float(tree.nodes[child].centre[0]))
            tree.nodes[child].value = value
            best = max(best, value)
    assert best == pytest.approx(0.0, abs=1e-3)


def test_a_discrete_domain_is_used_up_and_then_nothing_is_chosen():
    domain = Domain((Coordinate("ordinal", (0.0, 0.5, 1.0)),))
    tree, sweep = grown(LongestSides(2), domain=domain)
    seen = set()
    while (step := sweep.next(score_by(tree, lambda x: x))) is not None:
        seen.add(float(tree.nodes[step.node].centre[0]))
    assert seen == {0.0, 0.5, 1.0}
