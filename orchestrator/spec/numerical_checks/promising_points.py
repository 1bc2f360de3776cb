"""Whether constraints leave anything of where good settings are believed to lie.

Notation: D coordinates, H of them that there is a hunch about, n points.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.parameters.held import held_within
from orchestrator.parameters.hunches import hunch_of_points
from orchestrator.spec.build import build_space
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_key
from orchestrator.spec.model import Spec
from orchestrator.spelling import listed
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.hunch import WRONG, HunchOfCoordinate

LOOKED_AT = 256
"""So many points are drawn where all is promising and, if need be, as many where each parameter is."""
NOTHING = math.log(2.0 * WRONG)
"""Below this a hunch says no more of a point than the part of it that says nothing."""


def of_promising_points(tree: Node, spec: Spec) -> Iterator[Complaint]:
    """A remark where no feasible point is promising in each parameter, as far as was looked: on those that
    are promising at none or, where there are no such, on all of them together. Not where only so many may be
    used: of what is used it is said where that is promising.
    """
    space = build_space(spec)
    hunch = None if space.ties is None or space.domain.faces is not None else hunch_of_points(space)
    if hunch is None:
        return
    domain = held_within(space, spec.held) or space.domain
    each = {j: one for j, one in hunch.each.items() if not domain.is_held[j]}
    if not each or (_logs(each, list(each), domain).min(axis=1) >= NOTHING).any():
        return
    looked_at = np.vstack([_logs(each, [j], domain) for j in each])
    if (looked_at.min(axis=1) >= NOTHING).any():
        return
    alone = [space.names[j] for j, logs in zip(each, looked_at.T, strict=True) if (logs < NOTHING).all()]
    names = alone or [space.names[j] for j in each]
    where = f"`{names[0]}` is promising" if len(names) == 1 else f"{listed(names, 'and')} are promising"
    together = "" if alone else " together"
    sentence = f"the constraints leave nothing of where {where}{together}: are all of these meant?"
    yield Complaint(find_key(tree, ("parameters", names[0], "promising")), sentence)


def _logs(each: Mapping[int, HunchOfCoordinate], promising: Sequence[int], domain: Domain) -> FloatArray:
    """(n, H) how promising feasible points are in each parameter, as logarithms, 0 where it does not count:
    points drawn all over, but in the parameters that are to be ``promising`` as the hunches say, and moved to
    where the constraints hold, near by.
    """
    rng = np.random.default_rng(0)
    points = domain.sample(LOOKED_AT, rng)
    for j in promising:
        points[:, j] = each[j].drawn.quantiles(rng.random(LOOKED_AT))
    points = domain.snap(points)
    counts = domain.active(points)
    return np.column_stack([np.where(counts[:, j], one.log(points[:, j]), 0.0) for j, one in each.items()])
