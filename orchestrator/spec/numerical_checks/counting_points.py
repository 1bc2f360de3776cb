"""What is to be said of which parameters count where: only numpy's arithmetic can tell."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from orchestrator.parameters.space import Space
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find, find_all, find_key
from orchestrator.spec.sections.initial import Initial

# A parameter that counts at all of so many random points is said to count always.
LOOKED_AT = 4096


def check_counting_points(
    tree: Node, space: Space, initial: Initial, parts: Collection[int] = ()
) -> list[Complaint]:
    """That a parameter which counts there is missing, or has a value that is none of its own; or does not
    follow from the others, if it is computed. Points with these numbers are ``parts`` of one.
    """
    if space.activity is None and space.following is None:
        return []
    points = zip(find_all(tree, ("initial", "points")), initial.points, strict=True)
    wholes = [told for number, told in enumerate(points) if number not in parts]
    results = zip(find_all(tree, ("initial", "results")), initial.results, strict=True)
    nearest = ((find(node, ("parameters",)), space.nearest(result.parameters)) for node, result in results)
    told = [*wholes, *nearest]
    return [
        Complaint(find(node, (name,)).place, str(mistake))
        for node, parameters in told
        for name, mistake in space.mistakes(parameters).items()
    ]


def of_conditions(tree: Node, space: Space) -> Iterator[Complaint]:
    """Remarks: parameters that never count, or always do."""
    if space.activity is None:
        return
    active = space.domain.active(space.domain.untied.sample(LOOKED_AT, np.random.default_rng(LOOKED_AT)))
    for name, condition in space.conditions.items():
        counts = active[:, space.index(name)]
        place = find_key(tree, ("parameters", name, "when"))
        if not counts.any():
            sentence = (
                f"`{name}` has no effect: nowhere, as far as was looked, is it so that {condition.words}"
            )
            yield Complaint(place, sentence)
        elif counts.all():
            sentence = (
                f"`when` has no effect: everywhere, as far as was looked, it is so that {condition.words}"
            )
            yield Complaint(place, sentence)
