"""Slips of the pen in the units that the values of a command are wanted in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find
from orchestrator.spec.sections.evaluation import Evaluation
from orchestrator.spelling import slip_of

TIMES: Final = tuple(
    f"{unit}{end}"
    for unit in ("nanosecond", "microsecond", "millisecond", "second", "minute", "hour", "day")
    for end in ("", "s")
)
"""Those whose names are long enough that another word near one is a slip of it."""


def check_units(evaluation: Evaluation | None, tree: Node) -> Iterator[Complaint]:
    """That none is a time's with a slip in it. Of all else that is no time nobody knows but the program that
    prints it. Not asked of runs begun so.
    """
    output = {} if evaluation is None else evaluation.output
    patterns = output.get("patterns", {}) if isinstance(output, dict) else {}
    within = ("evaluation", "output")
    for name, form in patterns.items():
        if (unit := form.get("in")) is None or unit in TIMES or (meant := slip_of(unit, TIMES)) is None:
            continue
        place = find(
            tree, (*within, *(("patterns", name) if find(tree, within).get("patterns") else ()), "in")
        )
        sentence = f"expected `in` as a unit, as `min` or `MB`, for `{name}`, got `{unit}`"
        yield Complaint(place.place, f"{sentence} (did you mean `{meant}`?)")
