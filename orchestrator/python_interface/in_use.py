"""What callers of the Python interface say of conditions that vary in use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from orchestrator.errors import SpecError, UsageError
from orchestrator.expressions.counts import in_words
from orchestrator.expressions.in_use import (
    NO_CONSTRAINT,
    NO_LEAST_FOR_EACH,
    NOT_AS_LONG,
    NOTHING_TO_CHOOSE,
    constrained_in_use,
)
from orchestrator.parameters.in_use import conditions_in_use
from orchestrator.parameters.space import Space
from orchestrator.parameters.values import mismatch
from orchestrator.unit_cube.conditions_in_use import ConditionsInUse
from orchestrator.values.in_use import Recorded, require_variation
from orchestrator.values.over import ToldOver, over_of
from orchestrator.values.plain import plain_throughout

NO_BEST = "each result is in one condition, and none is the best over all; recommend() has the design that is"
NO_BEST_FOR_EACH = (
    "each condition has best settings of its own; recommend(held={...}) has those of the one that is held"
)
OVER_WHAT = "expected a parameter with `in_use` beside `over`, got none"


def in_use_of(space: Space, over: ToldOver) -> ConditionsInUse | None:
    """What algorithms are told; None where nothing varies. Raises SpecError or UsageError for what is
    wrong.
    """
    told = plain_throughout(over)
    try:
        sought = over_of(told)
    except ValueError as error:
        raise UsageError(f"expected as `over` {error}, got {told!r}") from None
    if not space.in_use:
        if not sought.is_average:
            raise UsageError(OVER_WHAT)
        return None
    if len(space.in_use) == len(space.names):
        raise SpecError(NOTHING_TO_CHOOSE)
    # Those of settings and their condition make sense for each; a least amount of what is given does not.
    texts = [text for text in space.constraints if not sought.each or in_words(text) != text]
    for _, name in constrained_in_use(space.in_use, texts, space.computed):
        raise SpecError((NO_LEAST_FOR_EACH if sought.each else NO_CONSTRAINT).format(name))
    lengths = [len(one.values) for one in space.in_use.values() if isinstance(one, Recorded)]
    if lengths and min(lengths) < max(lengths):
        raise SpecError(NOT_AS_LONG.format(min(lengths), max(lengths)))
    return conditions_in_use(space, sought)


def refuse_without_variation(space: Space) -> None:
    """Raises SpecError for what has one value alone in use. Not to be asked of searches begun so."""
    for name, one in space.in_use.items():
        try:
            require_variation(one)
        except ValueError as error:
            raise mismatch(name, f"as `in_use` {error}", one.told) from None


def are_designs(rows: Sequence[Mapping[str, object]], space: Space) -> bool:
    """Whether rows, of which there are some, tell of nothing that varies in use, over which a design is to be
    best.
    """
    return bool(rows and space.in_use) and all(space.in_use.keys().isdisjoint(row) for row in rows)
