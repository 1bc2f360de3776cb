"""Whether what an evaluation takes of a worker can be told of every point, and some worker can have it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.computed import Computed, sources
from orchestrator.spec.checks.constraints import character, nameable
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find, find_key
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.evaluation import PERSON, slots_by
from orchestrator.spec.sections.parameters import Parameter, computed_of, conditions_of
from orchestrator.spec.sections.workers import Workers
from orchestrator.values.finite import is_number


def check_slots(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong with it."""
    evaluation, parameters, workers = parts.get("evaluation"), parts.get("parameters"), parts.get("workers")
    if evaluation is None or evaluation.slots is None:
        return
    if evaluation.evaluator == PERSON:
        sentence = "expected no `slots` where a person evaluates, for there is no worker that has several"
        yield Complaint(find_key(tree, ("evaluation", "slots")), sentence)
        return
    node = find(tree, ("evaluation", "slots"))
    if isinstance(evaluation.slots, int):
        if workers is not None and (sentence := _why_too_many(evaluation.slots, workers)):
            yield Complaint(node.place, sentence)
        return
    if parameters is None:
        return
    try:
        computed = slots_by(evaluation.slots)
        nameable(parameters).named(computed.names)
        _refuse_what_may_not_count(computed, parameters)
    except ArithmeticMistake as mistake:
        yield Complaint(character(node, evaluation.slots, mistake.offset), mistake.sentence)


def _why_too_many(slots: int, workers: Workers) -> str:
    if not workers.only_local or slots <= workers.local:
        return ""
    return (
        f"expected at most as many as this machine's, `workers: {{local: {workers.local}}}`, got {slots}; say"
        " a larger `local`, or, where larger workers join from elsewhere, how many `remote`"
    )


def _refuse_what_may_not_count(computed: Computed, parameters: Mapping[str, Parameter]) -> None:
    """Raises ArithmeticMistake for what has no value at some points."""
    conditions = conditions_of(parameters)
    doubtful = {name for name, one in conditions.items() if not is_number(one.otherwise)}
    follows = sources(computed_of(parameters))
    for name in computed.names:
        if found := sorted(follows.get(name.name, {name.name}) & doubtful):
            raise ArithmeticMistake(
                f"expected a value of `{found[0]}` for where it does not count, as `otherwise: 0` beside its"
                " `when`, to say how many slots an evaluation takes there",
                name.offset,
            )
