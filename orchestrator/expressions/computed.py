"""Parameters that are not chosen but follow from others: ``100 - resin - hardener``."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

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
)
from orchestrator.expressions.conditions import circles, parents_first
from orchestrator.expressions.constraints import Nameable
from orchestrator.expressions.counts import is_count
from orchestrator.values.finite import written

MAKE_WHOLE = ("ceil", "count", "floor", "round")
KEEP_WHOLE = ("abs", "max", "min")


@dataclass(frozen=True)
class Computed:
    """A parameter whose value is that of a formula of others, ``text``, and by which the others are
    constrained, where it has ``bounds``.
    """

    name: str
    text: str
    expression: Expression
    bounds: tuple[float, float] | None = None

    @classmethod
    def of(cls, name: str, text: object, bounds: tuple[float, float] | None = None) -> Computed:
        """Raises ArithmeticMistake for what is no arithmetic."""
        formula = Formula.computing(text, "other parameters")
        return cls(name, formula.text.strip(), formula.expression(formula.root), bounds)

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """Every name in it, at its first place, in the order of the text."""
        found: dict[str, Name] = {}
        for name in names_in(self.expression):
            found.setdefault(name.name, name)
        return tuple(found.values())

    @property
    def parents(self) -> tuple[str, ...]:
        """What it is computed from."""
        return tuple(name.name for name in self.names)

    @property
    def constraint(self) -> str | None:
        """What its bounds ask of the others, or None."""
        if self.bounds is None:
            return None
        low, high = map(written, self.bounds)
        return f"{low} <= {in_formula(self.name)} <= {high}"

    def is_whole(self, whole: Collection[str]) -> bool:
        """Whether its value is a whole number, where those of the names ``whole`` are."""
        return _is_whole(self.expression, whole)


def in_formula(name: str) -> str:
    """A parameter's name as a formula has it."""
    return name if name.isidentifier() else f"`{name}`"


def _is_whole(expression: Expression, whole: Collection[str]) -> bool:
    match expression:
        case Number(value):
            return value == int(value)
        case Name(name):
            return name in whole
        case Negative(operand):
            return _is_whole(operand, whole)
        case Operation(sign, left, right):
            return sign in ("+", "-", "*") and _is_whole(left, whole) and _is_whole(right, whole)
        case Call(function, arguments):
            kept = function in KEEP_WHOLE and all(_is_whole(one, whole) for one in arguments)
            return function in MAKE_WHOLE or kept


@dataclass(frozen=True, slots=True)
class ComputedMistake:
    """What is wrong with the formula of a parameter, at which of its characters."""

    name: str
    sentence: str
    offset: int = 0


def mistakes(computed: Iterable[Computed], names: Nameable) -> Iterator[ComputedMistake]:
    """What is wrong with what they are computed from. ``names`` are all that formulas may be about, of
    parameters that vary, are fixed or computed.
    """
    every = {one.name: one for one in computed}
    right = dict(every)
    for one in every.values():
        if mistake := _mistake(one, names):
            del right[one.name]
            yield mistake
    for found in circles(right):
        sentence = (
            f"expected no circle of parameters that are computed from each other, got {' from '.join(found)}"
        )
        yield ComputedMistake(found[0], sentence)


def _mistake(one: Computed, names: Nameable) -> ComputedMistake | None:
    """The first of one formula."""
    if own := next((name for name in one.names if name.name == one.name), None):
        sentence = f"expected arithmetic of other parameters, got `{one.name}` itself"
        return ComputedMistake(one.name, sentence, own.offset)
    try:
        names.besides(one.name).named(one.names)
    except ArithmeticMistake as mistake:
        return ComputedMistake(one.name, mistake.sentence, mistake.offset)
    if one.bounds is not None and is_count(one.text):
        sentence = f"expected no bounds beside a count, but a constraint, as `{one.text} <= 2`"
        return ComputedMistake(one.name, sentence)
    if not any(name.name in names.varied for name in one.names):
        came = "only fixed ones" if one.names else "none"
        sentence = f"expected arithmetic of parameters that vary, got {came}; a constant is `type: fixed`"
        return ComputedMistake(one.name, sentence)
    return None


def in_their_order(computed: Iterable[Computed]) -> tuple[Computed, ...]:
    """Each after those that it is computed from; there must be no circle."""
    every = {one.name: one for one in computed}
    return tuple(every[name] for name in parents_first(every))


def sources(computed: Iterable[Computed]) -> Mapping[str, frozenset[str]]:
    """Of each, what it follows from in the end, which is not computed itself."""
    found: dict[str, frozenset[str]] = {}
    for one in in_their_order(computed):
        found[one.name] = frozenset().union(*(found.get(name, {name}) for name in one.parents))
    return found


def from_what_may_not_count(
    condition_names: Iterable[str], computed: Iterable[Computed], conditional: Collection[str]
) -> str:
    """Why a condition cannot name one of these, or nothing: whether one counts must not depend on whether
    others do.
    """
    follows = sources(computed)
    for name in condition_names:
        if doubtful := sorted(follows.get(name, frozenset()) & set(conditional)):
            return (
                f"expected what is computed from parameters that always count, got `{name}`, which is"
                f" computed from `{doubtful[0]}`"
            )
    return ""
