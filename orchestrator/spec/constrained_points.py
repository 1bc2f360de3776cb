"""What constraints make of a spec's space and of its points: only numpy's arithmetic can tell."""

from __future__ import annotations

from orchestrator.errors import SpecError
from orchestrator.space import Space
from orchestrator.spec.complaint import Complaint
from orchestrator.spec.model import Spec
from orchestrator.spec.tree import Node, find_all, find_key

# Where all of so many random points satisfy a constraint, it is said to have no effect.
LOOKED_AT = 4096


def check_constrained_points(tree: Node, space: Space, spec: Spec) -> list[Complaint]:
    """That no point satisfies the constraints, or that one to begin with does not."""
    if space.ties is None:
        return []
    try:
        space.require_feasible_points()
    except SpecError as error:
        return [Complaint(find_key(tree, ("constraints",)), str(error))]
    complaints: list[Complaint] = []
    nodes = find_all(tree, ("initial", "points"))
    for node, point in zip(nodes, spec.initial.points, strict=True):
        if broken := space.broken_by(point):
            sentence = f"expected a point that satisfies `{'`, `'.join(broken)}`, got one that does not"
            complaints.append(Complaint(node.place, sentence))
    return complaints


def of_constraints(tree: Node, space: Space, spec: Spec) -> list[Complaint]:
    """Remarks: constraints that always hold, and known results that do not satisfy them."""
    if space.ties is None:
        return []
    said: list[Complaint] = []
    always = space.always_hold(LOOKED_AT)
    for i, text in enumerate(spec.constraints):
        if text.strip() in always:
            sentence = f"`{text}` has no effect: it holds all over the bounds, as far as was looked"
            said.append(Complaint(find_key(tree, ("constraints", i)), sentence))
    known = spec.initial.results
    outside = sum(bool(space.broken_by(result.parameters)) for result in known)
    if outside:
        alone = len(known) == 1
        of = "the known result does" if alone else f"{outside} of {len(known)} known results do"
        sentence = f"{of} not satisfy the constraints: learned from all the same, and not suggested"
        said.append(Complaint(find_key(tree, ("initial", "results")), sentence))
    return said
