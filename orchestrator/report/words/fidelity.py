"""What is said of trials that look less closely than the best one has to, and of what trials cost."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from orchestrator.report.words.wording import counted, duration, finite_number, number
from orchestrator.scheduler.rules.places import away
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.values.percent import percent

# Of the values that are chosen from, so many are said with their costs.
SHOWN = 4


@dataclass(frozen=True, slots=True)
class LookCosts:
    """What is believed of what evaluations cost, where that is learned: at the ``values`` of the parameter,
    full fidelity last, the ``costs`` in parts of one there, which takes so many ``seconds``, as far as that
    is known from so many ``evaluations``.
    """

    values: tuple[object, ...]
    costs: tuple[float, ...]
    seconds: float | None
    evaluations: int

    @property
    def by_value(self) -> dict[str, float]:
        """For programs."""
        return {str(value): cost for value, cost in zip(self.values, self.costs, strict=True)}

    @property
    def words(self) -> str:
        """``learned from 14 evaluations: 400 takes 12 s, 20 costs 0.25 %, 60 costs 2 % of that``."""
        if self.seconds is None:
            return "to be learned from how long evaluations take"
        less = list(zip(self.values, self.costs, strict=True))[:-1]
        shown = less[:: max(1, math.ceil(len(less) / SHOWN))]
        costs = [f"{number(value)} costs {percent(cost, 2)}" for value, cost in shown]
        full = f"{number(self.values[-1])} takes {duration(self.seconds)}"
        whence = f"learned from {counted(self.evaluations, 'evaluation')}"
        return f"{whence}: {full}" + (f", {', '.join(costs)} of that" if costs else "")


@dataclass(frozen=True, slots=True)
class Spending:
    """What trials cost so far, in evaluations at full fidelity, and the ``budget`` of that, if there is one;
    ``full`` counts the completed ones at full fidelity. ``looks``: what is learned of costs, if it is.
    """

    spent: float
    budget: float | None
    full: int
    looks: LookCosts | None = None

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
    if not state.policy.sought.full:
        return None
    return Spending(state.tally.spent, state.policy.budget.cost, full, _learned(state))


def _learned(state: State) -> LookCosts | None:
    """As the optimiser said it last."""
    told = state.optimiser.insight.get("looks")
    if not isinstance(told, Mapping):
        return None
    values, costs = tuple(told["values"]), tuple(map(float, told["costs"]))
    return LookCosts(values, costs, finite_number(told.get("seconds")), int(told["evaluations"]))


def completed_in_full(state: State) -> int:
    """How many completed trials are at full fidelity."""
    trials = state.trials.values()
    return sum(trial.value is not None and is_full(state.policy, trial) for trial in trials)


def settled_cost(state: State) -> float:
    """What the settled trials cost together."""
    return state.tally.spent - sum(trial.cost for trial in state.unsettled.values())


def is_full(policy: Policy, trial: Trial) -> bool:
    """Whether a trial is at full fidelity."""
    return not away(policy.sought.full, trial.parameters)
