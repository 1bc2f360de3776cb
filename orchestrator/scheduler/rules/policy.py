"""What the spec decides for the scheduler."""

from __future__ import annotations

from dataclasses import dataclass, field

from orchestrator.scheduler.rules.budgets import Budget
from orchestrator.scheduler.rules.evaluations import Evaluations
from orchestrator.scheduler.rules.mode import Mode
from orchestrator.scheduler.rules.places import away
from orchestrator.scheduler.rules.results_told import ResultsTold
from orchestrator.scheduler.rules.sought import Sought
from orchestrator.scheduler.rules.where import Where
from orchestrator.values.named import Values


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The rules of one run: when it ends, how many trials are under way at a time, what is made of those that
    fail, what results bring, what is sought, and where.
    """

    budget: Budget = field(default_factory=Budget)
    mode: Mode = field(default_factory=Mode)
    evaluations: Evaluations = field(default_factory=Evaluations)
    results: ResultsTold = field(default_factory=ResultsTold)
    sought: Sought = field(default_factory=Sought)
    where: Where = field(default_factory=Where)

    @property
    def no_trial_is_best(self) -> bool:
        """Whether what is best is another point than those of trials, and said by the optimiser, or none."""
        sought = self.sought
        return self.where.clock is not None or bool(sought.in_use) or sought.threshold is not None

    def elsewhere(self, parameters: Values) -> tuple[str, ...]:
        """The parameters of a point that keep it from being the best, whatever its value: the best one is at
        full fidelity, and where parameters are held.
        """
        return away(self.sought.full, parameters) + away(self.where.held, parameters)

    def target_reached(self, best: float) -> bool:
        """Whether the best value is at least as good as the target."""
        return self.budget.target is not None and not self.sought.better(self.budget.target, best)
