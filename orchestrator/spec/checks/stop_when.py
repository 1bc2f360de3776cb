"""Whether what evaluations report can ever meet `stop_when`."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find, find_key
from orchestrator.spec.sections.command_progress import STEP, quantities_of
from orchestrator.spec.sections.evaluation import PERSON, Evaluation
from orchestrator.spelling import did_you_mean, listed


def check_stop_when(evaluation: Evaluation | None, tree: Node) -> Iterator[Complaint]:
    """That it names a quantity that a command's `progress` can report."""
    if evaluation is None or evaluation.stop_when is None or evaluation.progress is None:
        return
    quantity, known = evaluation.stop_when.quantity, quantities_of(evaluation.progress)
    if quantity == STEP:
        sentence = f"expected a quantity beside `{STEP}`, got `{STEP}`; `after` is the first step that counts"
    elif known is not None and quantity not in known:
        near = did_you_mean(quantity, known)
        sentence = f"expected a group of the pattern of `progress` ({listed(known)}), got `{quantity}`{near}"
    else:
        return
    yield Complaint(find(tree, ("evaluation", "stop_when", "quantity")).place, sentence)


def of_stop_when(tree: Node, evaluation: Evaluation) -> Iterator[Complaint]:
    """A remark where nothing is ever reported."""
    if evaluation.stop_when is None:
        return
    if evaluation.evaluator == PERSON:
        why = "of what a person does nothing is reported on the way"
    elif evaluation.command is not None and evaluation.progress is None:
        why = "a `command` reports nothing without `progress`, such as `progress: json`"
    else:
        return
    place = find_key(tree, ("evaluation", "stop_when"))
    yield Complaint(place, f"`stop_when` has no effect: {why}")
