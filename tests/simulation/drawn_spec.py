"""The spec of a laboratory's run, drawn by its seed: budgets, modes and rules of all kinds."""

from __future__ import annotations

from functools import cache
from random import Random

from virtual_worker import EVALUATOR

from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.spec.sections.stop_when import StopWhen


@cache
def _plain_spec() -> Spec:
    text = f"""
experiment: virtual
objective: {{name: value, goal: maximise}}
parameters: {{x: {{type: float, bounds: [0, 1]}}}}
algorithm: {{name: gp-ei}}
budget: {{trials: 5}}
evaluation: {{evaluator: "{EVALUATOR}", timeout: 20 s, attempts: 3}}
workers: {{local: 0}}
"""
    return load_spec_text(text, name="virtual", folder=None).spec


@cache
def _rarer_parts() -> Spec:
    text = """
experiment: virtual
objective: {name: value, goal: maximise}
parameters: {x: {type: float, bounds: [0, 1]}}
algorithm: {name: random}
budget: {trials: 5}
initial: {points: [{x: 0.25}, {x: 0.75}], results: [{x: 0.5, value: 0.1}]}
evaluation: {evaluator: "virtual:objective", stop_when: {quantity: loss, above: 8}}
"""
    return load_spec_text(text, name="virtual", folder=None).spec


def _stop_when(share: float) -> StopWhen | None:
    """Rules for some of all runs; ``share`` in [0, 1) says which run it is."""
    if share < 0.3:
        return _rarer_parts().evaluation.stop_when
    # What virtual evaluations report says nothing of their ends: about half of them will do worse than half.
    return StopWhen(quantity="loss", chance_below=0.6) if share < 0.45 else None


def drawn_spec(chance: Random, by_hand: bool) -> Spec:
    """Budgets, modes and rules of all kinds; ``by_hand``: a person evaluates."""
    plain, rare = _plain_spec(), _rarer_parts()
    enough = chance.choice([None, None, None, 0.4, 0.7])
    trials = chance.choice([2, 3, 4, 5, 6, 8, 8, 25] if enough is None else [6, 8, 25])
    kind = chance.choice(["asynchronous", "asynchronous", "synchronous", "sequential"])
    stop_when = _stop_when(chance.random())
    if stop_when is not None and stop_when.chance_below is not None:
        # The first of them teach what the others are judged by.
        trials = 15
    return plain.model_copy(
        update={
            "objective": plain.objective.model_copy(update={"goal": chance.choice(["maximise", "minimise"])}),
            "budget": plain.budget.model_copy(
                update={
                    "trials": trials,
                    "patience": chance.choice([None, None, None, 4]),
                    "target": chance.choice([None, None, None, 1.9]),
                    "time_s": chance.choice([None, None, None, None, 120.0]),
                    "expected_gain": enough,
                    "cost": {5: 2.5, 6: 4.0}.get(trials),
                }
            ),
            "mode": plain.mode.model_copy(
                update={"kind": kind, "batch": chance.randint(1, 3) if kind == "synchronous" else None}
            ),
            "evaluation": plain.evaluation.model_copy(
                update={
                    "evaluator": PERSON if by_hand else EVALUATOR,
                    "attempts": chance.randint(1, 3),
                    "give_up_after": chance.choice([None, 10, 1]),
                    "approval": chance.random() < (0.5 if by_hand else 0.1),
                    "stop_when": stop_when,
                }
            ),
            "initial": rare.initial if chance.random() < 0.2 else plain.initial,
        }
    )
