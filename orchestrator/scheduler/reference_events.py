"""What was measured at a run's reference: an event as those of `events`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceMeasured:
    """From now on this is what the reference has of outcomes, those that constraints are relative to, as far
    as any is known: the ``levels``. Beside each such constraint are the trials, and known results, whose
    values do not satisfy it by now.
    """

    at: float
    levels: Mapping[str, float] = field(default_factory=dict)
    broken: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
