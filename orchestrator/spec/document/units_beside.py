"""Numbers with a unit where numbers alone are taken, whose unit is a key beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from orchestrator.spec.document.yaml_tree import scalar
from orchestrator.values.finite import is_number

_WITH_UNIT = re.compile(r"([-+]?(?>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?))\s*([^\s\d.,;:+-]\S*)")


def in_one_unit(pair: Sequence[object]) -> tuple[tuple[float, ...], str] | None:
    """The numbers of ``[900 hPa, 1100 hPa]``, the lower one first, and the unit, which one may leave out; or
    None.
    """
    if len(pair) != 2:
        return None
    numbers: list[float] = []
    units: set[str] = set()
    for one in pair:
        found = _WITH_UNIT.fullmatch(one.strip()) if isinstance(one, str) else None
        number = scalar(found[1]) if found else one
        if not isinstance(number, int | float) or not is_number(number):
            return None
        numbers.append(number)
        units.update([found[2]] if found else [])
    return (tuple(sorted(numbers)), units.pop()) if len(units) == 1 else None
