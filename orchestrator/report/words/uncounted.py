"""The parameters that do not count at a point, in words."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.report.words.wording import setting
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.parameters import conditions_of
from orchestrator.values.named import Values
from orchestrator.values.printable import printable


def uncounted_words(spec: Spec, values: Values) -> Iterator[str]:
    """Of each parameter that a point does not have: where it counts, and what an evaluation is given here."""
    for name, condition in conditions_of(spec.parameters).items():
        if name not in values:
            given = condition.otherwise
            instead = "" if given is None else f": an evaluation is given {setting(given)}"
            yield printable(f"{name} counts only where {condition.words}{instead}")
