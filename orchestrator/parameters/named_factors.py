"""Known additive structure, from lists of parameters' names to their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from orchestrator.errors import SpecError, UsageError
from orchestrator.parameters.space import Space
from orchestrator.values.plain import plain


def numbered(factors: object, space: Space) -> tuple[tuple[int, ...], ...]:
    """Each factor as the numbers of its parameters. What is held still is left out: a constant is nothing
    that a model has to know.

    Raises UsageError for what are not lists of names, SpecError for names that are not parameters, that a
    factor has twice or that no factor has.
    """
    factors = plain(factors)
    if isinstance(factors, (str, Mapping)) or not isinstance(factors, Iterable):
        raise UsageError(
            f'expected factors as lists of parameter names, as [["x", "y"], ["z"]], got {factors!r}'
        )
    found = tuple(_factor(i, names, space) for i, names in enumerate(factors))
    if not found:
        raise SpecError("expected at least one factor, or None for no known structure, got an empty list")
    missing = [f"`{name}`" for i, name in enumerate(space.names) if not any(i in factor for factor in found)]
    if missing:
        its, it = ("its", "it") if len(missing) == 1 else ("their", "them")
        named = " and ".join(filter(None, (", ".join(missing[:-1]), missing[-1])))
        raise SpecError(f"no factor has {named}; add {it} to a factor, or to one of {its} own")
    return found


def _factor(number: int, names: object, space: Space) -> tuple[int, ...]:
    if isinstance(names, (str, Mapping)) or not isinstance(names, Iterable):
        raise UsageError(f"expected each factor to be a list of parameter names, got {names!r}")
    named = list(names)
    for name in named:
        if not isinstance(name, str):
            raise UsageError(f"expected the name of a parameter ({', '.join(space.names)}), got {name!r}")
        if named.count(name) > 1:
            raise SpecError(f"factor {number} names `{name}` twice; name each parameter once")
    if not named:
        raise SpecError(f"factor {number} is empty; give it at least one parameter, or leave it out")
    varied = tuple(space.index(name) for name in named if name not in space.fixed)
    if not varied:
        raise SpecError(
            f"factor {number} has only fixed parameters; give it one that varies, or leave it out"
        )
    return varied
