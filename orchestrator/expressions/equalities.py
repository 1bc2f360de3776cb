"""Linear equalities between parameters, ``resin + hardener + filler == 100``, solved for as many of them:
these are computed from the others.

Which are computed depends on the parameters alone, not on the order of anything: those that the equalities
leave the widest range, and so the others the most freedom; of equals the first by name.

Notation: m equalities; of each, the numbers that its names are multiplied by, and a constant, add up to 0.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from orchestrator.expressions.alternatives import refuse_one_value
from orchestrator.expressions.arithmetic import (
    ArithmeticMistake,
    Expression,
    Formula,
    Name,
    Negative,
    Number,
    Operation,
    names_in,
)
from orchestrator.expressions.computed import in_formula
from orchestrator.expressions.counts import has_count
from orchestrator.values.steps import exact

NOT_LINEAR = (
    "expected an equality that is linear in the parameters, as `x + y == 1`, got `{}`; what follows from"
    " others otherwise is a parameter, `NAME: {{type: computed, value: ...}}`"
)
NO_COUNT = (
    "expected an equality of parameters, got `{}`; that so many of them are used is written as"
    " `2 <= count(a, b, c) <= 2`"
)
CONSTANT = ""
"""In place of a name: what an equality has beside its names."""
_Row: TypeAlias = dict[str, Fraction]
"""An equality: what each name is multiplied by, and the `CONSTANT`; none of them 0."""


@dataclass(frozen=True)
class Equality:
    """What was written, its two sides, and the names in it."""

    text: str
    sides: tuple[Expression, Expression]

    @classmethod
    def of(cls, text: object) -> Equality | None:
        """None for what is no equality, be it right or wrong. Raises ArithmeticMistake for one of what is no
        arithmetic.
        """
        if not isinstance(text, str) or "==" not in text:
            return None
        try:
            formula = Formula.of(text)
        except ArithmeticMistake:
            return None
        root = formula.root
        if not isinstance(root, ast.Compare) or [type(sign) for sign in root.ops] != [ast.Eq]:
            return None
        refuse_one_value(formula)
        sides = formula.expression(root.left), formula.expression(root.comparators[0])
        return cls(text.strip(), sides)

    @classmethod
    def meant(cls, text: object) -> bool:
        """Whether a text says that two sides are equal, be it right or wrong; not one beside `or`."""
        try:
            return cls.of(text) is not None
        except ArithmeticMistake:
            return True

    @property
    def names(self) -> tuple[Name, ...]:
        """Every name in it, in the order of the text."""
        return tuple(name for side in self.sides for name in names_in(side))

    def linear(self, constants: Mapping[str, float]) -> dict[str, Fraction]:
        """What each name is multiplied by, and the `CONSTANT`. Raises ArithmeticMistake where that is not
        all.
        """
        left, right = (_linear(side, constants) for side in self.sides)
        if left is None or right is None:
            if any(has_count(side) for side in self.sides):
                raise ArithmeticMistake(NO_COUNT.format(self.text[:60]))
            raise ArithmeticMistake(NOT_LINEAR.format(self.text[:60]))
        return _sum(left, right, Fraction(-1))


def names_some(text: object, names: Collection[str]) -> bool:
    """Whether a text is an equality in which one of some names is."""
    with suppress(ArithmeticMistake):
        return (one := Equality.of(text)) is not None and any(name.name in names for name in one.names)
    return False


@dataclass(frozen=True, slots=True)
class EqualityMistake:
    """What is wrong with one of several equalities, ``at`` which, from 0, and at which of its characters."""

    at: int
    sentence: str
    offset: int = 0


@dataclass(frozen=True)
class Solved:
    """A parameter, the formula that it is computed by, and the equality it follows from, or the several."""

    name: str
    formula: str
    because: tuple[str, ...]


def mistakes(
    equalities: Sequence[Equality],
    constants: Mapping[str, float],
    ranges: Mapping[str, float],
) -> Iterator[EqualityMistake]:
    """What is wrong with equalities that are to be solved: those that are not linear, and those that beside
    the right ones before them say nothing new, hold never, or leave none that may be computed.
    """
    rows: list[_Row] = []
    texts: list[str] = []
    # Each of the right ones for one of its names, without those before: of all, and of those to compute.
    pivots: list[tuple[str, _Row]] = []
    computed: list[tuple[str, _Row]] = []
    for at, one in enumerate(equalities):
        try:
            row = one.linear(constants)
            new = _without(row, pivots)
            _refuse_dependent(new, one.text, beside_others=bool(rows))
            to_compute = _without({name: row[name] for name in row if name in ranges}, computed)
            if not to_compute:
                raise ArithmeticMistake(_none_to_compute([*rows, row], [*texts, one.text], ranges))
        except ArithmeticMistake as mistake:
            yield EqualityMistake(at, mistake.sentence, mistake.offset)
        else:
            rows.append(row)
            texts.append(one.text)
            pivots.append((min(new.keys() - {CONSTANT}), new))
            computed.append((min(to_compute), to_compute))


def solve(
    equalities: Sequence[Equality],
    constants: Mapping[str, float],
    ranges: Mapping[str, float],
) -> tuple[Solved, ...]:
    """m of the parameters that may be computed, of which ``ranges`` says how wide each is; ``constants`` are
    those that are fixed.

    Raises ArithmeticMistake for the first of their `mistakes`.
    """
    for mistake in mistakes(equalities, constants, ranges):
        raise ArithmeticMistake(mistake.sentence, mistake.offset)
    rows = [one.linear(constants) for one in equalities]
    chosen = _computed_ones(rows, _widest_first(rows, ranges))
    solved = []
    for name, row in zip(chosen, _reduced(rows, chosen), strict=True):
        others = {other: -number for other, number in row.items() if other != name and number}
        because = [
            one.text
            for one, own in zip(equalities, rows, strict=True)
            if len(rows) == 1 or name in own or others.keys() & own.keys() - {CONSTANT}
        ]
        solved.append(Solved(name, _written(others), tuple(because)))
    return tuple(solved)


def _linear(expression: Expression, constants: Mapping[str, float]) -> _Row | None:
    """An expression's numbers, or None where it is not linear."""
    match expression:
        case Number(value):
            return {CONSTANT: exact(value)}
        case Name(name):
            return {CONSTANT: exact(constants[name])} if name in constants else {name: Fraction(1)}
        case Negative(operand):
            told = _linear(operand, constants)
            return None if told is None else _sum({}, told, Fraction(-1))
        case Operation(sign, left, right):
            one, other = _linear(left, constants), _linear(right, constants)
            return None if one is None or other is None else _operated(sign, one, other)
        case _:
            return None


def _operated(sign: str, one: _Row, other: _Row) -> _Row | None:
    if sign in ("+", "-"):
        return _sum(one, other, Fraction(1 if sign == "+" else -1))
    if sign == "*" and one.keys() <= {CONSTANT}:
        one, other = other, one
    number = other.get(CONSTANT, Fraction(0))
    if not other.keys() <= {CONSTANT} or sign == "**" or (sign == "/" and not number):
        return None
    return _sum({}, one, number if sign == "*" else 1 / number)


def _sum(one: _Row, other: _Row, times: Fraction) -> _Row:
    """One, and so many times the other."""
    names = dict.fromkeys((*one, *other))
    added = {name: one.get(name, Fraction(0)) + times * other.get(name, Fraction(0)) for name in names}
    return {name: number for name, number in added.items() if number}


def _refuse_dependent(left: _Row, text: str, *, beside_others: bool) -> None:
    """Raises ArithmeticMistake for an equality that says nothing new, or what cannot be, by what is ``left``
    of it without the others.
    """
    names = sorted(left.keys() - {CONSTANT})
    if len(names) < 2:
        what, instead = "holds never" if left else "says nothing", ""
        if names:
            value = _decimal(-left.get(CONSTANT, Fraction(0)) / left[names[0]])
            what = f"leaves `{names[0]}` one value"
            instead = f"; what has one is `{names[0]}: {{type: fixed, value: {value}}}`"
        beside = " beside the other equalities" if beside_others else ""
        raise ArithmeticMistake(
            f"expected an equality that ties parameters, got `{text}`, which {what}{beside}{instead}"
        )


def _without(row: _Row, pivots: Sequence[tuple[str, _Row]]) -> _Row:
    """What is left of an equality once others have been taken from it, each for one of its names."""
    left = row
    for name, own in pivots:
        left = _sum(left, own, -left.get(name, Fraction(0)) / own[name])
    return left


def _widest_first(rows: Sequence[_Row], ranges: Mapping[str, float]) -> list[str]:
    def width(name: str) -> float:
        shares = [
            abs(row[name]) / max(abs(number) for one, number in row.items() if one != CONSTANT)
            for row in rows
            if name in row
        ]
        return float(max(shares)) * ranges[name]

    named = {name for row in rows for name in row if name in ranges}
    return sorted(named, key=lambda name: (-width(name), name))


def _computed_ones(rows: Sequence[_Row], candidates: Sequence[str]) -> list[str]:
    """As many as the equalities can be solved for, the first of the candidates first."""
    left, chosen = list(rows), list[str]()
    for name in candidates:
        if (pivot := next((row for row in left if name in row), None)) is None:
            continue
        chosen.append(name)
        left.remove(pivot)
        left = [_without(row, [(name, pivot)]) for row in left]
    return chosen


def _reduced(rows: Sequence[_Row], names: Sequence[str]) -> list[_Row]:
    """For each of some names a combination of the equalities that has 1 of it and none of the others; no
    such where these do not determine all.
    """
    left = [dict(row) for row in rows]
    found: list[_Row] = []
    for name in names:
        pivot = next((row for row in left if name in row), None)
        if pivot is None:
            return []
        left.remove(pivot)
        own = _sum({}, pivot, 1 / pivot[name])
        left = [_sum(row, own, -row.get(name, Fraction(0))) for row in left]
        found = [_sum(row, own, -row.get(name, Fraction(0))) for row in found] + [own]
    return found


def _none_to_compute(rows: Sequence[_Row], texts: Sequence[str], ranges: Mapping[str, float]) -> str:
    """That the last of some equalities cannot be solved beside the others, and what to do."""
    chosen = _computed_ones(rows, _widest_first(rows, ranges))
    names = sorted({name for row in rows for name in row if name != CONSTANT} - set(chosen))
    line = ""
    for name in names:
        if solved := _reduced(rows, [*chosen, name]):
            others = {other: -number for other, number in solved[-1].items() if other != name}
            formula = f'"{_written(others)}"'
            line = f"; or write `{name}: {{type: computed, value: {formula}}}` and leave the equality out"
            break
    together = "` and `".join(texts[at] for at in _tied_to_the_last(rows))
    return (
        f"expected in `{together}` a float that can be computed from the others: without `step`,"
        " `when`, `travel`, `change`, `tolerance`, `in_use`, `prior`, `promising`, `least` or `periodic`, on"
        f" a linear scale, and not held, shared, the clock, the fidelity or in a factor{line}"
    )


def _tied_to_the_last(rows: Sequence[_Row]) -> list[int]:
    """Which of some equalities have names in common with the last, or with one that has."""
    tied = {len(rows) - 1}
    while True:
        names = {name for at in tied for name in rows[at]} - {CONSTANT}
        more = {at for at, row in enumerate(rows) if names & row.keys()}
        if more <= tied:
            return sorted(tied)
        tied |= more


def _written(numbers: Mapping[str, Fraction]) -> str:
    """A sum as a formula: ``100 - hardener - 2 * resin``."""
    below = math.lcm(*(n.denominator for n in numbers.values() if not _is_decimal(n)), 1)
    text = ""
    for name in sorted(numbers):
        number = numbers[name] * below
        size = _decimal(abs(number))
        factor = "" if size == "1" else f"{size} * "
        term = size if name == CONSTANT else f"{factor}{in_formula(name)}"
        if text:
            text += f" {'-' if number < 0 else '+'} {term}"
        else:
            text = f"-{term}" if number < 0 else term
    return (f"({text}) / {below}" if below > 1 else text) or "0"


def _is_decimal(number: Fraction) -> bool:
    left = number.denominator
    for prime in (2, 5):
        while left % prime == 0:
            left //= prime
    return left == 1


def _decimal(number: Fraction) -> str:
    # Beyond that it may be too large for a float, which has no decimals there.
    return str(round(number)) if number.denominator == 1 or abs(number) > 1e300 else repr(float(number))
