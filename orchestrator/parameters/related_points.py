"""Results of related experiments in the unit cube, of parameters of which some may be missing.

Notation: D parameters, N results.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.parameters.space import Space
from orchestrator.values.named import Values

ANYWHERE = 0.5


def related_points(space: Space, told: Sequence[Values], missing: Sequence[str]) -> FloatArray:
    """(N, D) positions, NaN of those parameters that the experiment did not have; of one that does not count
    there, anywhere. Raises SpecError for values that are none of the parameters'.
    """
    points = np.full((len(told), len(space.parameters)), np.nan)
    for j, parameter in enumerate(space.parameters):
        if parameter.name in missing:
            continue
        for i, values in enumerate(told):
            if parameter.name in values:
                points[i, j] = parameter.encode(parameter.nearest(values[parameter.name]))
            else:
                points[i, j] = ANYWHERE
    return points
