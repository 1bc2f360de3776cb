"""How likely those constraints on outcomes are satisfied that the best trial alone has to satisfy.

Notation: n results, k points, D coordinates.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.ask_and_tell.hallucination import in_all
from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.gaussian_process.drawn_models import DrawnModels, smooth
from orchestrator.algorithms.history import History
from orchestrator.algorithms.safe.drawn_slacks import broken, drawn_slack
from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.unit_cube.domain import Domain

# What stands for nothing where logarithms are taken.
TINY = 1e-300
# A point counts as one that satisfies them where it is likelier than this to do so.
LIKELY = 0.5


@dataclass(frozen=True, eq=False)
class BelievedConstraints:
    """By models of their ``slacks``: of none where every constraint is one that all trials keep."""

    domain: Domain
    slacks: tuple[DrawnModels, ...]

    @classmethod
    def of(cls, problem: Problem, history: History) -> BelievedConstraints:
        """Of those slacks of which something is known."""
        kept = {slack for limit in problem.kept for slack in limit.slacks}
        known = ~np.isnan(history.slacks).all(axis=0)
        numbers = [number for number in np.flatnonzero(known).tolist() if number not in kept]
        length_scale = smooth(problem.domain.dimension)
        return cls(
            problem.domain,
            tuple(drawn_slack(problem, history, number, length_scale) for number in numbers),
        )

    def log_likely(self, points: FloatArray) -> FloatArray:
        """(k,) the logarithm of the probability that all hold at (k, D) points, as if independent."""
        X = self.domain.embed(points)
        total = np.zeros(len(points))
        for model in self.slacks:
            total += np.log(np.maximum(1.0 - broken(model, X), TINY))
        return total

    def likely(self, points: FloatArray) -> BoolArray:
        """(k,) at which of (k, D) points all are likelier to hold than not."""
        return np.asarray(np.exp(self.log_likely(points)) > LIKELY)

    def beside(self, running: FloatArray) -> AbstractContextManager[None]:
        """Within the block (k, D) points that run count as come out as expected."""
        X = self.domain.embed(running)
        return in_all(model.hallucinating(X) for model in self.slacks)
