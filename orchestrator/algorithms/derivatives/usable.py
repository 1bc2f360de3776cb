"""Where a point may be used: constraints on outcomes are likely to hold, and an evaluation to succeed.

Notation: k points, E embedded columns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.feasibility import LogFeasibility
from orchestrator.arrays import BoolArray, FloatArray

_EVEN = np.log(0.5)


@dataclass(frozen=True, eq=False, slots=True)
class Usable:
    """By the probabilities of both."""

    log_probability: LogFeasibility

    def likely(self, X: FloatArray) -> BoolArray:
        """(k,) where the constraints are likelier satisfied than not, at (k, E) inputs."""
        return np.asarray(self.log_probability.of_slacks.values(X) > _EVEN)

    def likely_to_succeed(self, X: FloatArray) -> BoolArray:
        """(k,) where an evaluation is likelier to succeed than not."""
        success = self.log_probability.success
        return np.ones(len(X), dtype=bool) if success is None else np.asarray(success.values(X) > _EVEN)
