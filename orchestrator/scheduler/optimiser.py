"""The optimiser as the scheduler knows it: what it was asked, and what it said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from orchestrator.scheduler.events import RemainingGainEstimated
from orchestrator.scheduler.pace import Pace
from orchestrator.scheduler.rules.places import Places


@dataclass(slots=True)
class Optimiser:
    """``asks`` counts what it was asked; ``asking`` is for how many points, while an answer is awaited; that
    was at ``asked_at``, when ``asked_knowing`` results had come.

    It is ``exhausted`` where it has no more points, and ``awaits_results`` where it has none before some come
    in of what runs. ``model`` is how often it began anew, ``refits`` the last refit of this model that it
    adopted, and ``fixed`` what is held of which this model knows no other value. ``insight`` is what it said
    last of what it believes, and ``gains`` are this model's last estimates of what is left to gain.
    """

    asks: int = 0
    asking: int | None = None
    asked_at: float = 0.0
    asked_knowing: int = 0
    exhausted: bool = False
    awaits_results: bool = False
    model: int = 0
    refits: int = 0
    fixed: Places = field(default_factory=dict)
    insight: Mapping[str, Any] = field(default_factory=dict)
    gains: tuple[RemainingGainEstimated, ...] = ()
    pace: Pace = field(default_factory=Pace)
