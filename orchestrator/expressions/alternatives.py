"""What must hold for some values of a choice alone: ``solver != "direct" or size <= 2000``.

The last inequality is what points are kept to; whatever else is named is when it need not hold. Where none is
an inequality, ``solver != "direct" or mode == "safe"``, combinations of values are left out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from orchestrator.expressions.arithmetic import (
    OPPOSITE_ADVICE,
    ArithmeticMistake,
    Formula,
    Name,
    Number,
    names_in,
)
from orchestrator.expressions.comparisons import IN_QUOTES, Comparison, comparisons_in
from orchestrator.expressions.counts import COUNT, has_count
from orchestrator.expressions.one_of import OneOf, written
from orchestrator.values.python_text import looked_at

FORM = '`solver != "direct" or size <= 2000`'
ONE_SIDE = f"a name on one side and a value on the other, as in {FORM}"
NO_COUNT = (
    f"expected no `{COUNT}` beside `or`: how many are used is limited for all values or for none; write it"
    " as a constraint of its own"
)
OF_PARAMETERS = (
    "expected parameters alone beside `or`, got `{}`, which is known only afterwards; write what must hold of"
    " it as a constraint of its own"
)
ONE_VALUE = (
    "; a parameter that has one value alone is `{{type: fixed, value: {1}}}`, or `held: {{{0}: {1}}}` for a"
    " while"
)
NO_OTHERWISE = f"expected what holds beside `or`, as in {FORM}, got `{{}}`"
_NEVER = Comparison(Number(1.0), Number(0.0), strict=False)
"""What is kept to where nothing but values of choices is named."""

_OPPOSITE = {"==": "!=", "!=": "==", "<=": ">", ">=": "<", "<": ">=", ">": "<=", "in": "not in"}
_SIGN = re.compile(r"==|!=|<=|>=|<|>|\bnot\s+in\b|\bin\b")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`")
_AND = re.compile(r"\band\b|&&?", re.IGNORECASE)
_SEVERAL = re.compile(r"\b(and|or|not)\b(?!\s+in\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class HasValue:
    """That a parameter has ``one_of`` some values, or, where that is ``denied``, none of them; its name where
    it stands, and where each of the values does.
    """

    one_of: OneOf
    denied: bool
    name: Name
    offsets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Inequality:
    """That all comparisons of a chain hold."""

    comparisons: tuple[Comparison, ...]


Alternative: TypeAlias = HasValue | Inequality


@dataclass(frozen=True, slots=True)
class Alternatives:
    """The ``comparisons`` must all hold, ``unless`` one of these does."""

    unless: tuple[Alternative, ...]
    comparisons: tuple[Comparison, ...]


def names_of(alternative: Alternative) -> Iterator[Name]:
    """Every name in it."""
    if isinstance(alternative, HasValue):
        yield alternative.name
        return
    for one in alternative.comparisons:
        for side in (one.low, one.high):
            yield from names_in(side)


def alternatives_in(formula: Formula) -> Alternatives | None:
    """What a formula says of values, or of one thing or another; None where it does neither, be it right or
    wrong. Raises ArithmeticMistake for what cannot be said so.
    """
    root = formula.root
    if isinstance(root, ast.IfExp):
        refuse_if(formula.text)
    if not (isinstance(root, ast.BoolOp) and isinstance(root.op, ast.Or)):
        refuse_one_value(formula)
        alone = _has_value(formula, root)
        # One that is a number is an equality.
        equals = isinstance(root, ast.Compare) and isinstance(root.ops[0], ast.Eq)
        return None if alone is None or equals else Alternatives((alone,), (_NEVER,))
    read = [_alternative(formula, node) for node in _flat(root)]
    last = max((i for i, one in enumerate(read) if isinstance(one, Inequality)), default=None)
    if last is None:
        return Alternatives(tuple(read), (_NEVER,))
    held = read[last]
    assert isinstance(held, Inequality)
    return Alternatives((*read[:last], *read[last + 1 :]), held.comparisons)


def values_alone(text: str) -> HasValue | None:
    """What a text says that says no more than that a parameter has some values, or none of these; None of any
    other, be it right or wrong.
    """
    try:
        formula = Formula.of(text)
    except ArithmeticMistake:
        return None
    return _has_value(formula, formula.root)


def refuse_one_value(formula: Formula) -> None:
    """Raises ArithmeticMistake for one that says nothing but that a parameter has one value, no number."""
    root = formula.root
    told = _has_value(formula, root)
    if told is None or not isinstance(root, ast.Compare) or not isinstance(root.ops[0], ast.Eq):
        return
    value = told.one_of.values[0]
    if isinstance(value, str | bool):
        came = formula.text.strip()[:60]
        raise ArithmeticMistake(
            NO_OTHERWISE.format(came), told.name.offset, ONE_VALUE.format(told.name.name, written(value))
        )


def refuse_if(text: str) -> None:
    """Raises ArithmeticMistake, with what to write instead, for ``size <= 2000 if solver == "direct"``."""
    held, found, where = text.strip().partition(" if ")
    if not found or not held or not where:
        return
    where, _, otherwise = (part.strip() for part in where.partition(" else "))
    instead = instead_of_if(where, held, otherwise) or f"it as in {FORM}"
    sentence = NO_OTHERWISE.format(text.strip()[:60])
    raise ArithmeticMistake(sentence, text.index(" if ") + 1, f"; write {instead}")


def instead_of_if(where: str, held: str, otherwise: str) -> str:
    """The constraints by which something is held where a condition holds, and perhaps something otherwise, in
    backquotes; empty where they cannot be told.
    """
    if not (denied := _opposite_of(where)):
        return ""
    others = "" if otherwise == "True" else otherwise
    told = [*((denied, one) for one in _each_of(held)), *((where, one) for one in _each_of(others))]
    return " and ".join(f"`{condition} or {one}`" for condition, one in told)


def without_texts(text: str) -> str:
    """What is as long, and has nothing of what stands in quotes."""
    return _QUOTED.sub(lambda quoted: "_" * len(quoted[0]), text)


def _each_of(text: str) -> list[str]:
    """What stands between the `and` of a text."""
    ands = [found.span() for found in _AND.finditer(without_texts(text))]
    starts, ends = [0, *(end for _, end in ands)], [*(start for start, _ in ands), len(text)]
    parts = (text[start:end].strip() for start, end in zip(starts, ends, strict=True))
    return [part for part in parts if part]


def _opposite_of(where: str) -> str:
    """The opposite of one condition; empty where it cannot be told."""
    plain = without_texts(where)
    signs = list(_SIGN.finditer(plain))
    if len(signs) != 1 or _SEVERAL.search(plain):
        return ""
    sign = signs[0]
    opposite = _OPPOSITE.get(sign[0], "in")
    return f"{where[: sign.start()]}{opposite}{where[sign.end() :]}"


def _flat(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        for one in node.values:
            yield from _flat(one)
    else:
        yield node


def _alternative(formula: Formula, node: ast.expr) -> Alternative:
    if (told := _has_value(formula, node)) is not None:
        return told
    came, offset = formula.words(node)[:60], formula.offset(node)
    expected = f"expected an inequality, or that a parameter has a value, as in {FORM}, got `{came}`"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        raise ArithmeticMistake(f"{expected}{OPPOSITE_ADVICE}", offset)
    if isinstance(node, ast.BoolOp):
        both = "; that `a or b and c` holds are two constraints, `a or b` and `a or c`"
        raise ArithmeticMistake(f"{expected}{both}", offset)
    if not isinstance(node, ast.Compare):
        formula.expression(node)
        raise ArithmeticMistake(expected, offset)
    if any(isinstance(sign, ast.Eq | ast.NotEq | ast.In | ast.NotIn) for sign in node.ops):
        raise ArithmeticMistake(f"expected {ONE_SIDE}, got `{came}`{IN_QUOTES}", offset)
    found = Inequality(comparisons_in(formula, node))
    if any(has_count(side) for one in found.comparisons for side in (one.low, one.high)):
        raise ArithmeticMistake(NO_COUNT, offset)
    return found


def _has_value(formula: Formula, node: ast.expr) -> HasValue | None:
    """That one of its sides, a name, has a value, the other one; None where that is not what it says."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return None
    name, sign, other = node.left, node.ops[0], node.comparators[0]
    if isinstance(sign, ast.In | ast.NotIn):
        # Brackets about one value alone are none to Python: `in ("cg")` is `in "cg"`.
        values = list(other.elts) if isinstance(other, ast.Tuple | ast.List | ast.Set) else [other]
    elif isinstance(sign, ast.Eq | ast.NotEq):
        values = [other]
        if not _is_name(name):
            name, values = other, [name]
    else:
        return None
    read = [_value(formula, value) for value in values]
    if not _is_name(name) or not read or None in read:
        return None
    own = Name(formula.words(name).strip("`"), formula.offset(name))
    denied = isinstance(sign, ast.NotEq | ast.NotIn)
    return HasValue(OneOf(own.name, tuple(read)), denied, own, tuple(map(formula.offset, values)))


def _is_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id not in ("true", "false")


def _value(formula: Formula, node: ast.expr) -> Any:
    """What is written as a value, or None for anything else."""
    match node:
        case ast.Name(id="true" | "false" as told):
            return told == "true"
        case ast.Constant(value=str()):
            return _text(formula.words(node))
        case ast.Constant(value=bool() | int() | float() as told):
            return told
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as told)):
            return -told
    return None


def _text(words: str) -> str | None:
    """That within quotes, where places of names were filled as well."""
    try:
        with looked_at():
            return str(ast.literal_eval(words))
    except (SyntaxError, ValueError):
        return None
