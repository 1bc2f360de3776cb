"""What an evaluator may return, read strictly: a number, or a mapping with one; where people compare what
comes of evaluations, anything.

numpy is never imported here: its scalars and arrays are known by what they can do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from numbers import Integral, Real
from os import PathLike, fsdecode
from typing import Any, NoReturn

import msgspec

from evaluators.errors import EvaluationError
from evaluators.utf8 import is_utf8
from orchestrator.wire.nesting import DEPTH_LIMIT, is_too_deep


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result without its envelope. ``value``, ``variance`` (>= 0) and ``factors`` are finite; there is
    none of them where people compare trials.

    ``extras`` are plain JSON: None where NaN or an infinity was returned.
    """

    value: float | None
    variance: float | None = None
    factors: list[float] | None = None
    extras: dict[str, Any] = field(default_factory=dict)


def read_outcome(returned: object, objective: str = "") -> Outcome:
    """The outcome that an evaluator returned. Raises `EvaluationError` (invalid) for anything else.

    ``objective`` is what may stand for ``value`` in a mapping; empty if nothing may. It is no extra.
    """
    if type(returned) is not float and isinstance(returned, Mapping):
        return _read_mapping(returned, ("value", objective) if objective else ("value",))
    either = f"`value` or `{objective}`" if objective else "`value`"
    expected = f"a number, or a mapping with {either}"
    if returned is None:
        came = "None (does the function end without `return`?)"
        raise EvaluationError("invalid", f"expected {expected}, got {came}")
    return Outcome(_number(returned, expected, "a finite number"))


def read_compared(returned: object) -> Outcome:
    """What is kept of what an evaluator returned whose trials people compare: all of a mapping, and nothing
    of anything else. Raises `EvaluationError` (invalid) for a mapping that JSON cannot hold.
    """
    if not isinstance(returned, Mapping):
        return Outcome(None)
    _refuse_names(returned)
    return Outcome(None, extras={name: _plain(name, extra) for name, extra in returned.items()})


def _refuse_names(returned: Mapping[Any, Any]) -> None:
    for name in returned:
        if not is_utf8(name):
            _refuse("names (text, in UTF-8) as the keys of the mapping returned", name)


def _read_mapping(returned: Mapping[Any, Any], value_names: tuple[str, ...]) -> Outcome:
    _refuse_names(returned)
    variance = returned.get("variance")
    if variance is not None:
        variance = _number(variance, "a number as `variance`")
        if variance < 0:
            raise EvaluationError("invalid", f"expected a `variance` of 0 or more, got {variance!r}")
    factors = returned.get("factors")
    return Outcome(
        value=_value(returned, value_names),
        variance=variance,
        factors=None if factors is None else _numbers(factors),
        extras={
            name: _plain(name, extra)
            for name, extra in returned.items()
            if name not in (*value_names, "variance", "factors")
        },
    )


def _value(returned: Mapping[str, Any], names: tuple[str, ...]) -> float:
    told = {name: returned[name] for name in dict.fromkeys(names) if name in returned}
    if not told:
        came = ", ".join(f"`{name}`" for name in returned) or "nothing"
        expected = " or ".join(f"`{name}`" for name in dict.fromkeys(names))
        raise EvaluationError("invalid", f"expected a mapping with {expected}, got one with {came}")
    numbers = [_number(given, f"a number as `{name}`") for name, given in told.items()]
    if len(set(numbers)) > 1:
        both = " and ".join(f"`{name}`" for name in told)
        came = " and ".join(map(repr, numbers))
        raise EvaluationError(
            "invalid",
            f"expected the same number as {both}, which name the objective, got {came}: leave one out",
        )
    return numbers[0]


def _number(given: object, expected: str, finite: str = "") -> float:
    """``finite`` is what is expected where a number came that is not."""
    plain: Any = given
    if type(plain) is not float:
        if _has_one_element(plain):
            plain = plain.item()
        if isinstance(plain, bool) or not isinstance(plain, Real | Decimal):
            _refuse(expected, given)
    try:
        number = float(plain)
    except (OverflowError, ValueError):
        number = math.inf
    if not math.isfinite(number):
        _refuse(finite or f"{expected}, finite", given)
    return number


def _has_one_element(given: Any) -> bool:
    """Whether it has dimensions, as arrays and tensors, and one element or, without any, is one; what numpy
    masks is none, whatever number lies beneath.
    """
    shape = getattr(given, "shape", None)
    mask: Any = getattr(given, "mask", None)
    single = isinstance(shape, tuple) and all(size == 1 for size in shape) and hasattr(given, "item")
    return single and not (hasattr(mask, "item") and mask.item())


def _numbers(given: object) -> list[float]:
    if hasattr(given, "tolist"):
        given = given.tolist()
    if not isinstance(given, list | tuple):
        _refuse("a list of numbers as `factors`, one a factor", given)
    return [_number(factor, f"a number as `factors[{i}]`") for i, factor in enumerate(given)]


def _plain(name: str, extra: object) -> object:
    try:
        if isinstance(extra, Decimal):  # which JSON has as text, and no outcome may be
            extra = float(extra)
        plain: object = msgspec.json.decode(msgspec.json.encode(extra, enc_hook=_from_foreign))
    except Exception as error:  # whatever a foreign object does when it is written, it is no extra
        described = f"{_describe(extra)}: {error}"
        raise EvaluationError(
            "invalid", f"expected what JSON can hold as the extra `{name}`, got {described}"
        ) from None
    if is_too_deep({name: plain}):
        raise EvaluationError(
            "invalid",
            f"expected the extra `{name}` nested less than {DEPTH_LIMIT} deep, got a deeper one: write it to "
            "a file in `context.directory` and return its name",
        )
    return plain


def _from_foreign(foreign: Any) -> object:
    if isinstance(foreign, Real) and not isinstance(foreign, Integral):
        return float(foreign)
    if hasattr(foreign, "tolist"):
        return foreign.tolist()
    if isinstance(foreign, Mapping):
        return dict(foreign)
    if isinstance(foreign, Sequence):
        return list(foreign)
    if isinstance(foreign, PathLike):
        return fsdecode(foreign)
    if isinstance(foreign, date):
        return foreign.isoformat()
    raise TypeError(f"a {type(foreign).__name__} is not JSON")


def _refuse(expected: str, given: object) -> NoReturn:
    raise EvaluationError("invalid", f"expected {expected}, got {_describe(given)}")


def _describe(given: object) -> str:
    if given is None:
        return "None"
    shape = getattr(given, "shape", None)
    if isinstance(shape, tuple) and shape:
        return f"an array of shape {shape}"
    try:
        text = repr(given)
    except Exception:  # a foreign __repr__ may do anything
        text = "something that cannot be shown"
    if len(text) > 100:
        text = text[:100] + "…"
    return f"{text} ({type(given).__name__})"
