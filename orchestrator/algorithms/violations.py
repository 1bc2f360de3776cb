"""By how much results fall short of constraints on their outcomes.

Notation: n results, C slacks, at least 0 where a constraint is satisfied.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray


def violations(slacks: FloatArray) -> FloatArray:
    """(n,) of (n, C) slacks: what each lacks, as a part of its deviation over all results, added up; infinite
    where a slack is not known, or nobody can say by how much it falls short.
    """
    lacking = np.zeros(len(slacks))
    for column in slacks.T:
        known = column[np.isfinite(column)]
        spread = float(known.std()) if len(known) else 0.0
        lacking += np.where(np.isnan(column), np.inf, np.maximum(-column, 0.0) / (spread or 1.0))
    return lacking
