"""Which problems' sums the models of `auto` see."""

from __future__ import annotations

from dataclasses import replace

from orchestrator.algorithms.base import Problem


def seeing_sums(problem: Problem) -> Problem:
    """A problem with its sums in the embedding, each with a length-scale of its own. Without, where settings
    are off, by which a sum is off by what several are, and where factors are known, of which it is in none.
    """
    if problem.off is not None or problem.factors is not None:
        return problem
    return replace(problem, domain=problem.domain.seeing(problem.sums))
