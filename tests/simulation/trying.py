"""Of some seeds: somebody with hunches, who has points of their own evaluated while the run goes on.

What these seeds draw beyond the others is drawn from a stream of its own.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from apart_stream import apart

from orchestrator.runtime.requests.kinds import Amend, Budgets

if TYPE_CHECKING:
    from laboratory import Laboratory


def stream(seed: int) -> Random | None:
    """Of a seed in which points are added; None of any other."""
    return apart("tries", seed)


def points_are_added(lab: Laboratory) -> None:
    """One or two, where parameters are held mostly, and mostly with a budget that pays for them."""
    chance, state = lab.hopeful, lab.witness.state
    assert chance is not None
    points = [_point(lab, chance) for _ in range(chance.choice([1, 1, 2]))]
    parts: dict[str, Any] = {}
    if state.policy.budget.trials is not None and chance.random() < 0.7:
        parts["budgets"] = Budgets(trials=max(1, state.policy.budget.trials, state.budgeted + 3))
    if chance.random() < 0.2:
        parts["paused"] = chance.random() < 0.5
    lab.desk.leave(Amend(points=points, reason="a hunch", by="Ada", **parts))


def _point(lab: Laboratory, chance: Random) -> dict[str, Any]:
    """Of what is in hand already now and then, or of what lies outside."""
    state = lab.witness.state
    if state.unsettled and chance.random() < 0.1:
        return dict(chance.choice(list(state.unsettled.values())).parameters)
    point: dict[str, Any] = {}
    for name in lab.spec.parameters:
        low, high = state.amended.bounds.get(name, (0.0, 1.0))
        point[name] = low + (high - low) * 1.05 * chance.random()
    return {**point, **(state.policy.where.held if chance.random() < 0.9 else {})}
