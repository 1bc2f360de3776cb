"""What callers of the Python interface say of one experiment that is at odds with what else they say."""

from __future__ import annotations

from orchestrator.algorithms.base import Problem
from orchestrator.errors import UsageError
from orchestrator.expressions.in_use import NO_WHEN, NO_WHEN_FOR_EACH, conditional_in_use
from orchestrator.parameters.space import Space
from orchestrator.python_interface.computed import NOISE
from orchestrator.python_interface.watch import Stopping
from orchestrator.spec.checks.at_odds import Said, at_odds
from orchestrator.spec.checks.kept import WHEN as KEPT_WHEN
from orchestrator.spec.checks.tolerance import WHEN
from orchestrator.wanted_outcomes import WantedOutcomes


def refuse_at_odds(
    space: Space,
    problem: Problem,
    wanted: WantedOutcomes | None,
    stopping: Stopping | None,
    *,
    reference: bool,
) -> None:
    """Raises UsageError for what a spec would be refused for; ``reference``: whether there is one."""
    if problem.composite is not None and not (problem.noise.kind == "unknown" or problem.noise.is_none):
        raise UsageError(NOISE.format(problem.noise.standard_deviation or problem.noise.kind))
    said = said_of(space, problem, wanted, stopping, reference=reference)
    for _, sentence in at_odds(said, said):
        raise UsageError(sentence)
    parents = {parent for condition in space.conditions.values() for parent in condition.parents}
    if space.tolerances.keys() & {*space.conditions, *parents}:
        raise UsageError(WHEN)
    if problem.in_use is not None and problem.in_use.over.each:
        if conditional_in_use(space.conditions, space.in_use):
            raise UsageError(NO_WHEN_FOR_EACH)
    elif problem.in_use is not None and space.conditions:
        raise UsageError(NO_WHEN)
    if problem.kept and space.conditions:
        raise UsageError(KEPT_WHEN)


def said_of(
    space: Space,
    problem: Problem,
    wanted: WantedOutcomes | None,
    stopping: Stopping | None = None,
    *,
    reference: bool = False,
) -> list[Said]:
    """What is said of it, by the keys of a spec that say so."""
    several = problem.further_objectives > 0
    is_said: dict[Said, bool] = {
        "an objective that is computed": problem.composite is not None,
        "further objectives": several,
        "outcomes": wanted is not None and not several,
        "constraints on outcomes": problem.outcome_constraints > 0 and not several,
        "fidelity": problem.fidelity is not None,
        "fidelity: continues": problem.fidelity is not None and problem.fidelity.continues,
        "clock": problem.clock is not None,
        "limits kept in every trial": bool(problem.kept),
        "factors": problem.factors is not None,
        "blocks": problem.blocks,
        "related": bool(problem.related),
        "candidates": space.candidates is not None,
        "tolerance": bool(space.tolerances),
        "in_use": problem.in_use is not None and not problem.in_use.over.each,
        "over: each": problem.in_use is not None and problem.in_use.over.each,
        "threshold": problem.threshold is not None,
        "derivatives": bool(problem.derivatives),
        "travel": bool(space.travel),
        "change": bool(space.changes),
        "promising": bool(space.hunches),
        "reference": reference,
        "limits relative to the reference": wanted is not None and bool(wanted.relative),
        "stop_when": stopping is not None,
        "chance_below": stopping is not None and stopping.rule.chance_below is not None,
    }
    return [one for one, is_so in is_said.items() if is_so]
