"""What `auto` does before it believes anything: its start design heeds related experiments, where good
settings were said to lie, how closely is looked, and workers that would wait for its last results.
"""

from __future__ import annotations

import math

import numpy as np

from orchestrator.algorithms.ask_and_tell.opening import Opening
from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Problem, Suggestion
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.fidelity_chooser import FidelityChooser
from orchestrator.algorithms.mixture.promising_design import PromisingDesign, of_a_hunch
from orchestrator.algorithms.mixture.related_start import RelatedStart
from orchestrator.unit_cube.domain import Domain


class AutoOpening(Opening):
    """Of a ``problem`` whose best point is ``sought`` in a domain, with what chooses the ``fidelity`` of each
    point, where there is a choice.
    """

    def __init__(
        self,
        problem: Problem,
        history: History,
        points: int,
        *,
        sought: Domain,
        fidelity: FidelityChooser | None,
    ) -> None:
        super().__init__(problem, history, points)
        self._parallel = problem.parallel
        self._sought = sought
        self._fidelity = fidelity
        if problem.hunch is not None:
            self.design = PromisingDesign(problem.domain, problem.seed, problem.hunch)
        self._related = RelatedStart(problem, self.design) if problem.related else None

    @property
    def is_told(self) -> bool:
        """See `Opening`. Where several run at a time, half of it, if all of the rest runs by then."""
        enough = max(self.points - (self._parallel - 1), math.ceil(self.points / 2))
        return self._history.designed() >= enough and self._history.successes > 0

    def suggest(self, turn: Turn) -> Suggestion:
        """See `Opening`. Of all fidelities, unless some of the parameters are held; or where a related
        experiment was best, or in the middle of where good settings were said to lie.
        """
        if isinstance(self.design, PromisingDesign):
            tried = np.vstack([self._history.points, turn.running])
            middle = self.design.within(turn.domain).middle(tried)
            if middle is not None and turn.exclusion.allows(middle[None, :])[0]:
                return of_a_hunch(middle)
        if self._fidelity is not None and turn.domain is self._sought:
            return self._fidelity.designed(self.design, turn)
        known_soon = self._history.designed() + len(turn.running)
        where_best = None if self._related is None else self._related.suggest(turn, known_soon)
        return where_best or super().suggest(turn)
