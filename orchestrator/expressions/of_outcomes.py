"""What an objective is computed by: arithmetic of outcomes, and of parameters that are numbers."""

from __future__ import annotations

from collections.abc import Collection

from orchestrator.expressions.arithmetic import ArithmeticMistake, Expression, Formula, names_in
from orchestrator.expressions.constraints import Nameable

NO_OUTCOME = (
    "expected arithmetic of at least one outcome, got none; what evaluations return is named under `outcomes`"
)


def formula_of_outcomes(text: object, names: Nameable, conditional: Collection[str]) -> Expression:
    """What a text says of the outcomes and parameters that ``names`` has, of which those that are
    ``conditional`` do not always count. Raises ArithmeticMistake for what is no arithmetic of these.
    """
    formula = Formula.computing(text, "outcomes", "; what must hold stands under `constraints`")
    expression = formula.expression(formula.root)
    mentioned = tuple(names_in(expression))
    names.named(mentioned)
    for name in mentioned:
        if name.name in conditional:
            sentence = f"expected parameters that always count beside outcomes, got `{name.name}`"
            raise ArithmeticMistake(sentence, name.offset)
    if not any(name.name in names.outcomes for name in mentioned):
        raise ArithmeticMistake(NO_OUTCOME)
    return expression
