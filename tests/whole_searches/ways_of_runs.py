"""How a run may be done, beside what its search is of: each way says something more in its spec."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from orchestrator.spec.sections.evaluation import PERSON

Said = dict[str, Any]
Way = Callable[[Said, Random], None]

DAMAGED, BEGUN_FROM = "a journal that is damaged", "begun from another"
OF_POINTS = ("experiment", "parameters", "constraints", "candidates", "budget", "evaluation", "mode", "seed")
"""What a spec says of points, and of how they are tried, whatever comes of them: of rows, no comparisons."""


def _by_hand(spec: Said, chance: Random) -> None:
    spec["evaluation"] = {**spec["evaluation"], "evaluator": PERSON}
    spec["workers"] = {"local": chance.choice([1, 3])}


def _approved(spec: Said, _: Random) -> None:
    spec["evaluation"] = {**spec["evaluation"], "approval": True}


def _again(spec: Said, chance: Random) -> None:
    spec["evaluation"] = {**spec["evaluation"], "attempts": chance.choice([2, 3])}


def _stopped(spec: Said, chance: Random) -> None:
    rule = chance.choice([{"above": 0.9}, {"chance_below": 0.3}, {"chance_below": 0.5, "among_best": 0.3}])
    spec["evaluation"] = {**spec["evaluation"], "stop_when": {"quantity": "loss", **rule}}


def _compared(spec: Said, chance: Random) -> None:
    """Of a search for other things all that has to do with these is left out."""
    for name in set(spec) - set(OF_POINTS):
        del spec[name]
    spec["objective"] = {"name": "taste", "told": "by comparison"}
    if chance.random() < 0.7:
        _by_hand(spec, chance)


def _budgeted(**budget: Any) -> Way:
    def put(spec: Said, _: Random) -> None:
        spec["budget"] = {**spec["budget"], **budget}

    return put


def _unchanged(_spec: Said, _chance: Random) -> None:
    """What happens to a run that its spec does not speak of."""


WAYS: Mapping[str, Way] = {
    "by comparison": _compared,
    "by hand": _by_hand,
    "approved": _approved,
    "tried again": _again,
    "stopped early": _stopped,
    "until little is left to gain": _budgeted(expected_gain=0.02),
    "with patience": _budgeted(patience=8),
    DAMAGED: _unchanged,
    BEGUN_FROM: _unchanged,
}


def drawn_ways(chance: Random) -> tuple[str, ...]:
    """None to four of them, in the order in which they are put into a spec."""
    drawn = chance.sample(list(WAYS), chance.choice([0, 1, 2, 3, 3, 4]))
    return tuple(sorted(drawn, key=list(WAYS).index))
