"""What comes round, where its upper bound looks like the last of its settings and not the first once more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find, find_key
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.parameters import FloatParameter, IntParameter
from orchestrator.values.finite import written

ONCE_ROUND: Final = frozenset((12, 24, 60, 90, 120, 180, 360, 365, 366, 1440))
"""Months, hours, minutes, degrees, also of what is the same after a part of a turn, and days."""


def of_periodic(tree: Node, spec: Spec) -> Iterator[Complaint]:
    """Remarks: of hours from 0 to 23, of which 23 would be 0, and the like."""
    for name, told in spec.parameters.items():
        if not isinstance(told, FloatParameter | IntParameter) or not told.periodic:
            continue
        step = told.step or (1 if isinstance(told, IntParameter) else None)
        if step is None or find(tree, ("parameters", name)).get("bounds") is None:
            continue
        low, high = told.bounds
        if high - low not in ONCE_ROUND and high - low + step in ONCE_ROUND:
            sentence = (
                f"{written(high)} of `{name}` is {written(low)} once more, as it is periodic: if it is a"
                f" setting of its own, say `bounds: [{written(low)}, {written(high + step)}]`"
            )
            yield Complaint(find_key(tree, ("parameters", name, "bounds")), sentence)
