"""What the regret bound of Tran-The et al. 2021 rests on: Lemmas 1, 3 and 5, of trees as they are grown here.

Notation: h depth, a and b of P(m; a, b), x* the maximum, c centres, delta(h; a, b) of Definition 1, L_1 = 1.
"""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.maximisers.trees.optimistic_sweep import OptimisticSweep
from orchestrator.maximisers.trees.tree import ROOT, LongestSides, Tree
from orchestrator.unit_cube.domain import Domain

EXPANSIONS = 150
partitions = st.tuples(st.integers(1, 3), st.integers(2, 4)).flatmap(
    lambda told: st.tuples(
        st.just(told[0]), st.builds(LongestSides, st.just(told[1]), st.integers(1, told[0]))
    )
)


def delta(h: int, D: int, partition: LongestSides) -> float:
    return float(D * float(partition.parts) ** (-2 * (partition.sides * h // D)))


def inside(cell, x) -> bool:
    return all(lower <= at < upper for at, (lower, upper) in zip(x, cell.sides, strict=True))


@settings(max_examples=100, deadline=None)
@given(partitions, st.lists(st.integers(0, 10_000), min_size=1, max_size=6))
def test_sides_are_as_long_as_lemma_1_has_it(shape, choices):
    D, partition = shape
    a, b, tree, node = partition.parts, partition.sides, Tree(Domain.continuous(D)), ROOT
    for h, choice in enumerate(choices, start=1):
        children = tree.expand(node, partition)
        node = children[choice % len(children)]
        sides = tree.nodes[node].cell.lengths(tree.domain)
        assert sides.max() <= float(a) ** -(b * h // D) * (1 + 1e-9)
        assert sides.min() >= float(a) ** -math.ceil(b * h / D) * (1 - 1e-9)


@settings(max_examples=50, deadline=None)
@given(partitions, st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.01, 0.1]))
def test_cells_that_hold_the_maximum_are_cut_as_early_as_lemma_5_has_it(shape, seed, bonus):
    # For f(x) = -|x - x*|^2. A centre lies in the middle, by which delta is a quarter of the paper's.
    D, partition = shape
    rng = np.random.default_rng(seed)
    best, tree = rng.random(D), Tree(Domain.continuous(D))
    sweep, uppers, optimal, cut = OptimisticSweep(tree, partition), [], [], set()
    sets = np.zeros(EXPANSIONS)  # sizes of the expansion sets, as far as the tree has grown

    def value(node):
        return -float(np.sum((tree.nodes[node].centre - best) ** 2))

    def bound(nodes):
        for node in tree.nodes[len(uppers) :]:
            least = -0.25 * delta(node.depth, D, partition)
            uppers.append(value(node.index) + bonus * rng.exponential())
            sets[node.depth] += uppers[-1] >= least
            if inside(node.cell, best):
                assert value(node.index) >= least, "Lemma 3"
                optimal.append(node.index)
        return np.array([uppers[i] for i in nodes])

    for p in range(1, EXPANSIONS + 1):
        step = sweep.next(bound)
        sweep.observe(step, value(step.node))
        cut.add(step.node)
        bound([])
        h_max = math.sqrt(p)
        for h in range(min(math.floor(h_max), tree.depth) + 1):
            if p >= h_max * sets[: h + 1].sum():
                assert optimal[h] in cut
