"""What a search suggests depends on what it was told alone: not on who computed its refit, nor on what it was
asked before.
"""

import json

from orchestrator.algorithms.base import AskKey, Refit


def adopts_alike_what_was_journalled(one, other):
    """Of two searches that were told the same, one computes a refit, and the other adopts what is written."""
    refit = one.compute_refit(one.refit_due())
    other.adopt(Refit(refit.number, refit.observations, json.loads(json.dumps(refit.payload))))
    one.adopt(refit)
    key = AskKey(99, 99)
    for mine, theirs in zip(one.ask(3, [], key), other.ask(3, [], key), strict=True):
        assert mine.point.tolist() == theirs.point.tolist()
        assert mine.why == theirs.why


def answers_alike_when_asked_again(search, pending):
    """Beside points that run, and after it was asked something else."""
    first = [s.point.tolist() for s in search.ask(4, pending, AskKey(50, 50))]
    search.ask(2, [], AskKey(51, 54))
    assert [s.point.tolist() for s in search.ask(4, pending, AskKey(50, 50))] == first
    assert len({tuple(point) for point in first}) == 4
