"""In which order results of one objective stand: what satisfies constraints, what does not, what failed.

Notation: n results, C slacks.
"""

from __future__ import annotations

import numpy as np

from orchestrator.algorithms.violations import violations
from orchestrator.arrays import FloatArray


def standings(values: FloatArray, slacks: FloatArray) -> FloatArray:
    """(n, 2), the less the better, the first column first, of (n,) values, NaN where an evaluation failed,
    and (n, C) slacks: by value among those that satisfy the constraints on outcomes, by what they lack among
    the others, and alike among failures. Nothing counts but the order of the values.
    """
    failed, satisfying = np.isnan(values), (slacks >= 0.0).all(axis=1)
    group = np.where(failed, 2.0, np.where(satisfying, 0.0, 1.0))
    within = np.where(satisfying, -values, violations(slacks))
    return np.column_stack([group, np.where(failed, 0.0, within)])


def best_first(standing: FloatArray) -> np.ndarray:
    """(n,) the rows in order; of equal ones the first told leads."""
    return np.lexsort((standing[:, 1], standing[:, 0]))
