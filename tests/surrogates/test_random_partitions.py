"""Random partitions, of which the evidence chooses."""

import math

import numpy as np
import pytest

from orchestrator.surrogates.decompositions.random_partitions import best_random_partition, random_partitions
from orchestrator.surrogates.decompositions.visits import known
from orchestrator.surrogates.factor_graph import Decomposition, FactorGraph


@pytest.mark.parametrize(("dimension", "size"), [(10, 3), (24, 6), (7, 7), (5, 1)])
def test_groups_cover_everything_once_within_the_size(dimension: int, size: int) -> None:
    found = random_partitions(dimension, size, 5, np.random.default_rng(0))
    for partition in found:
        graph = FactorGraph(partition, dimension)
        assert graph.is_partition
        assert graph.size == math.ceil(dimension / size)
        assert graph.maximum_factor_size == size
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


def test_a_known_decomposition_is_a_search_of_one() -> None:
    found = known([(2, 1), (0,)])
    assert found.best.decomposition == ((0,), (1, 2))
    assert found.log_weights_by_posterior().tolist() == found.log_weights_by_visits().tolist() == [0.0]
