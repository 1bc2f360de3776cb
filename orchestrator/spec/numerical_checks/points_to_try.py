"""How many points a run may try, where a second evaluation of one tells nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator

from orchestrator.parameters.held import held_within
from orchestrator.scheduler.rules.places import place_words
from orchestrator.spec.build import build_space
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_key
from orchestrator.spec.model import Spec
from orchestrator.spec.tried_once import is_tried_once


def points_to_try(spec: Spec) -> float:
    """How many there are where parameters are held; infinite where there is no end to them, or any may be
    tried again.
    """
    if not is_tried_once(spec):
        return math.inf
    space = build_space(spec)
    return (held_within(space, spec.held) or space.domain).size


def of_points_to_try(tree: Node, spec: Spec) -> Iterator[Complaint]:
    """A remark on more trials than points, but for those that a person lists several times."""
    trials, points = spec.budget.trials, points_to_try(spec)
    if trials is None or math.isinf(points):
        return
    listed = [tuple(sorted(one.items())) for one in spec.initial.points]
    if trials > points + len(listed) - len(set(listed)):
        where = f" where {place_words(spec.held)}" if spec.held else ""
        there = "is 1 point" if points == 1 else f"are {points:.0f} points"
        sentence = (
            f"there {there} to try{where}, each of them once, as with `noise: 0` a second value at one tells"
            f" nothing: the run ends before {trials} trials"
        )
        yield Complaint(find_key(tree, ("budget", "trials")), sentence)
