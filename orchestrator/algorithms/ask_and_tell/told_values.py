"""Values that were told, and how models see them: standardised, with something in place of failures.

Notation: n results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.history import History
from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.surrogates.scales.standardise import Standardisation

# What a failed evaluation counts as, in standardised units, to a model that is told of it.
AVERAGE = 0.0


@dataclass(frozen=True, eq=False, slots=True)
class ToldValues:
    """(n,) values (NaN: failed) and (n,) noise variances (0 as far as nobody knows), in the objective's
    units; ``foreseen`` (n,) are those of evaluations that were stopped, None: of none.
    """

    values: FloatArray
    variances: FloatArray
    foreseen: BoolArray | None = None

    @classmethod
    def of(cls, problem: Problem, history: History, which: slice | Sequence[int] | IndexArray) -> ToldValues:
        """Of some results, with the noise that the problem says they have or that was told with them."""
        values, variances = history.values[which], history.variances[which]
        foreseen = history.foreseen[which]
        if problem.noise.kind == "known":
            known = problem.noise.standard_deviation**2
            variances = np.where(foreseen, np.maximum(variances, known), known)
        return cls(values, variances, foreseen)

    def typical_noise(self, scale: Standardisation) -> float:
        """The median of the noise variances that were told with values, standardised; 0 if all failed.

        Those of values that were only foreseen are forecasts', and not counted.
        """
        measured = ~np.isnan(self.values)
        if self.foreseen is not None:
            measured &= ~self.foreseen
        noise = self.standardised(scale)[1][measured]
        return float(np.median(noise)) if len(noise) else 0.0

    def standardised(
        self, scale: Standardisation, noise_of_a_failure: float = 0.0
    ) -> tuple[FloatArray, FloatArray]:
        """(n,) values and (n,) noise variances as a model on this scale sees them; a failure is an average
        value, and its noise is given, standardised.
        """
        failed = np.isnan(self.values)
        values = np.where(failed, 0.0, self.values)
        return (
            np.where(failed, AVERAGE, scale.apply(values)),
            np.where(failed, noise_of_a_failure, scale.apply_variance(values, self.variances)),
        )
