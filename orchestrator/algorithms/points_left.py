"""Of a finite space with exact values: how many points are left that were not tried. A second value at one
would tell nothing, so that a search ends with the last of them.

Notation: D coordinates, n points.
"""

from __future__ import annotations

from orchestrator.algorithms.exclusion import keys_in
from orchestrator.algorithms.problem import Problem
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain


def is_tried_once(problem: Problem) -> bool:
    """Whether a second evaluation of a point tells nothing: values are exact, and come of the point alone. Of
    outcomes, and of further objectives, it is not known that they are exact as well; rows have a rule of
    their own.
    """
    varied = (problem.fidelity, problem.clock, problem.in_use, problem.composite, problem.domain.rows)
    beside = problem.outcome_constraints or problem.further_objectives or problem.blocks or problem.compared
    return problem.noise.is_none and all(one is None for one in varied) and not beside


def points_left(domain: Domain, tried: FloatArray) -> float:
    """How many feasible points none of the (n, D) ``tried`` ones is; infinite where any coordinate is
    continuous. Of those that ties leave out as many as can be told are not counted. O(n log n).
    """
    if domain.size > 0 and len(tried) and not domain.is_continuous.any():
        points = domain.rounded(tried)
        return domain.size - len(set(keys_in(domain, points[domain.feasible(points)])))
    return domain.size
