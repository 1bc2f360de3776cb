"""Slips of the pen in the units that the values of a command are wanted in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find
from orchestrator.spec.model import Spec
from orchestrator.spelling import slip_of

TIMES: Final = tuple(
    f"{unit}{end}"
    for unit in ("nanosecond", "microsecond", "millisecond", "second", "minute", "hour", "day")
    for end in ("", "s")
)
"""Those whose names are long enough that another word near one is a slip of it."""


def of_units(tree: Node, spec: Spec) -> Iterator[Complaint]:
    """Remarks: times with a slip in them. Nobody but the program that prints a unit knows whether it is one:
    `secondes` and `secondi` are none.
    """
    output = spec.evaluation.output
    patterns = output.get("patterns", {}) if isinstance(output, dict) else {}
    within = ("evaluation", "output")
    for name, form in patterns.items():
        if (unit := form.get("in")) is None or unit in TIMES or (meant := slip_of(unit, TIMES)) is None:
            continue
        own = ("patterns", name) if find(tree, within).get("patterns") else ()
        sentence = (
            f"`{unit}` is no time, but a unit that numbers are printed with as it stands here (did you mean"
            f" `{meant}`?)"
        )
        yield Complaint(find(tree, (*within, *own, "in")).place, sentence)
