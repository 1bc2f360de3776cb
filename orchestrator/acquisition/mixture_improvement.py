"""Expected improvement under a weighted mixture of beliefs that may measure values on different scales.

EI is linear in the belief, so that the mixture's is the weighted sum of its members', each brought from its
own scale to a common one by the slope there; its logarithm has gradients where EI underflows.

Notation: M members, E embedded columns, n points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.posterior import Acquisition
from orchestrator.arrays import FloatArray
from orchestrator.numerics.log_sum import log_sum


@dataclass(frozen=True, eq=False)
class LogMixtureImprovement:
    """At (n, E) inputs: values (n,) and gradients (n, E) of log sum_m w_m EI_m.

    ``parts`` are the logarithms of each member's improvement, of the objective or of the hypervolume;
    ``log_weights`` (M,) those of each member's probability times its units.
    """

    parts: Sequence[Acquisition]
    log_weights: FloatArray

    def values(self, X: FloatArray) -> FloatArray:
        return log_sum(self._weighed(part.values(X) for part in self.parts))

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        found = [part.values_and_gradients(X) for part in self.parts]
        logs = self._weighed(values for values, _ in found)
        highest = logs.max(axis=0)
        shares = np.exp(logs - highest)
        total = shares.sum(axis=0)
        gradients = np.einsum("mn,mne->ne", shares / total, np.array([slopes for _, slopes in found]))
        return highest + np.log(total), gradients

    def exploration(self, X: FloatArray) -> FloatArray:
        """(n,) the members' shares of exploration, averaged by their parts of the sum."""
        logs = self._weighed(part.values(X) for part in self.parts)
        shares = np.exp(logs - logs.max(axis=0))
        own = np.array([part.exploration(X) for part in self.parts])
        return np.asarray((shares * own).sum(axis=0) / shares.sum(axis=0))

    def _weighed(self, values: Iterable[FloatArray]) -> FloatArray:
        """(M, n) log w_m EI_m of (n,) values of the parts."""
        return np.array(list(values)) + self.log_weights[:, None]
