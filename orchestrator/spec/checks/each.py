"""Whether every local worker can have its own of what `each` says: a value for it, under a usable name."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from orchestrator.programs.slot_variables import mistake_in_name
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find, find_key
from orchestrator.spec.sections.evaluation import PERSON, Evaluation
from orchestrator.spec.sections.workers import Workers


def check_each(
    workers: Workers | None, evaluation: Evaluation | None, tree: Node, parameters: Collection[str]
) -> Iterator[Complaint]:
    """What is wrong with `each`. One value may come twice: two workers may share a thing on purpose."""
    if workers is None or not workers.each:
        return
    whole = find_key(tree, ("workers", "each"))
    if evaluation is not None and evaluation.evaluator == PERSON:
        sentence = "expected no `each` where a person evaluates, for there are no processes to have it"
        yield Complaint(whole, sentence)
    elif workers.local == 0:
        sentence = (
            "expected local workers, of which each has a value of its own, got none; workers elsewhere are"
            " told theirs where they are started: --each NAME=VALUE"
        )
        yield Complaint(whole, sentence)
    for name, values in workers.each.items():
        path = ("workers", "each", name)
        if mistake := mistake_in_name(name):
            yield Complaint(find_key(tree, path), mistake)
        elif name in parameters:
            sentence = (
                f"expected a name that no parameter has, got `{name}`: `{{{name}}}` would stand for both"
            )
            yield Complaint(find_key(tree, path), sentence)
        if workers.local not in (0, len(values)):
            sentence = f"expected as many values as local workers, {workers.local}, got {len(values)}"
            if find(tree, ("workers",)).get("local") is None:
                sentence += f"; say `local: {len(values)}`"
            yield Complaint(find(tree, path).place, sentence)
