"""What is left of a chain over decompositions: each once, those first that it held most."""

from __future__ import annotations

from orchestrator.surrogates.decompositions.visits import gather

APART, PAIR, OTHER = ((0,), (1,), (2,)), ((0, 1), (2,)), ((0,), (1, 2))


def test_the_most_visited_come_first_and_of_those_alike_the_most_probable() -> None:
    scores = {APART: (-5.0, -1.0), PAIR: (-2.0, -1.5), OTHER: (-2.0, -0.5)}
    found = gather([PAIR, OTHER, APART, APART, APART, PAIR, OTHER, PAIR, APART, OTHER], scores, accepted=6)
    assert [(one.decomposition, one.visits) for one in found.members] == [(APART, 4), (OTHER, 3), (PAIR, 3)]
    assert (found.last, found.steps, found.accepted) == (OTHER, 10, 6)
    assert found.best.decomposition == OTHER
    assert found.best.log_posterior == -2.5
