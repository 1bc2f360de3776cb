"""Hyperband, each of its brackets asynchronous (Li et al. 2018, 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from orchestrator.algorithms.halving.brackets import Bracket, brackets_of
from orchestrator.algorithms.halving.halving_search import HalvingSearch


class Hyperband(HalvingSearch):
    """Brackets, of which one begins at each rung: from one that has very many settings begin where looks cost
    least, to one that looks at all of its own at full fidelity. So nobody has to know how little a cheap look
    tells.

    Source: Li et al. 2018, Algorithm 1, with as many settings in each bracket as its Table 1 has; the
    brackets one after another, each as `Asha` has it (Li et al. 2020, Section 3.2).

    Deviations: those of `Asha`. Nobody waits for the end of a bracket: once as many settings as it is to have
    have begun, new ones begin in the next, while those before it have theirs go on, first of all those that
    look closest. After the last bracket the first has its turn again, and its settings are compared with
    those of the rounds before.
    """

    name: ClassVar[str] = "hyperband"

    def _brackets_of(self, rungs: int) -> Sequence[Bracket]:
        return brackets_of(rungs, self._reduction)
