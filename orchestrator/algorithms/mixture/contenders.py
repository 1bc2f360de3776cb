"""Which of the points told to `auto` are the best: by their values or, where those are noisy or settings are
off, by belief.

Notation: D coordinates, n points, k of them in question.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.lower_bound import CAUTION
from orchestrator.algorithms.base import BelievedBest
from orchestrator.algorithms.gaussian_process.believed_best import Believed, believed_best, embedded
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.belief import Member
from orchestrator.algorithms.mixture.outcome_belief import OutcomeBelief
from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.settings_off import SettingsOff

# EI improves on the highest posterior mean among so many of the best points told: where values are noisy, of
# those believed best among so many of the highest values.
CONTENDERS, MOST_CONTENDERS = 10, 64
# Where settings are off, the highest values may be of narrow peaks, and none of them the best on average; and
# those of a block may all be high.
MOST_WHERE_OFF = 600
# Points that are looked at together: what is believed of them needs memory for each, and each result.
AT_ONCE = 1000


@dataclass(frozen=True, eq=False)
class Contenders:
    """What was told, as the ``leader`` of the mixture sees it for now; averages, where settings are ``off``.
    ``outcomes`` is what is believed of constraints on outcomes, if there are any.
    """

    domain: Domain
    history: History
    leader: Member
    noisy: bool
    outcomes: OutcomeBelief | None
    off: SettingsOff | None = None

    @property
    def by_belief(self) -> bool:
        """Whether points are judged by what is believed of them."""
        return self.noisy or self.off is not None

    @property
    def embedded_off(self) -> SettingsOff | None:
        """How embedded settings are off, if they are."""
        return None if self.off is None else self.off.embedded(self.domain)

    @property
    def best(self) -> FloatArray:
        """(k, D) the best points told, the highest first: by what they are believed to be, if that is what
        they are judged by.
        """
        if not self.by_belief or not self.history.satisfied:
            return self.history.best(CONTENDERS)
        lucky = self.history.points[self._lucky_rows]
        return lucky[np.argsort(-self.expected(lucky), kind="stable")[:CONTENDERS]]

    @property
    def believed(self) -> Believed:
        """By what points are judged if values are noisy, or settings off."""
        return self.expected if self.by_belief else None

    @property
    def believed_best(self) -> BelievedBest | None:
        """Of which trial, where settings are off by the lower bound of its average; None where values are
        what counts, and none was set aside, and while none may be the best.
        """
        told_by_value = not self.by_belief and not self.history.aside.any()
        if told_by_value or not self.history.satisfied:
            return None
        belief = embedded(self.domain, self.leader.posterior)
        caution = 0.0 if self.off is None else CAUTION
        return believed_best(self.history, belief, self.leader.scale, self._lucky_rows, caution=caution)

    def foremost(self, exact: float) -> int | None:
        """The number of the result that is best where values are, as likely as ``exact``, what was told, and
        else what is believed; None while none may be the best.
        """
        if not self.history.satisfied:
            return None
        rows = self._lucky_rows
        mean = self.leader.posterior.mean_at(self.domain.embed(self.history.points[rows]))
        told = self.leader.scale.apply(self.history.values[rows])
        return int(rows[int(np.argmax((1.0 - exact) * mean + exact * told))])

    def expected(self, points: FloatArray) -> FloatArray:
        """(n,) what the leader believes of (n, D) points, without noise, in the objective's units."""
        X = self.domain.embed(points)
        blocks = [self.leader.expected(X[start : start + AT_ONCE]) for start in range(0, len(X), AT_ONCE)]
        return np.concatenate(blocks)

    @property
    def _lucky_rows(self) -> IndexArray:
        """(k,) the numbers of the highest values that may be the best for all their noise: without those that
        broke constraints on outcomes but for luck, unless that is all of them.
        """
        luck_alone = self.off is None and not self.history.block_names
        rows = self.history.best_rows(MOST_CONTENDERS if luck_alone else MOST_WHERE_OFF)
        if self.outcomes is None:
            return rows
        likely = self.outcomes.likely(self.domain.embed(self.history.points[rows]))
        return rows[likely] if likely.any() else rows
