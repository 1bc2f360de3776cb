"""What follows from the points and results that a run starts from, and whether what is told of it agrees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from orchestrator.errors import SpecError
from orchestrator.parameters.space import Space
from orchestrator.spec.build import build_space
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find, find_all
from orchestrator.spec.model import Spec
from orchestrator.spec.partial_points import parts_among, wholes_at
from orchestrator.spec.sections.initial import KnownResult


def with_what_follows(tree: Node, spec: Spec) -> tuple[Spec, list[Complaint]]:
    """The spec whose first points and known results have what is computed from the others, and what of them
    does not agree.
    """
    try:
        space = build_space(spec)
    except SpecError:
        # Said where it is wrong.
        return spec, []
    initial = spec.initial
    wholes, parts = wholes_at(spec, find_all(tree, ("initial", "points"))), parts_among(spec)
    results = [find(node, ("parameters",)) for node in find_all(tree, ("initial", "results"))]
    known = [result.parameters for result in initial.results]
    nodes, points = [node for node, _ in wholes], [point for _, point in wholes]
    complaints = [*disagreeing(space, nodes, points), *disagreeing(space, results, known)]
    update = {
        "points": [
            point if number in parts else dict(space.completed(point))
            for number, point in enumerate(initial.points)
        ],
        "results": completed_results(space, initial.results),
    }
    return spec.model_copy(update={"initial": initial.model_copy(update=update)}), complaints


def completed_results(space: Space, results: Iterable[KnownResult]) -> list[KnownResult]:
    """Results whose parameters have what is computed from the others."""
    return [one.model_copy(update={"parameters": dict(space.completed(one.parameters))}) for one in results]


def disagreeing(
    space: Space, nodes: Sequence[Node], points: Sequence[Mapping[str, Any]]
) -> Iterator[Complaint]:
    """What points say of what follows from the others, and does not, each at its place."""
    computed = space.given_names[len(space.names) :]
    for node, point in zip(nodes, points, strict=True):
        wrong = space.mistakes(space.nearest(point)) if any(name in point for name in computed) else {}
        for name in computed:
            if name in wrong:
                yield Complaint(find(node, (name,)).place, str(wrong[name]))
