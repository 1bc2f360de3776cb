"""What is said of several good places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from orchestrator.report.words.wording import counted
from orchestrator.values.printable import printable


@dataclass(frozen=True, slots=True)
class HowTold:
    """How many places were ``found`` of those ``asked`` for among so many trials that ``may`` be the best;
    whether there are ``choices``; whether the order is of what is believed, ``as_believed``, and whether that
    is of ``averages`` over settings that are off.
    """

    found: int
    asked: int
    may: int
    choices: bool
    as_believed: bool
    averages: bool


def places_apart(objective: str, told: HowTold) -> Iterator[str]:
    """What a place is, how many there are, and what the columns say."""
    name = printable(objective)
    choices = "; or a choice differs, and nothing lies between" if told.choices else ""
    yield (
        "each is the best trial of a place of its own: somewhere on the straight line from it to a better"
        f" one, {name} is believed worse than at both ends, nineteen times out of twenty{choices}"
    )
    if told.found < told.asked:
        found = "one place" if told.found == 1 else f"{counted(told.found, 'place')} apart"
        yield f"among {counted(told.may, 'trial')} that may be the best, results tell no more than {found}"
    averages = ", averaged over settings within the spec's tolerances" if told.averages else ""
    yield (
        f"expected: of its settings, without noise{averages}; between: the same where it is worst on the way"
        " to a better place, on the line where that is least so"
    )
    if told.as_believed:
        yield "the order is that of what is expected, as a measured value may be a lucky one"
