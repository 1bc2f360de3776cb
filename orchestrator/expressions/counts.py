"""How many of some parameters are used at all, that is not 0: ``count(a, b, c) <= 2``; and from which amount
on one is that is used, ``2 * count(a) <= a``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from orchestrator.expressions.arithmetic import (
    ArithmeticMistake,
    Call,
    Expression,
    Formula,
    Name,
    Negative,
    Number,
    Operation,
    names_in,
    parts_of,
)
from orchestrator.values.finite import is_number, written

COUNT = "count"
_SMALLEST = re.compile(rf"(?P<least>\S+) \* {COUNT}\((?P<name>.+)\) <= (?P=name)")
NEVER_ZERO = (
    "never is; bounds from 0 say that it may be left out, and `least` how little is used if it is not"
)
NOT_ALWAYS = "does not always count; where it does not, it is neither used nor left out"
NO_TRAVEL = (
    "expected no `travel` beside `least` or constraints that count what is used: no way leads from subset to"
    " subset"
)
NO_TOLERANCE = (
    "expected no `tolerance` beside `least`, nor of what constraints count: what is left out is 0 exactly"
)


class Comparison(Protocol):
    """``low`` is less than ``high``; or equal, unless ``strict``."""

    @property
    def low(self) -> Expression:
        """What is less."""
        ...

    @property
    def high(self) -> Expression:
        """What is more."""
        ...

    @property
    def strict(self) -> bool:
        """Whether they may not be equal."""
        ...


@dataclass(frozen=True, slots=True)
class CountLimit:
    """At least and at most so many of ``names`` are not 0."""

    names: tuple[str, ...]
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class SmallestAmount:
    """That a parameter is 0, or at least so much, which is above 0."""

    name: str
    least: float

    @property
    def names(self) -> tuple[str, ...]:
        """That it is about."""
        return (self.name,)


Count = CountLimit | SmallestAmount


def smallest_amount(name: str, least: float) -> str:
    """The constraint by which a parameter is 0, or at least so much."""
    own = name if name.isidentifier() else f"`{name}`"
    return f"{written(least)} * {COUNT}({own}) <= {own}"


def in_words(text: str) -> str:
    """A constraint as people are told it: that of a smallest amount, which nobody wrote as a constraint, is
    ``zinc = 0 or zinc >= 0.5``.
    """
    if (found := _SMALLEST.fullmatch(text)) is None:
        return text
    return f"{found['name']} = 0 or {found['name']} >= {found['least']}"


def check_least(least: Any, bounds: tuple[float, float], *, conditional: bool) -> None:
    """Raises ValueError, with what was expected, for what is no least amount of a parameter that may be 0.
    ``conditional``: it does not always count.
    """
    low, high = bounds
    if low != 0:
        raise ValueError("bounds from 0 beside `least`, as `[0, 10]`: it is 0, or at least so much")
    if conditional:
        raise ValueError(
            "no `least` beside `when`: where a parameter does not count, it is neither used nor left out"
        )
    if not is_number(least) or not low < least < high:
        raise ValueError(f"as `least` a number above 0 and below {high:g}")


def is_count(text: object) -> bool:
    """Whether a formula is how many of some parameters are used, and nothing else."""
    try:
        formula = Formula.of(str(text))
        root = formula.expression(formula.root)
    except ArithmeticMistake:
        return False
    return isinstance(root, Call) and root.function == COUNT


def counts_among(comparisons: Iterable[Comparison]) -> tuple[Count, ...]:
    """What comparisons say of counts. Raises ArithmeticMistake for what else they may say of them."""
    return tuple(_read(c) for c in comparisons if has_count(c.low) or has_count(c.high))


def _read(comparison: Comparison) -> Count:
    low, high = comparison.low, comparison.high
    if (counted := _counted(low)) is not None and (limit := _number(high)) is not None:
        most = math.ceil(limit) - 1 if comparison.strict else math.floor(limit)
        return CountLimit(counted, 0, most)
    if (counted := _counted(high)) is not None and (limit := _number(low)) is not None:
        least = math.floor(limit) + 1 if comparison.strict else math.ceil(limit)
        return CountLimit(counted, max(least, 0), len(counted))
    if isinstance(high, Name) and isinstance(low, Operation) and low.sign == "*":
        sides = (low.left, low.right)
        factor = next((one.value for one in sides if isinstance(one, Number)), 0.0)
        if factor > 0.0 and not comparison.strict and (high.name,) in map(_counted, sides):
            return SmallestAmount(high.name, factor)
    offset = next((name.offset for side in (low, high) for name in names_in(side)), 0)
    raise ArithmeticMistake(
        f"expected `{COUNT}` of parameters alone on one side and a number on the other, as"
        f" `{COUNT}(a, b, c) <= 2`, got another inequality of it",
        offset,
    )


def _counted(expression: Expression) -> tuple[str, ...] | None:
    """The distinct names that are counted, if it is a count of names and nothing else."""
    if not isinstance(expression, Call) or expression.function != COUNT:
        return None
    names = [one.name for one in expression.arguments if isinstance(one, Name)]
    alone = len(names) == len(expression.arguments) == len(set(names))
    return tuple(names) if alone else None


def _number(expression: Expression) -> float | None:
    """That it is, be it below 0; None if it is anything else."""
    if isinstance(expression, Negative) and isinstance(expression.operand, Number):
        return -expression.operand.value
    return expression.value if isinstance(expression, Number) else None


def has_count(expression: Expression) -> bool:
    """Whether anything is counted in it."""
    return any(isinstance(one, Call) and one.function == COUNT for one in parts_of(expression))
