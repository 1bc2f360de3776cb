"""What a run is to make large or small."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from orchestrator.objectives import Goal

if TYPE_CHECKING:
    from orchestrator.spec.model import Spec


def goals_of(spec: Spec) -> dict[str, Goal]:
    """Every objective with its goal, the first one first."""
    first = {spec.objective.name: spec.objective.goal}
    return first | {one.name: one.goal for one in spec.further_objectives}


def goals_words(goals: Mapping[str, Goal]) -> str:
    """``minimise drag, maximise lift``."""
    return ", ".join(f"{goal} {name}" for name, goal in goals.items())
