"""What stands beside conditions that vary in use and cannot: constraints of them, and nothing to choose."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from orchestrator.expressions.computed import Computed
from orchestrator.expressions.conditions import Condition
from orchestrator.expressions.constraints import named_in

NO_CONSTRAINT = (
    "expected no constraint of `{}`, which varies in use: a design has to do in all of its conditions; narrow"
    " its bounds, or say what comes up together as `recorded`"
)
NO_WHEN = (
    "expected no `when` beside `in_use`: what counts under some conditions alone is no part of a design for"
    " all"
)
NO_WHEN_FOR_EACH = (
    "expected `when` of what is chosen alone beside `over: each`: settings are moved from one condition to"
    " others, where they have to count as well"
)
NO_LEAST_FOR_EACH = (
    "expected no `least` of `{}`, which varies in use: its bounds and `in_use` say what comes up"
)
NOTHING_TO_CHOOSE = "expected at least one parameter to choose beside those that vary in use, got none"
NOT_AS_LONG = "expected as many recorded values of each, as they came up together, got {} and {}"


def constrained_in_use(
    varying: Collection[str], constraints: Iterable[str], computed: Iterable[Computed]
) -> Iterator[tuple[str, str]]:
    """The constraints, as they were written, and of each a name that varies in use on which it hangs; of what
    has bounds and is computed its name, in the place of the constraint.
    """
    every = list(computed)
    follows = {one.name: set(one.parents) for one in every}
    told = [(text, named_in(text)) for text in constraints]
    told += [(one.name, set(one.parents)) for one in every if one.bounds is not None]
    for text, names in told:
        reached, wanted = set[str](), set(names)
        while wanted - reached:
            reached |= wanted
            wanted = {parent for name in reached for parent in follows.get(name, ())}
        if found := sorted(reached & set(varying)):
            yield text, found[0]


def conditional_in_use(conditions: Mapping[str, Condition], varying: Collection[str]) -> list[str]:
    """The names of what does not always count that varies in use, or counts by what does."""
    return [name for name, one in conditions.items() if {name, *one.parents} & set(varying)]
