"""By how much results fall short of constraints on their outcomes.

Notation: n results, C slacks, at least 0 where a constraint is satisfied.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray

# A deviation under this part of the magnitude is rounding: that of tenths which are all equal is not quite 0.
RESOLUTION = 1e-14


def violations(slacks: FloatArray) -> FloatArray:
    """(n,) of (n, C) slacks: what each lacks, as a part of its deviation over all results, added up; infinite
    where a slack is not known, or nobody can say by how much it falls short.
    """
    lacking = np.zeros(len(slacks))
    for column in slacks.T:
        known = column[np.isfinite(column)]
        spread = float(known.std()) if len(known) else 0.0
        unit = spread if spread > RESOLUTION * np.abs(known).max(initial=0.0) else 1.0
        lacking += np.where(np.isnan(column), np.inf, np.maximum(-column, 0.0) / unit)
    return lacking
