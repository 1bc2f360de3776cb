"""What an objective that is told by comparison cannot stand beside in a spec, each mistake at its place."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find, find_key
from orchestrator.spec.model import BY_COMPARISON
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.parameters import tolerances_of, travels_of

BESIDE = "expected no `{}` beside `told: by comparison`: {}"
NO_VALUE = BESIDE.format("{}", "no trial has a value; say `trials` or `time`")
"""Of a budget."""
OF_RESULTS = BESIDE.format(
    "results", "what is known has values, and trials have none; say `initial: {points: ...}`"
)
OF_SEARCH = BESIDE.format("{}", "the search by comparisons does not heed it")
"""Of a limit of a parameter."""
OF_HELD = BESIDE.format("held", "trials are compared wherever they are; fix the parameter instead")
OF_THE_OBJECTIVE = {
    "goal": "what people find better is better; leave it out",
    "noise": "how surely people tell is inferred; leave it out",
    "unit": "there are no values that could have one; leave it out",
}
OF_THE_SPEC = {
    "objectives": "of several, what is better is for whoever compares to weigh",
    "outcomes": "whoever compares heeds what matters; what evaluations return is kept all the same",
    "fidelity": "trials are compared as they are; fix its parameter",
    "clock": "what was better earlier is compared with what is later",
    "factors": "no model of a sum is made of comparisons",
}


def check_comparison(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong, as far as the parts are right."""
    objective = parts.get("objective")
    if objective is None or objective.told != BY_COMPARISON:
        return
    written = tree.get("objective")
    for key, why in OF_THE_OBJECTIVE.items():
        if written is not None and written.get(key) is not None:
            yield Complaint(find_key(tree, ("objective", key)), BESIDE.format(key, why))
    for key, why in OF_THE_SPEC.items():
        if parts.get("further_objectives" if key == "objectives" else key):
            yield Complaint(find_key(tree, (key,)), BESIDE.format(key, why))
    if parts.get("held"):
        yield Complaint(find_key(tree, ("held",)), OF_HELD)
    for what, named in (("tolerance", tolerances_of), ("travel", travels_of)):
        for name in named(parts.get("parameters") or {}):
            place = find_key(tree, ("parameters", name, what))
            yield Complaint(place, OF_SEARCH.format(what))
    yield from _of_the_run(tree, parts)
    algorithm = parts.get("algorithm")
    if algorithm is not None and algorithm.name != "auto":
        # It is numpy, which who amends a run need not wait for.
        from orchestrator.algorithms.registry import LEARNS_COMPARISONS

        yield Complaint(find(tree, ("algorithm",)).place, LEARNS_COMPARISONS.lacking(algorithm.name))
    elif algorithm is not None and algorithm.options:
        sentence = BESIDE.format("options", "the search by comparisons has none")
        yield Complaint(find_key(tree, ("algorithm", "options")), sentence)


def _of_the_run(tree: Node, parts: Parts) -> Iterator[Complaint]:
    evaluation, budget, initial = parts.get("evaluation"), parts.get("budget"), parts.get("initial")
    for name in ("cost", "target", "patience", "expected_gain"):
        if budget is not None and getattr(budget, name) is not None:
            yield Complaint(find_key(tree, ("budget", name)), NO_VALUE.format(name))
    if initial is not None and initial.results:
        yield Complaint(find_key(tree, ("initial", "results")), OF_RESULTS)
    stop_when = None if evaluation is None else evaluation.stop_when
    if stop_when is not None and stop_when.chance_below is not None:
        sentence = BESIDE.format("chance_below", "no value is foreseen; say `above` or `below`")
        yield Complaint(find_key(tree, ("evaluation", "stop_when", "chance_below")), sentence)
