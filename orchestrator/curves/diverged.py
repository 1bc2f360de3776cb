"""How an evaluation will probably end whose quantity has become NaN or infinite, as of one that diverges.

Notation: n past evaluations that had been so too; k of them ended among the best.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtri

from orchestrator.curves.curve import Ended
from orchestrator.curves.forecast import LARGEST_DEVIATION, LEAST_CHANCE, Outlook, without_penalties


def outlook_of_diverged(past: Sequence[Ended], *, share: float, maximise: bool) -> Outlook | None:
    """How it will end; the best are this ``share`` in (0, 1) of the past.

    The chance is that of those before it, (k + `LEAST_CHANCE`) / (n + 1): one that was first so has hardly
    any, and where reports begin with an infinity that says nothing, it is soon known. How bad an end is,
    nobody can say: it is as the worst, as surely as the chance says. None where nothing sets ends apart, or
    where it is as likely as not to end among the best.
    """
    sign = 1.0 if maximise else -1.0
    # Halved: between the largest doubles there is no difference.
    ends = [sign * one.value / 2.0 for one in past]
    if not ends:
        return None
    among_best = float(np.quantile(ends, 1.0 - share))
    of_diverged = [end for end, one in zip(ends, past, strict=True) if one.diverged]
    recovered = sum(end >= among_best for end in of_diverged)
    chance = (recovered + LEAST_CHANCE) / (len(of_diverged) + 1)
    worse = [sign * one.value / 2.0 for one in without_penalties(past, sign)]
    worst, bar = min(worse), float(np.quantile(worse, 1.0 - share))
    sureness = -float(ndtri(chance))
    if sureness <= 0.0 or worst >= bar:
        return None
    deviation = min(2.0 * ((bar - worst) / sureness), LARGEST_DEVIATION)
    return Outlook(sign * (2.0 * worst), deviation, chance)
