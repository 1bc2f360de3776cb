"""Sums of numbers of which only the logarithms can be held."""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray


def log_sum(logarithms: FloatArray) -> FloatArray:
    """(n,) log of the sum over k of exp of (k, n) ``logarithms``, the highest of which are finite."""
    highest = logarithms.max(axis=0)
    return np.asarray(highest + np.log(np.exp(logarithms - highest).sum(axis=0)))
