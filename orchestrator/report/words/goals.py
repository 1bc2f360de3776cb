"""What a run is to make large or small."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from orchestrator.objectives import Goal
from orchestrator.report.words.wording import number
from orchestrator.values.printable import printable

if TYPE_CHECKING:
    from orchestrator.spec.model import Spec


def goals_of(spec: Spec) -> dict[str, Goal]:
    """Every objective with its goal, the first one first."""
    first = {spec.objective.name: spec.objective.goal}
    return first | {one.name: one.goal for one in spec.further_objectives}


def sought_words(spec: Spec) -> str:
    """What is sought, in words: ``minimise drag``, or ``taste by comparison``."""
    if spec.objective.told == "by comparison":
        return f"{printable(spec.objective.name)} by comparison"
    if spec.objective.threshold is not None:
        return f"learn where {printable(spec.objective.name)} is above {threshold_words(spec)}"
    return goals_words(goals_of(spec))


def threshold_words(spec: Spec) -> str:
    """``80 °C``, of an objective of which it is sought where it is above that."""
    threshold = spec.objective.threshold
    assert threshold is not None
    return printable(f"{number(threshold)} {spec.objective.unit or ''}".rstrip())


def units_of(spec: Spec) -> dict[str, str]:
    """By name the units of objectives that have one."""
    told = {spec.objective.name: spec.objective.unit}
    told |= {one.name: one.unit for one in spec.further_objectives}
    return {name: printable(unit) for name, unit in told.items() if unit}


def titled(name: str, units: Mapping[str, str]) -> str:
    """``drag (N)``, or the name alone: for heads of columns, and axes."""
    return f"{name} ({units[name]})" if name in units else name


def goals_words(goals: Mapping[str, Goal]) -> str:
    """``minimise drag, maximise lift``."""
    return ", ".join(f"{goal} {name}" for name, goal in goals.items())
