"""Policies in one line: rules by their names, whichever part of a policy they are of."""

from __future__ import annotations

from dataclasses import fields

from orchestrator.scheduler.rules.budgets import Budget
from orchestrator.scheduler.rules.evaluations import Evaluations
from orchestrator.scheduler.rules.mode import Mode
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.rules.results_told import ResultsTold
from orchestrator.scheduler.rules.sought import Sought
from orchestrator.scheduler.rules.where import Where

PARTS = (Budget, Mode, Evaluations, ResultsTold, Sought, Where)


def policy_with(*, mode: str = "asynchronous", **rules: object) -> Policy:
    """The policy of these rules, all others being as where a spec says nothing of them. ``mode`` is its kind.

    Raises TypeError for what is no rule.
    """
    rules = {**rules, "kind": mode}
    parts = []
    for part in PARTS:
        own = {one.name: rules.pop(one.name) for one in fields(part) if one.name in rules}
        parts.append(part(**own))  # type: ignore[arg-type]
    if rules:
        raise TypeError(f"expected rules of a run, got {', '.join(rules)}")
    return Policy(**dict(zip((one.name for one in fields(Policy)), parts, strict=True)))  # type: ignore[arg-type]
