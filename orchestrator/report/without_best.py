"""Why a run has no best trial, or no trade-off, yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from orchestrator.report.wording import NONE_SATISFIES
from orchestrator.scheduler.state import State

WhyNoBest: TypeAlias = Literal["no value", "none satisfies"]

WORDS: Mapping[WhyNoBest, str] = {"no value": "no value yet", "none satisfies": NONE_SATISFIES}


def why_no_best(state: State) -> WhyNoBest | None:
    """Whether no value counts, or none of those that do satisfies the constraints on outcomes; else None."""
    if state.best is not None or state.front:
        return None
    valued = (trial for trial in state.observed if trial.value is not None and trial.broken)
    return "none satisfies" if any(map(state.counts, valued)) else "no value"
