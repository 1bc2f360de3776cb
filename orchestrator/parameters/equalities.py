"""Equalities between parameters of plain Python values: some of these are computed from the others."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from orchestrator.errors import SpecError
from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.comparisons import IN_QUOTES
from orchestrator.expressions.equalities import Equality, EqualityMistake, Solved, mistakes, solve
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
    ``not_computed``. Raises SpecError for the first of their `mistakes_among`.
    """
    for mistake in mistakes_among(description, constraints, not_computed):
        raise SpecError(f"constraint `{constraints[mistake.at]}`: {mistake.sentence}")
    equalities = [one for text in constraints if (one := Equality.of(text)) is not None]
    return solve(equalities, _constants(description), _ranges(description, not_computed))


def mistakes_among(
    description: Described,
    constraints: Sequence[str],
    not_computed: Collection[str],
    wrong: Collection[str] = (),
) -> list[EqualityMistake]:
    """What is wrong with the equalities among some constraints, as far as the parameters that they name are
    not ``wrong`` themselves, in their order.
    """
    found: list[EqualityMistake] = []
    right: dict[int, Equality] = {}
    for at, text in enumerate(constraints):
        try:
            one = Equality.of(text)
            if one is None:
                continue
            _check_names(one, description, wrong)
            if not any(name.name in wrong for name in one.names):
                right[at] = one
        except ArithmeticMistake as mistake:
            found.append(EqualityMistake(at, str(mistake), mistake.offset))
    together = mistakes(list(right.values()), _constants(description), _ranges(description, not_computed))
    found += [replace(one, at=list(right)[one.at]) for one in together]
    return sorted(found, key=lambda one: one.at)


def _constants(description: Described) -> dict[str, float]:
    return {
        name: value
        for name, told in description.items()
        if is_fixed(told) and is_number(value := plain_within(told.get("value")))
    }


def _ranges(description: Described, not_computed: Collection[str]) -> dict[str, float]:
    """How wide those are that may be computed."""
    computable = {name: told for name, told in description.items() if name not in not_computed}
    return {name: width for name, told in computable.items() if (width := computable_range(told))}


def _check_names(equality: Equality, description: Described, wrong: Collection[str]) -> None:
    """Raises ArithmeticMistake for names of no parameters, and those that have no value where they do not
    count.
    """
    for name in equality.names:
        if name.name not in description:
            hint = did_you_mean(name.name, description) or _in_quotes(name.name, description)
            names = ", ".join(f"`{one}`" for one in description)
            raise ArithmeticMistake(f"expected the parameters {names}, got `{name.name}`", name.offset, hint)
        told = description[name.name]
        conditional = isinstance(told, Mapping) and told.get("when") is not None
        if name.name not in wrong and conditional and not is_number(told.get("otherwise")):
            raise ArithmeticMistake(
                f"expected what `{name.name}` is `otherwise`, as 0, to count where it does not", name.offset
            )


def _in_quotes(name: str, description: Described) -> str:
    """What is to be done about a name that is a value of some parameter."""
    values = [told.get("values") for told in description.values() if isinstance(told, Mapping)]
    return IN_QUOTES if any(isinstance(own, list | tuple) and name in own for own in values) else ""


def _own(told: object) -> dict[str, object]:
    """Of a float, what it keeps when it is computed."""
    if not isinstance(told, Mapping):
        return {"bounds": told}
    return {key: told[key] for key in ("bounds", "unit") if key in told}
