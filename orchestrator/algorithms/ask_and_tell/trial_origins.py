"""Whether a result is one of the start design, of the model, or of before a restart, by results alone.

Asks leave no trace in an algorithm, and a result does not say when its point was asked for, if it says that
it was. But trials are numbered as they are asked for, and the start design's point of a trial is known.
"""

from __future__ import annotations

import math
from enum import Enum, auto

import numpy as np

from orchestrator.algorithms.ask_and_tell.start_design import StartDesign
from orchestrator.algorithms.base import Observation, Problem
from orchestrator.algorithms.history import History
from orchestrator.arrays import FloatArray

# A float comes back on a grid that is at least as fine as this.
ROUNDED = 2.0**-16


class Origin(Enum):
    """``GIVEN``: by the start design or a person, or known from elsewhere, or tried on the way to another
    point. ``CHOSEN``: by the model. ``LEFT_BEHIND``: asked for before the last restart.
    """

    GIVEN = auto()
    CHOSEN = auto()
    LEFT_BEHIND = auto()


class TrialOrigins:
    """The origin of each result of a ``history`` as it is told, for an algorithm that asks the ``design``
    while it is not ready, and its model from then on, until it begins anew.

    After a trial of the present beginning come only others of it, and after one that the model chose only
    others that it chose. So each is to be recognised once: the first by its point.

    What the design gave in place of a point that was running may be taken for the model's, or as left behind.
    """

    def __init__(self, problem: Problem, design: StartDesign, history: History) -> None:
        self._parallel = problem.parallel
        self._design = design
        self._history = history
        self._is_continuous = problem.domain.is_continuous
        self._finite = math.isfinite(problem.domain.size)
        # Trials from these numbers on are of the present beginning, and the model's.
        self._begun: float = 0
        self._chosen: float = math.inf

    def begin_anew(self) -> None:
        """What is asked for from now on is of a new beginning."""
        self._begun = self._chosen = math.inf

    def of_last(self, told: Observation, ready: bool) -> Origin:
        """That of the result ``told`` last, to be asked once for each; ``ready`` is before it was learned."""
        trial = told.trial
        if trial < 0 or told.attached:
            return Origin.GIVEN
        if told.held:
            # It is not at the point that was chosen. Where trials lead to others none runs beside them.
            self._begun = min(self._begun, trial)
            return Origin.GIVEN
        if trial >= self._chosen:
            return Origin.CHOSEN
        if self._designed(trial, ready):
            self._begun = min(self._begun, trial)
            return Origin.GIVEN
        if trial < self._begun:
            return Origin.LEFT_BEHIND
        if ready:
            self._chosen = trial
            return Origin.CHOSEN
        return Origin.GIVEN

    def _designed(self, trial: int, ready: bool) -> bool:
        """Whether the last point is what the design gives for its trial."""
        if self._finite and self._parallel == 1 and ready and trial >= self._begun:
            # The model may choose the very point that the design would have given, and nothing comes late.
            return False
        if self._is_last(self._design.point(trial)):
            return True
        earlier = self._history.exclusion_before_last
        return self._finite and self._is_last(self._design.suggest(trial, earlier()).point)

    def _is_last(self, point: FloatArray) -> bool:
        away = np.abs(self._history.points[-1] - point)
        return bool((away <= np.where(self._is_continuous, ROUNDED, 0.0)).all())
