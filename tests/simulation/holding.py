"""Of some seeds: a second parameter, and somebody who holds it, or lets it go, while the run goes on.

What these seeds draw beyond the others is drawn from a stream of its own: the others are as they would be
without it.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from orchestrator.runtime.requests.kinds import Budgets
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec

PLACES = (0.25, 0.5, 0.75)
"""Where the second parameter is held; what is told and chosen of it lies there often."""
SHARE = 0.2


def stream(seed: int) -> Random | None:
    """Of a seed that holds parameters; None of any other."""
    chance = Random(f"held {seed}")
    return chance if chance.random() < SHARE else None


@cache
def _second_parameter() -> Spec:
    text = """
experiment: virtual
objective: {name: value, goal: maximise}
parameters: {x: {type: float, bounds: [0, 1]}, y: {type: float, bounds: [0, 1]}}
budget: {trials: 5}
evaluation: {evaluator: "virtual:objective"}
"""
    return load_spec_text(text, name="virtual", folder=None).spec


def with_second(spec: Spec, chance: Random) -> Spec:
    """A spec with another parameter, which it may hold from the beginning."""
    held = {"y": chance.choice(PLACES)} if chance.random() < 0.5 else {}
    points = [{**point, "y": held.get("y", chance.choice(PLACES))} for point in spec.initial.points]
    results = [
        known.model_copy(update={"parameters": {**known.parameters, "y": chance.choice(PLACES)}})
        for known in spec.initial.results
    ]
    budget = spec.budget.model_copy(update={"expected_gain": None}) if held else spec.budget
    return spec.model_copy(
        update={
            "parameters": _second_parameter().parameters,
            "initial": spec.initial.model_copy(update={"points": points, "results": results}),
            "budget": budget,
            "held": held,
        }
    )


def amends(chance: Random, rules: Policy) -> dict[str, Any]:
    """What somebody holds, or lets go: sometimes what cannot be, as it is not held, or is all there is."""
    fate = chance.random()
    if fate < 0.05:
        return {"free": [chance.choice(["x", "y"])]}
    if rules.where.held and fate < 0.45:
        return {"free": list(rules.where.held)}
    held = {"x": 0.5} if fate < 0.6 and not rules.where.held else {"y": chance.choice(PLACES)}
    if fate > 0.95:
        held = chance.choice([{"z": 0.5}, {"y": 7.0}, {"x": 0.5, "y": 0.5}])
    foresees = rules.budget.expected_gain is not None and chance.random() < 0.8
    return {"held": held, **({"budgets": Budgets(lifted=("expected_gain",))} if foresees else {})}
