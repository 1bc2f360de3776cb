"""The derivatives of the objective that a result brings beside its value, as people and programs write them.

They stand under `DERIVATIVES`, by parameter, ``{"drag": 1.2, "derivatives": {"span": 0.3}}``, or each under a
name of its own, ``{"drag": 1.2, "d_span": 0.3}``, as columns of tables do, and the groups of a pattern.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from orchestrator.spelling import did_you_mean, listed
from orchestrator.values.finite import in_short, is_number
from orchestrator.values.single import single_in

DERIVATIVES = "derivatives"
NO_COMPUTED = (
    "expected no parameter that is computed from others beside `derivatives`, got `{}`: it is not known"
    " whether they count what follows from a parameter"
)
_PREFIX = "d_"
_NEAR = 0.8
"""How alike two names are of which one was probably meant to be the other, as of columns of tables."""


def column_of(parameter: str) -> str:
    """What the derivative by a parameter is called apart."""
    return f"{_PREFIX}{parameter}"


def derivatives_of(told: object, names: Sequence[str]) -> dict[str, float]:
    """What is known of those told by some of the ``names``: what is None, as which NaN and infinities come,
    is not known, and None tells nothing. Raises ValueError, which says what was expected, for anything else.
    """
    if told is None:
        return {}
    if not isinstance(told, Mapping):
        example = "{" + f"{names[0]!r}: 0.5" + "}"
        raise ValueError(
            f"expected derivatives by the names of parameters, as {example}, got {in_short(told)[:60]}"
        )
    for name in told:
        if name not in names:
            near = did_you_mean(str(name), names)
            raise ValueError(f"expected derivatives by {listed(names, 'and')}, got one by `{name}`{near}")
    known = {name: single_in(value) for name, value in told.items()}
    for name, value in known.items():
        if value is not None and not is_number(value):
            came = in_short(value)[:60]
            raise ValueError(f"expected as the derivative by `{name}` a finite number, or null, got {came}")
    return {name: float(value) for name, value in known.items() if value is not None}


def with_derivatives(extras: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """What a result brought beside its value, with all derivatives that are known under `DERIVATIVES`, and
    nothing there where none is. Raises ValueError as `derivatives_of`, and for one that is told twice.
    """
    apart = {name: extras[column_of(name)] for name in names if column_of(name) in extras}
    together = extras.get(DERIVATIVES)
    found = derivatives_of(together, names)
    if twice := [name for name in apart if isinstance(together, Mapping) and name in together]:
        name = twice[0]
        raise ValueError(f"expected the derivative by `{name}` once, got it as `{column_of(name)}` as well")
    found |= derivatives_of(apart, names)
    columns = {column_of(name) for name in apart}
    others = {name: extra for name, extra in extras.items() if name not in {*columns, DERIVATIVES}}
    return {**others, DERIVATIVES: found} if found else others


def misspelt_derivative(told: Collection[str], names: Sequence[str], own: Collection[str]) -> str:
    """What is wrong with the first of the names ``told`` beside a value, which is none of our ``own`` and
    nearly what derivatives are called, or one of them, that is not told; or nothing.
    """
    missing = [column_of(name) for name in names if column_of(name) not in told]
    missing += [DERIVATIVES] if DERIVATIVES not in told else []
    for name in told:
        if name in own or name == DERIVATIVES or not name.casefold().startswith(_PREFIX[0]):
            continue
        near = difflib.get_close_matches(name.casefold(), [one.casefold() for one in missing], 1, _NEAR)
        meant = next((one for one in missing if [one.casefold()] == near), None)
        if meant is not None and name not in map(column_of, names):
            each = listed(map(column_of, names), "and")
            return f"expected derivatives as {each}, got `{name}` (did you mean `{meant}`?)"
    return ""


def corrected_derivatives(
    before: Mapping[str, Any], said: Mapping[str, Any], names: Sequence[str]
) -> dict[str, Any]:
    """What was kept beside a value, with what is said anew in its place: a derivative of which nothing is
    said stays as it was, and one that is said to be None is not known any more. Raises ValueError as
    `with_derivatives`.
    """
    with_derivatives(said, names)
    return with_derivatives({**_apart(before), **_apart(said)}, names)


def _apart(extras: Mapping[str, Any]) -> dict[str, Any]:
    """Each under a name of its own."""
    together = extras.get(DERIVATIVES)
    others = {name: extra for name, extra in extras.items() if name != DERIVATIVES}
    if not isinstance(together, Mapping):
        return others
    return {**others, **{column_of(name): told for name, told in together.items()}}
