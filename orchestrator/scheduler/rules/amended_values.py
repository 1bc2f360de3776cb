"""How values come of what evaluations return, where a person says it otherwise than the spec does.

What that makes of each trial only arithmetic and files can tell: the events say it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class AmendedValues:
    """``objective`` has what values are computed by, under ``value``, or ``fit`` and ``covariance``, as specs
    have it; ``output`` is how what a program printed and wrote is read. Empty, or None: as the spec says.
    """

    objective: Mapping[str, Any] = field(default_factory=dict)
    output: Any = None

    def after(self, objective: Mapping[str, Any], output: Any) -> AmendedValues:
        """What holds once these were amended; what is empty, or None, stays as it is."""
        amended = replace(self, objective=objective) if objective else self
        return amended if output is None else replace(amended, output=output)


AS_GIVEN = AmendedValues()


def values_words(objective: Mapping[str, Any], output: Any) -> str:
    """``value: cost + 2 * mass``, ``fit of lift, drag``, ``otherwise read``."""
    said = []
    if "value" in objective:
        said.append(f"value = {objective['value']}")
    if "fit" in objective:
        together = ", whose errors have a covariance" if "covariance" in objective else ""
        said.append(f"fit of {', '.join(objective['fit'])}{together}")
    if output is not None:
        said.append("what programs printed is read otherwise")
    return "; ".join(said)
