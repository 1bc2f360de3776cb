"""ASHA: asynchronous successive halving (Li et al. 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from orchestrator.algorithms.halving.brackets import Bracket, one_bracket
from orchestrator.algorithms.halving.halving_search import HalvingSearch


class Asha(HalvingSearch):
    """Whoever is asked looks more closely at settings that are among the best 1/reduction of those looked at
    as closely, and were not looked at more closely yet; of the closest rung at which there are any. Where
    there are none, it looks at new settings, at the lowest rung.

    Source: Li et al. 2020, Algorithm 2, with the early-stopping rate s = 0: ``rungs`` says where to begin.

    Deviations: new settings are a Sobol sequence in place of random ones. Rungs lie evenly between the least
    cost and the highest, by the power of ``reduction`` that comes nearest; those of few levels are fewer.
    Settings that failed are the worst of their rung, after those that break constraints on outcomes, by how
    much, and no failure goes on. What is known beforehand stands at the rung at which it was looked at. When
    a finite space has no new settings left, the best that wait go on, whatever their share.
    """

    name: ClassVar[str] = "asha"

    def _brackets_of(self, rungs: int) -> Sequence[Bracket]:
        return one_bracket(rungs, self._reduction)
