"""Over which part of the conditions that come up in use a design is to be good, or that each has its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from orchestrator.spelling import meant_instead
from orchestrator.values.finite import is_number
from orchestrator.values.percent import percent

ToldOver: TypeAlias = str | Mapping[str, Any]
"""``average``, ``worst``, ``{"worst": 0.1}``, ``{"quantile": 0.1}`` or ``each``."""

EXPECTED = "`average`, `worst`, `{worst: 0.1}`, `{quantile: 0.1}` or `each`"
KEYS = ("average", "worst", "quantile", "each")
EACH = "each"


@dataclass(frozen=True, slots=True)
class Over:
    """The average over the worst ``share`` of the conditions: over all of them at 1, and the worst alone at
    0. As a ``quantile``: the value that is fallen short of in that share of them.
    ``each``: no design is to be good over them, but one is sought for each.
    """

    share: float = 1.0
    quantile: bool = False
    each: bool = False

    @property
    def is_average(self) -> bool:
        """Whether one design is sought for which all conditions count alike."""
        return self.share == 1.0 and not self.each

    @property
    def words(self) -> str:
        """What a value is that is over them so, as in ``on average over what varies in use``."""
        if self.each:
            return "for each of what comes up in use"
        share = percent(self.share, 3)
        if self.quantile:
            return f"as all but the worst {share} of what comes up in use"
        if self.is_average:
            return "on average over what varies in use"
        if self.share == 0.0:
            return "in the worst that comes up in use"
        return f"on average over the worst {share} of what comes up in use"

    @property
    def told(self) -> str | dict[str, float]:
        """As a spec says it."""
        if self.each:
            return EACH
        if self.quantile:
            return {"quantile": self.share}
        if self.share in (0.0, 1.0):
            return "average" if self.share else "worst"
        return {"worst": self.share}


def over_of(told: Any) -> Over:
    """What is told. Raises ValueError, which says what was expected."""
    if told == "average":
        return Over()
    if told == "worst":
        return Over(0.0)
    if told == EACH:
        return Over(each=True)
    if isinstance(told, Mapping) and len(told) == 1:
        ((name, share),) = told.items()
        if name in ("worst", "quantile"):
            if not is_number(share) or not 0.0 < share < 1.0:
                raise ValueError(f"as `{name}` a share of the conditions between 0 and 1, such as 0.1")
            return Over(float(share), name == "quantile")
    raise ValueError(f"{EXPECTED}{meant_instead(told, KEYS)}")
