"""How many points a search begins with that has no options to say so."""

from __future__ import annotations

from orchestrator.algorithms.problem import Problem


def start_points(problem: Problem, default: int) -> int:
    """As the problem says, or else as many as the algorithm would take by itself."""
    return default if problem.start_points is None else problem.start_points
