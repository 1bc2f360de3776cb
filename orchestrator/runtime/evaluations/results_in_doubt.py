"""What results say that can be used, and is probably not what was meant: each is said once in a life."""

from __future__ import annotations

import math
from collections.abc import Mapping

from orchestrator.scheduler.events import ResultArrived
from orchestrator.scheduler.leases import trial_of
from orchestrator.spec.model import Spec
from orchestrator.values.derivatives import DERIVATIVES, column_of, misspelt_derivative

ROUNDED = 1e-3
"""By which share of their size factors may miss their sum: programs print few digits of either."""
_DEVIATIONS = 4.0


class ResultsInDoubt:
    """Hears each result as it came."""

    def __init__(self, spec: Spec) -> None:
        self._has_factors = spec.factors is not None
        self._derivatives = spec.derivatives_by
        self._parameters = tuple(spec.parameters)
        self._outcomes = spec.outcomes
        self._hears_of_derivatives = True

    def heard(self, result: ResultArrived) -> list[str]:
        """What is to be said of it now, in sentences."""
        trial = trial_of(result.lease)
        said: list[str] = []
        if self._has_factors and (complaint := _off_their_sum(result)):
            self._has_factors = False
            said.append(f"trial {trial}: {complaint}")
        if self._hears_of_derivatives and (complaint := self._misspelt(result.extras)):
            self._hears_of_derivatives = False
            said.append(f"trial {trial}: {complaint}; it is kept, and nothing is learned from it")
        return said

    def _misspelt(self, extras: Mapping[str, object]) -> str:
        together = extras.get(DERIVATIVES)
        known = together if isinstance(together, Mapping) else {}
        names = self._derivatives
        if not names and any(column_of(name) in extras for name in self._parameters):
            # Of one parameter it has some: those by others would be called so as well.
            names = self._parameters
        return misspelt_derivative(extras, [name for name in names if name not in known], self._outcomes)


def _off_their_sum(result: ResultArrived) -> str:
    """Why the values of factors cannot be parts of the value, beyond what rounding, or the noise that was
    reported, makes of it; or nothing. Noise that nobody reported is no excuse: a value is the sum of its
    parts as they were measured.
    """
    if result.value is None or not result.factors:
        return ""
    # Penalties may add up to what is beyond a float: infinite then, of which nothing is said.
    total = sum(result.factors)
    size = max(abs(result.value), sum(map(abs, result.factors)))
    spread = ROUNDED * size + _DEVIATIONS * math.sqrt(max(0.0, result.variance or 0.0))
    # What is no number is said to be none elsewhere.
    if not abs(total - result.value) > spread:
        return ""
    other_sign = abs(total + result.value) <= spread
    hint = "they have the other sign" if other_sign else "each part has to count towards the value as it is"
    return (
        f"expected values of factors that add up to the value, {result.value:.6g}, got {total:.6g} of "
        f"{len(result.factors)}: {hint}, and what is learned of the factors is amiss; return what they add "
        "up to as the value, in its unit, or leave `factors` out"
    )
