"""Who holds which factor: nobody more than they offered, everybody what they had, evenly."""

from __future__ import annotations

from orchestrator.runtime.nodes.holdings import FactorWords, deal_out, holdings
from orchestrator.runtime.nodes.hub import Peer
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph


def peer(name: str, factors: int = 1) -> Peer:
    return Peer(name.encode(), name, factors, "host", 1)


def names(owner: list[Peer | None]) -> list[str]:
    return ["-" if holder is None else holder.name for holder in owner]


def test_one_each_in_the_order_of_the_nodes() -> None:
    assert names(deal_out(3, [peer("a"), peer("b"), peer("c"), peer("spare")])) == ["a", "b", "c"]


def test_nobody_holds_more_than_offered_and_the_rest_has_no_node() -> None:
    assert names(deal_out(4, [peer("a", 2), peer("b")])) == ["a", "a", "b", "-"]
    assert names(deal_out(2, [])) == ["-", "-"]


def test_large_nodes_take_no_more_than_their_part() -> None:
    assert names(deal_out(5, [peer("a", 9), peer("b", 9)])) == ["a", "a", "a", "b", "b"]


def test_what_a_node_held_it_keeps_whoever_comes_or_goes() -> None:
    before = {"b": [0], "c": [2], "gone": [1]}
    assert names(deal_out(3, [peer("a"), peer("b"), peer("c")], before)) == ["b", "a", "c"]
    assert names(deal_out(3, [peer("b"), peer("c")], before)) == ["b", "-", "c"]


def test_a_node_that_came_back_smaller_and_a_decomposition_that_shrank_are_no_trouble() -> None:
    assert names(deal_out(3, [peer("a", 1)], {"a": [1, 2]})) == ["-", "a", "-"]
    assert names(deal_out(1, [peer("a", 2)], {"a": [1, 2]})) == ["a"]


def test_factors_are_said_by_number_and_by_their_parameters() -> None:
    words = FactorWords(FactorGraph(((0, 1), (1, 2), (2, 3), (3, 4), (4, 0)), 5), ["wing", "tail"])
    assert words.one(0) == "factor 1 (wing × tail)"
    assert words.some([0, 2]) == "factor 1 (wing × tail) and factor 3 (parameter 3 × parameter 4)"
    assert words.some(range(5)) == "5 of the 5 factors"
    assert words.numbers([0, 3]) == "factors 1, 4"


def test_holdings_are_the_holders_the_other_way_about() -> None:
    a, b = peer("a", 2), peer("b")
    assert holdings([a, b, a]) == {a: [0, 2], b: [1]}
