"""How surely a limit is to hold in every trial, as it is written: ``probability(heat <= 80) >= 0.99``."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from orchestrator.expressions.arithmetic import ArithmeticMistake, Formula

PROBABILITY = "probability"
"""What is written like a function, of an inequality."""
FORM = "`probability(heat <= 80) >= 0.99`"
LEAST, MOST = 0.5, 1.0
"""A probability that a limit is kept with lies between, and is neither."""
NEEDS_AN_OUTCOME = (
    f"expected an outcome within `{PROBABILITY}`, as in {FORM}, got parameters alone: what holds of these is"
    " known, and kept by every trial without it"
)


@dataclass(frozen=True, slots=True)
class Chance:
    """That what is ``of`` holds, at ``least`` so probable."""

    of: ast.expr
    least: float


def chance_in(formula: Formula) -> Chance | None:
    """What a formula says of a probability; None where it names none. Raises ArithmeticMistake for one that
    is not compared with a number between a half and 1, or is of no inequality.
    """
    root = formula.root
    sides = [root.left, *root.comparators] if isinstance(root, ast.Compare) else [root]
    among = [i for i, side in enumerate(sides) if _is_probability(side)]
    if not among:
        return None
    call = sides[among[0]]
    assert isinstance(call, ast.Call)
    expected = f"expected {FORM}, got `{formula.text.strip()[:60]}`"
    if not isinstance(root, ast.Compare) or len(sides) != 2 or len(among) != 1:
        raise ArithmeticMistake(expected, formula.offset(call))
    sign, other = root.ops[0], sides[1 - among[0]]
    above = isinstance(sign, ast.GtE | ast.Gt) if among[0] == 0 else isinstance(sign, ast.LtE | ast.Lt)
    if not above:
        raise ArithmeticMistake(
            f"{expected}; how surely it is kept is the least that it may be", formula.offset(call)
        )
    least = other.value if isinstance(other, ast.Constant) else None
    if not isinstance(least, int | float) or isinstance(least, bool) or not LEAST < least < MOST:
        raise ArithmeticMistake(
            f"expected a number above {LEAST} and below {MOST:g} beside `{PROBABILITY}`, as in {FORM}, got"
            f" `{formula.words(other)}`; nothing is certain of what is only measured",
            formula.offset(other),
        )
    if len(call.args) != 1 or call.keywords or not isinstance(call.args[0], ast.Compare):
        raise ArithmeticMistake(
            f"expected one inequality within `{PROBABILITY}`, as in {FORM}, got `{formula.words(call)[:60]}`",
            formula.offset(call),
        )
    return Chance(call.args[0], float(least))


def _is_probability(node: ast.expr) -> bool:
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return named and node.func.id == PROBABILITY  # type: ignore[attr-defined]
