"""A factor graph says who sees what, and refuses what cannot be."""

import pytest

from orchestrator.errors import SpecError
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph, decomposition_key, faults

# Eq. 19 of Bardou et al. 2024, numbered from 0: its first and last factors see the same parameters.
PAPER = FactorGraph(((0, 2), (1,), (1, 2), (0, 2)), 3, nested=True)


def test_the_papers_example_has_the_sets_that_the_paper_defines() -> None:
    assert PAPER.factors_of == ((0, 3), (1, 2), (0, 2, 3))
    # The paper prints {2, 3, 4}, without the first factor, which it has in F_3.
    assert PAPER.neighbours[2] == (0, 1, 2, 3)
    assert PAPER.neighbours[1] == (1, 2)
    assert PAPER.neighbour_counts.tolist() == [3, 2, 4, 3]


def test_neighbourhood_is_symmetric_and_holds_oneself() -> None:
    assert (PAPER.adjacency == PAPER.adjacency.T).all()
    assert PAPER.adjacency.diagonal().tolist() == [1, 1, 1, 1]


def test_a_chain_is_a_tree_and_a_cycle_or_a_shared_pair_is_not() -> None:
    assert FactorGraph(((0, 1), (1, 2), (2, 3)), 4).is_tree
    assert FactorGraph(((0,), (1, 2)), 3).is_tree
    assert not FactorGraph(((0, 1), (1, 2), (2, 0)), 3).is_tree
    assert not FactorGraph(((0, 1, 2), (1, 2, 3)), 4).is_tree


def test_components_gather_what_hangs_together() -> None:
    graph = FactorGraph(((0, 1), (3,), (1, 2), (4, 5)), 6)
    assert graph.components == ((0, 2), (1,), (3,))
    assert not graph.is_partition
    assert FactorGraph.whole(4).components == ((0,),)
    assert FactorGraph.whole(4).is_partition


def test_the_canonical_form_forgets_order_and_the_factors_keep_theirs() -> None:
    first, second = FactorGraph(((2, 1), (0,)), 3), FactorGraph(((0,), (1, 2)), 3)
    assert first.canonical == second.canonical == ((0,), (1, 2))
    assert first.factors == ((2, 1), (0,))


def test_the_key_of_a_decomposition_forgets_order() -> None:
    key = decomposition_key(((2, 1), (0,)))
    assert key == decomposition_key([[1, 2], [0]])
    assert decomposition_key([(0, 1), (2,)]) != key
    assert key == "323a93dde1e20987"  # the same in every process and release


@pytest.mark.parametrize(
    ("factors", "expected"),
    [
        ((), "at least one factor"),
        (((0, 1), ()), "factor 1 is empty"),
        (((0, 0), (1,), (2,)), "names a parameter twice"),
        (((0, 1), (2, 7)), "factor 1 names [7]; the parameters are numbered 0 to 2"),
        (((0, 1),), "no factor sees the parameters [2]"),
        (((0, 1, 2), (1,)), "factor 1 [1] lies inside factor 0 [0, 1, 2]"),
        (((0, 1), (1, 0), (2,)), "factor 0 [0, 1] lies inside factor 1"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(factors: tuple[tuple[int, ...], ...], expected: str) -> None:
    assert any(expected in sentence for sentence in faults(factors, 3))
    with pytest.raises(SpecError) as refused:
        FactorGraph(factors, 3)
    assert expected in str(refused.value)


def test_all_faults_are_told_at_once() -> None:
    assert len(faults(((), (0, 9)), 4)) == 3
