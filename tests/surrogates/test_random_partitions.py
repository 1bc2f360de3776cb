"""Random partitions, of which the evidence chooses."""

import itertools
import math

import numpy as np
import pytest

from orchestrator.surrogates.decompositions.exchanges import exchanged
from orchestrator.surrogates.decompositions.factor_graph import Decomposition, FactorGraph
from orchestrator.surrogates.decompositions.random_partitions import best_random_partition, random_partitions


@pytest.mark.parametrize(("dimension", "size"), [(10, 3), (24, 6), (7, 7), (5, 1)])
def test_groups_cover_everything_once_within_the_size(dimension: int, size: int) -> None:
    found = random_partitions(dimension, size, 5, np.random.default_rng(0))
    for partition in found:
        graph = FactorGraph(partition, dimension)
        assert graph.is_partition
        assert graph.size == math.ceil(dimension / size)
        assert max(map(len, graph.factors)) == size
    assert len(set(found)) == len(found)


def test_where_there_are_few_partitions_no_more_are_found() -> None:
    assert len(random_partitions(4, 2, 50, np.random.default_rng(0))) == 3
    assert random_partitions(4, 4, 50, np.random.default_rng(0)) == (((0, 1, 2, 3),),)
    with pytest.raises(ValueError, match="1 to 4"):
        random_partitions(4, 5, 1, np.random.default_rng(0))


def test_the_most_evident_is_kept_and_last_times_choice_competes() -> None:
    treasured = ((0, 1), (2, 3), (4, 5), (6, 7))

    def evidence(decomposition: Decomposition) -> float:
        return float(sum(group in treasured for group in decomposition))

    fresh = best_random_partition(8, 2, evidence, np.random.default_rng(0))
    assert len(fresh.members) == 8
    assert fresh.best.log_evidence == max(m.log_evidence for m in fresh.members)
    assert best_random_partition(8, 2, evidence, np.random.default_rng(0), [treasured]).last == treasured


@pytest.mark.parametrize("sizes", [(3, 3, 3, 1), (2, 2, 2), (4, 3)])
def test_an_exchange_moves_one_parameter_or_two_and_keeps_to_the_size(sizes: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    ends = np.cumsum((0, *sizes))
    partition = tuple(tuple(range(a, b)) for a, b in itertools.pairwise(ends))
    moved = set()
    for _ in range(200):
        other = exchanged(partition, max(sizes), rng)
        graph = FactorGraph(other, int(ends[-1]))
        assert graph.is_partition
        assert max(map(len, graph.factors)) <= max(sizes)
        stayed = sum(max(len(set(a) & set(b)) for b in other) for a in partition)
        moved.add(int(ends[-1]) - stayed)
    assert moved <= {0, 1, 2}
    assert moved & {1, 2}


def test_exchanges_find_the_groups_that_random_draws_miss_and_weigh_nothing_twice() -> None:
    true = ((0, 5, 7), (1, 2, 9), (3, 4, 8), (6,))
    weighed = []

    def evidence(decomposition: Decomposition) -> float:
        weighed.append(decomposition)
        together = {pair for group in decomposition for pair in itertools.combinations(group, 2)}
        return float(sum(pair in together for group in true for pair in itertools.combinations(group, 2)))

    drawn = best_random_partition(10, 3, evidence, np.random.default_rng(1))
    assert drawn.best.decomposition != true
    weighed.clear()
    mended = best_random_partition(10, 3, evidence, np.random.default_rng(1), exchanges=200)
    assert mended.best.decomposition == mended.last == true
    assert mended.accepted >= 1
    assert len(weighed) == len(set(weighed)) == len(mended.members) <= 210


def test_where_nothing_is_left_to_exchange_the_search_ends() -> None:
    def evidence(decomposition: Decomposition) -> float:
        return float(-len(decomposition))

    assert len(best_random_partition(4, 2, evidence, np.random.default_rng(0), exchanges=500).members) <= 10
    alone = best_random_partition(4, 4, evidence, np.random.default_rng(0), exchanges=5)
    assert [member.decomposition for member in alone.members] == [((0, 1, 2, 3),)]
