"""How far a trial that is on the way to another point still is from there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, cast

from orchestrator.scheduler.event_parts import ON_THE_WAY
from orchestrator.scheduler.trial import Trial
from orchestrator.values.travel import Travels

_Numbers: TypeAlias = Mapping[str, float]


def still_to_go(travels: Travels, trial: Trial) -> int:
    """How many more evaluations it takes at the least; 0 for a trial that is not on the way."""
    towards = trial.suggested.why.get("towards")
    if trial.suggested.why.get("source") != ON_THE_WAY or not isinstance(towards, Mapping):
        return 0
    # Of numbers only is it said how far they may travel.
    here, there = cast(_Numbers, trial.parameters), cast(_Numbers, towards)
    ways = [
        travel.steps(here[name], there[name])
        for name, travel in travels.items()
        if name in here and name in there
    ]
    return max(ways, default=0)
