"""The parameters that an evaluator takes: names, units and what is possible."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

from evaluators.errors import EvaluationError


@dataclass(frozen=True, slots=True)
class Quantity:
    """A parameter from ``low`` to ``high``, both possible: the evaluator's limits, not a range to search.

    ``whole`` quantities take whole numbers only. ``unit`` is what a spec gives as the parameter's unit.
    """

    low: float
    high: float
    unit: str | None = None
    whole: bool = False


def read_quantities(
    evaluator: str, quantities: Mapping[str, Quantity], parameters: Mapping[str, Any]
) -> dict[str, float]:
    """The parameters as numbers, in the order of the quantities.

    Raises:
        EvaluationError: (invalid) other names than these, no finite number, or one that is not possible.
    """
    missing = [name for name in quantities if name not in parameters]
    unknown = [name for name in parameters if name not in quantities]
    if missing or unknown:
        wrong = [f"without {_listed(missing)}"] if missing else []
        wrong += [f"with {_listed(unknown)}"] if unknown else []
        raise EvaluationError(
            "invalid",
            f"{evaluator}: expected the parameters {_listed(list(quantities))}; "
            f"they came {' and '.join(wrong)}",
        )
    return {name: _number(evaluator, name, quantities[name], parameters[name]) for name in quantities}


def whole_option(evaluator: str, name: str, value: object, low: int = 1) -> int:
    """An option that is a whole number of at least ``low``. Raises `EvaluationError` (invalid)."""
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise EvaluationError(
            "invalid",
            f"{evaluator}: expected a whole number of at least {low} as option `{name}`, got {value!r}",
        )
    return value


def _number(evaluator: str, name: str, quantity: Quantity, value: object) -> float:
    kind = "a whole number" if quantity.whole else "a number"
    unit = f" {quantity.unit}" if quantity.unit else ""
    if (
        isinstance(value, bool)
        or not isinstance(value, Real)
        or not math.isfinite(number := float(value))
        or not quantity.low <= number <= quantity.high
        or (quantity.whole and number != int(number))
    ):
        raise EvaluationError(
            "invalid",
            f"{evaluator}: expected {kind} from {quantity.low:g} to {quantity.high:g}{unit} as {name}, "
            f"got {value!r}",
        )
    return number


def _listed(names: list[str]) -> str:
    shown = names if len(names) <= 12 else [*names[:6], f"… ({len(names)} in all)"]
    return ", ".join(shown)
