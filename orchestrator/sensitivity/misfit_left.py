"""Whether the misfit that is left where a fit is best is what errors of targets let one expect."""

from __future__ import annotations

from typing import Literal, TypeAlias

from scipy.stats import chi2

MisfitIs: TypeAlias = Literal["as expected", "too large", "too small"]
RARELY = 0.01
"""How seldom a misfit has to be so large, or so small, by what errors let one expect."""


def misfit_is(misfit: float, expected: float, targets: int, parameters: int) -> MisfitIs:
    """Of the least ``misfit`` that was seen over so many ``targets``, by so many ``parameters``. If errors
    are right and the simulator can do it, that of the truth is as chi squared of the targets; of the best
    settings it is less, by as many as there are parameters. Where models have settings with no more than is
    ``expected``, these are to be found: trials need not be where the fit is best.
    """
    if chi2.sf(min(misfit, expected), targets) < RARELY:
        return "too large"
    free = targets - parameters
    return "too small" if free > 0 and chi2.cdf(misfit, free) < RARELY else "as expected"
