"""Whether additive structure that is known can be that of a problem."""

from __future__ import annotations

from orchestrator.algorithms.base import Problem
from orchestrator.surrogates.decompositions.factor_graph import faults


def unusable(problem: Problem) -> list[str]:
    """Sentences on why a problem's known factors cannot be; empty if they can, or none are known."""
    if problem.factors is None:
        return []
    found = faults(problem.factors, problem.domain.dimension, nested=True)
    return [f"the known factors cannot be used: {fault}" for fault in found]
