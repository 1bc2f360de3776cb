"""Whether a row of results says other settings than its trial has: as rows do that were sorted without their
numbers, or what was done otherwise than was asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from orchestrator.spec.model import Spec
from orchestrator.spec.points.told_values import value_of
from orchestrator.spec.sections.parameters import Parameter
from orchestrator.values.finite import is_number
from orchestrator.values.named import Values
from orchestrator.values.same import alike

AS_GOOD_AS_EXACT = 1e-9
"""Of a number: spreadsheets keep fifteen digits."""


def told_otherwise(spec: Spec, settings: Values, told: Mapping[str, str]) -> Iterator[str]:
    """The names, among those of the cells in ``told``, of the parameters that a trial with these ``settings``
    had other values of. A number may be rounded to the digits that are written. What is no value of the
    parameter, as an empty cell or a number that a spreadsheet made a date of, says nothing.
    """
    for name, cell in told.items():
        if name in settings and _is_another(spec.parameters[name], settings[name], cell):
            yield name


def _is_another(parameter: Parameter, setting: object, cell: str) -> bool:
    if not is_number(setting):
        named = value_of(parameter, cell, cell)
        return named is not None and not alike(named, setting)
    try:
        told = Decimal(cell)
        exponent = told.as_tuple().exponent
        if not isinstance(exponent, int):  # nan, or infinite
            return False
        left_open = Decimal(5).scaleb(exponent - 1) + Decimal(AS_GOOD_AS_EXACT) * abs(told)
        return abs(Decimal(repr(setting)) - told) > left_open
    except ArithmeticError:
        return False
