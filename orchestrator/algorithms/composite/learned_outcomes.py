"""What results taught a search of the outcomes, and of where an evaluation brings what may count."""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.acquisition.feasibility import LogFeasibility
from orchestrator.acquisition.outcome_draws import OutcomeGroup
from orchestrator.algorithms.composite.modelled_outcomes import ModelledOutcomes
from orchestrator.algorithms.outcomes.outcome_models import GroupFit


@dataclass(frozen=True, eq=False, slots=True)
class LearnedOutcomes:
    """What is ``modelled`` of outcomes, how each group was fitted, and the ``groups`` as all results leave
    them; None for ``feasibility`` where nothing is asked of outcomes and nothing failed.
    """

    modelled: ModelledOutcomes
    fits: tuple[GroupFit, ...]
    groups: tuple[OutcomeGroup, ...]
    feasibility: LogFeasibility | None

    @property
    def success(self) -> LogFeasibility | None:
        """How likely an evaluation succeeds, whatever is asked of its outcomes; None where nothing failed."""
        if self.feasibility is None or self.feasibility.success is None:
            return None
        return LogFeasibility([], self.feasibility.success)
