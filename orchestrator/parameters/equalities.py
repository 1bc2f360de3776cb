"""Equalities between parameters of plain Python values: some of these are computed from the others."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from orchestrator.errors import SpecError
from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.comparisons import IN_QUOTES
from orchestrator.expressions.equalities import Equality, Solved, solve
from orchestrator.parameters.described import computable_range, is_fixed
from orchestrator.spelling import did_you_mean
from orchestrator.values.finite import is_number
from orchestrator.values.foreign import plain_within

Described = Mapping[str, Any]


def without_equalities(
    description: Described, constraints: Sequence[str], not_computed: Collection[str] = ()
) -> tuple[Described, Sequence[str]]:
    """The parameters, as many computed as there are equalities, none of them ``not_computed``, and the other
    constraints. Raises SpecError for equalities that cannot be solved.
    """
    solved = {one.name: one for one in solved_among(description, constraints, not_computed)}
    if not solved:
        return description, constraints
    texts = {text for one in solved.values() for text in one.because}
    computed = {
        name: {"type": "computed", "value": solved[name].formula} | _own(told) if name in solved else told
        for name, told in description.items()
    }
    return computed, [text for text in constraints if not isinstance(text, str) or text.strip() not in texts]


def solved_among(
    description: Described, constraints: Sequence[str], not_computed: Collection[str]
) -> tuple[Solved, ...]:
    """The parameters that are computed by the equalities among some constraints, none of those that are
    ``not_computed``. Raises SpecError for equalities that cannot be solved.
    """
    equalities = [one for text in constraints if (one := _read(text)) is not None]
    if not equalities:
        return ()
    for one in equalities:
        _check_names(one, description)
    constants = {
        name: value
        for name, told in description.items()
        if is_fixed(told) and is_number(value := plain_within(told.get("value")))
    }
    computable = {name: told for name, told in description.items() if name not in not_computed}
    ranges = {name: width for name, told in computable.items() if (width := computable_range(told))}
    try:
        return solve(equalities, constants, ranges)
    except ArithmeticMistake as mistake:
        texts = "`, `".join(one.text for one in equalities)
        raise SpecError(f"constraint `{texts}`: {mistake}") from None


def _check_names(equality: Equality, description: Described) -> None:
    """Raises SpecError for names of no parameters, and those that have no value where they do not count."""
    for name in [one.name for one in equality.names]:
        if name not in description:
            raise SpecError(
                f"constraint `{equality.text}`: expected the parameters {', '.join(description)}, got"
                f" `{name}`{did_you_mean(name, description) or _in_quotes(name, description)}"
            )
        told = description[name]
        conditional = isinstance(told, Mapping) and told.get("when") is not None
        if conditional and not is_number(told.get("otherwise")):
            raise SpecError(
                f"constraint `{equality.text}`: expected what `{name}` is `otherwise`, as 0, to count where"
                " it does not"
            )


def _in_quotes(name: str, description: Described) -> str:
    """What is to be done about a name that is a value of some parameter."""
    values = [told.get("values") for told in description.values() if isinstance(told, Mapping)]
    return IN_QUOTES if any(isinstance(own, list | tuple) and name in own for own in values) else ""


def _read(text: object) -> Equality | None:
    try:
        return Equality.of(text)
    except ArithmeticMistake as mistake:
        raise SpecError(f"constraint `{text}`: {mistake}") from None


def _own(told: object) -> dict[str, object]:
    """Of a float, what it keeps when it is computed."""
    if not isinstance(told, Mapping):
        return {"bounds": told}
    return {key: told[key] for key in ("bounds", "unit") if key in told}
