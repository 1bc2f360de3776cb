"""What is said of trials that look less closely than the best one has to, and of what trials cost."""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.report.words.wording import number
from orchestrator.scheduler.places import away
from orchestrator.scheduler.policy import Policy
from orchestrator.scheduler.state import State, Trial


@dataclass(frozen=True, slots=True)
class Spending:
    """What trials cost so far, in evaluations at full fidelity, and the ``budget`` of that, if there is one;
    ``full`` counts the completed ones at full fidelity.
    """

    spent: float
    budget: float | None
    full: int

    @property
    def words(self) -> str:
        """``6.2 of 40``."""
        return number(self.spent, 3) + ("" if self.budget is None else f" of {number(self.budget)}")


def what_they_cost(evaluations: float, digits: int = 5) -> str:
    """``what 6.2 evaluations at full fidelity cost``."""
    many = number(float(evaluations), digits)
    return f"what {many} evaluation{' at full fidelity costs' if many == '1' else 's at full fidelity cost'}"


def spending_of(state: State, full: int) -> Spending | None:
    """None where all trials look equally closely; ``full`` as in `Spending`."""
    return Spending(state.spent, state.policy.cost, full) if state.policy.full else None


def completed_in_full(state: State) -> int:
    """How many completed trials are at full fidelity."""
    trials = state.trials.values()
    return sum(trial.value is not None and is_full(state.policy, trial) for trial in trials)


def settled_cost(state: State) -> float:
    """What the settled trials cost together."""
    return state.spent - sum(trial.cost for trial in state.unsettled.values())


def is_full(policy: Policy, trial: Trial) -> bool:
    """Whether a trial is at full fidelity."""
    return not away(policy.full, trial.parameters)
