"""Options that stand beside ``options:`` instead of under it, of the algorithm or of an evaluator of ours."""

from __future__ import annotations

from collections.abc import Collection

from orchestrator.errors import SpecError
from orchestrator.spec.checks.evaluator_options import declared_options
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.section import Section
from orchestrator.spec.document.tree import Entry, Node
from orchestrator.spec.model import AlgorithmChoice
from orchestrator.spec.rewritten import Rewritten
from orchestrator.spec.sections.evaluation import Evaluation
from orchestrator.spelling import british, near_miss
from orchestrator.values.finite import written


def put_under_options(tree: Node) -> Rewritten:
    """A spec's tree with each where it belongs, and is judged like the others, and a complaint about each.

    What is no option is left for the model to judge.
    """
    complaints: list[Complaint] = []
    for section, model, named_by in (
        ("algorithm", AlgorithmChoice, "name"),
        ("evaluation", Evaluation, "evaluator"),
    ):
        entry = tree.mapping.get(section)
        if entry is None or not (unknown := _unknown(entry.node, model)):
            continue
        owner = entry.node.get(named_by)
        name = owner.content if owner is not None and isinstance(owner.content, str) else ""
        known = _options_of(section, name)
        node = entry.node
        for key in unknown:
            option = near_miss(key, known)
            if option is None:
                continue
            misplaced = node.mapping[key]
            got = "it" if british(key) == option else f"`{key}`"
            sentence = (
                f"expected `{option}` among the options of `{name}`, as in"
                f" `options: {{{option}: {_value(misplaced.node)}}}`, got {got} beside them"
            )
            complaints.append(Complaint(misplaced.key_place, sentence))
            node = _moved(node, key, option, misplaced)
        tree = tree.having(section, Entry(entry.key_place, node))
    return Rewritten(tree, complaints)


def _moved(node: Node, key: str, option: str, misplaced: Entry) -> Node:
    """The section with one of its keys under its options, unless the option is there already."""
    node = node.without(key)
    options = node.mapping.get("options", Entry(node.place, Node(node.place, {})))
    if not isinstance(options.node.content, dict) or option in options.node.mapping:
        return node
    return node.having("options", Entry(options.key_place, options.node.having(option, misplaced)))


def _unknown(node: Node, model: type[Section]) -> list[str]:
    """Keys that are none of the section's, and near to none of them."""
    known = [field.alias or name for name, field in model.model_fields.items()]
    return [key for key in node.mapping if near_miss(key, known) is None]


def _options_of(section: str, name: str) -> Collection[str]:
    if section == "evaluation":
        return [option.name for option in declared_options(name) or ()] if ":" in name else []
    # Algorithms are numpy and scipy, and are loaded only where something is wrong.
    from orchestrator.algorithms import registry

    try:
        return list(registry.options(name).model_fields) if name in registry.names() else []
    except SpecError:
        return []


def _value(node: Node) -> str:
    content = node.content
    if isinstance(content, bool):
        return "true" if content else "false"
    if isinstance(content, int | float):
        return written(content)
    return content if isinstance(content, str) and len(content) <= 40 else "..."
