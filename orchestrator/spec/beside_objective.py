"""What is said of the objective beside it, at the top of a spec, instead of in it."""

from __future__ import annotations

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Entry, Node
from orchestrator.spec.rewritten import Rewritten

OF_THE_OBJECTIVE = ("goal", "told", "noise", "over", "unit", "fit", "covariance")


def put_into_objective(tree: Node) -> Rewritten:
    """The tree with each where it belongs, where it is judged like the others, and a complaint about each. Of
    several objectives nobody knows of which it is: that is left for the model to judge.
    """
    complaints: list[Complaint] = []
    if "objectives" in tree.mapping:
        return Rewritten(tree, complaints)
    for key in OF_THE_OBJECTIVE:
        objective, misplaced = tree.mapping.get("objective"), tree.mapping.get(key)
        if misplaced is None or objective is None or not objective.node.mapping:
            continue
        name, value = _shown(objective.node.get("name")), _shown(misplaced.node)
        sentence = (
            f"expected `{key}` in `objective`, as in `objective: {{name: {name}, {key}: {value}}}`, got it"
            " beside it"
        )
        complaints.append(Complaint(misplaced.key_place, sentence))
        tree = tree.without(key)
        if key not in objective.node.mapping:
            tree = tree.having("objective", Entry(objective.key_place, objective.node.having(key, misplaced)))
    return Rewritten(tree, complaints)


def _shown(node: Node | None) -> str:
    told = "" if node is None else node.written or node.content
    return told if isinstance(told, str) and 0 < len(told) <= 40 else "..."
