"""Inequalities as they are written, ``0.1 < inner <= outer``, as comparisons of two sides each."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from orchestrator.expressions.arithmetic import (
    EQUALITY_ALONE,
    UNEQUAL_ADVICE,
    ArithmeticMistake,
    Expression,
    Formula,
)

_LESS: Mapping[type[ast.cmpop], bool] = {ast.Lt: True, ast.Gt: True, ast.LtE: False, ast.GtE: False}


IN_AN_ORDER = (
    "; a number has no quotes, and of values that are text those are listed that are meant, as"
    ' `grade in ("mid", "high")`'
)
"""What is to be done where values that are text are compared as numbers are."""
IN_QUOTES = "; a value that is text is put in quotes"
"""What is to be done where they look like names."""
_ADVICE = {ast.In: IN_QUOTES, ast.NotIn: IN_QUOTES, ast.NotEq: UNEQUAL_ADVICE}


@dataclass(frozen=True, slots=True)
class Comparison:
    """``low`` is less than ``high``; or equal, unless ``strict``."""

    low: Expression
    high: Expression
    strict: bool


def comparisons_in(formula: Formula, root: ast.expr) -> tuple[Comparison, ...]:
    """Those that a part of a formula says must all hold: several where it is a chain. Raises
    ArithmeticMistake for what is no inequality between arithmetic expressions.
    """
    text = formula.text if root is formula.root else formula.words(root)
    if not isinstance(root, ast.Compare):
        # What is no arithmetic either is answered first.
        formula.expression(root)
        raise ArithmeticMistake(f"expected an inequality, as `inner < outer`, got `{text[:60]}`")
    sides = [root.left, *root.comparators]
    for sign, side in zip(root.ops, sides[1:], strict=True):
        if isinstance(sign, ast.Eq):
            raise ArithmeticMistake("expected <, <=, > or >=, got ==", advice=EQUALITY_ALONE)
        if type(sign) not in _LESS:
            sentence = f"expected <, <=, > or >= between two sides, got `{text[:60]}`"
            advice = _ADVICE.get(type(sign), "")
            raise ArithmeticMistake(sentence, formula.offset(side), advice)
    for side in sides:
        if isinstance(side, ast.Constant) and isinstance(side.value, str):
            came = f"expected a number beside <, <=, > or >=, got `{formula.words(side)[:60]}`"
            raise ArithmeticMistake(came, formula.offset(side), IN_AN_ORDER)
    read = [formula.expression(side) for side in sides]
    return tuple(
        Comparison(*((a, b) if isinstance(sign, ast.Lt | ast.LtE) else (b, a)), _LESS[type(sign)])
        for sign, a, b in zip(root.ops, read, read[1:], strict=False)
    )
