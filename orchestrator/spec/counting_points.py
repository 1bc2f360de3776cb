"""What is missing of points and results that a run starts from: which parameters count at each, only numpy's
arithmetic can tell.
"""

from __future__ import annotations

from orchestrator.errors import SpecError
from orchestrator.space import Space
from orchestrator.spec.complaint import Complaint
from orchestrator.spec.model import Spec
from orchestrator.spec.tree import Node, find_all


def check_counting_points(tree: Node, space: Space, spec: Spec) -> list[Complaint]:
    """That a parameter is missing which counts there."""
    if space.activity is None:
        return []
    points = zip(find_all(tree, ("initial", "points")), spec.initial.points, strict=True)
    results = zip(find_all(tree, ("initial", "results")), spec.initial.results, strict=True)
    complaints: list[Complaint] = []
    for node, parameters in [*points, *((node, result.parameters) for node, result in results)]:
        try:
            space.encode(parameters)
        except SpecError as error:
            complaints.append(Complaint(node.place, str(error)))
    return complaints
