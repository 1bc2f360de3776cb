"""Functions that are drawn of what is believed of outcomes, held against what these were measured to be: a
function counts the more at each of some settings the better it fits there.

Settings that are plausible by a fit are so by all that is believed of outcomes. Of these, those are plausible
there that are near the targets: without it outcomes would be spread as if nothing had been measured but for
the parameters.

Notation: K functions, N settings, each drawn of how plausible it is.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray


def weights_by_misfit(misfits: FloatArray) -> FloatArray:
    """(K, N) of (K, N) misfits, squares in errors, so that those of each setting are 1 on average."""
    weights = np.exp(-0.5 * (misfits - misfits.min(axis=0)))
    return np.asarray(weights / weights.mean(axis=0))


def drawn_again(weights: FloatArray) -> tuple[IndexArray, IndexArray]:
    """(K,) of which functions, and (K, N) at which settings of each, so that each pair comes up as often as
    its (K, N) weights say. Settings lie in no order, so that steps of the same length are as good as luck.
    """
    count, settings = weights.shape
    functions = _even_steps(weights.mean(axis=1), count)
    columns = {k: _even_steps(weights[k], settings) for k in set(functions.tolist())}
    return functions, np.array([columns[k] for k in functions.tolist()])


def _even_steps(weights: FloatArray, count: int) -> IndexArray:
    """(count,) indices."""
    until = np.cumsum(weights)
    steps = (np.arange(count) + 0.5) / count * until[-1]
    return np.asarray(np.minimum(np.searchsorted(until, steps, side="right"), len(weights) - 1))
