"""Of a finite space with exact values: how many points are left that were not tried. A second value at one
would tell nothing, so that a search ends with the last of them.

Notation: D coordinates, n points.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from orchestrator.algorithms.exclusion import keys_in
from orchestrator.algorithms.problem import Problem
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain


def is_tried_once(problem: Problem, outcomes: Sequence[str]) -> bool:
    """Whether a second evaluation of a point tells nothing: values are exact, and come of the point alone. Of
    ``outcomes``, by name, constrained or not, and of further objectives, it is not known that they are exact
    as well; rows have a rule of their own. A spec is asked by `orchestrator.spec.tried_once`.
    """
    varied = (problem.fidelity, problem.clock, problem.in_use, problem.composite, problem.domain.rows)
    beside = outcomes or problem.further_objectives or problem.blocks or problem.compared
    return problem.noise.is_none and all(one is None for one in varied) and not beside


def points_left(domain: Domain, tried: FloatArray) -> float:
    """How many feasible points of a domain, or of the part of one where parameters are held, none of the
    (n, D) ``tried`` ones is; infinite where any coordinate is continuous. Of those that ties leave out as
    many as can be told are not counted. O(n log n).
    """
    if domain.is_continuous.any():
        return math.inf
    if domain.size > 0 and len(tried):
        points = domain.rounded(tried[domain.contains(tried)])
        return domain.size - len(set(keys_in(domain, points[domain.feasible(points)])))
    return domain.size
