"""What is said of trials that look less closely than the best one has to, and of what trials cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from orchestrator.report.wording import number
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
    return Spending(state.spent, state.policy.cost, full) if state.policy.fidelity else None


def completed_in_full(state: State) -> int:
    """How many completed trials are at full fidelity."""
    trials = state.trials.values()
    return sum(trial.value is not None and is_full(state.policy, trial.broken) for trial in trials)


def settled_cost(state: State) -> float:
    """What the settled trials cost together."""
    return state.spent - sum(trial.cost for trial in state.unsettled.values())


def is_full(policy: Policy, broken: Iterable[str]) -> bool:
    """Whether full fidelity is not among what a trial lacks."""
    return not any(_is_fidelity(policy, one) for one in broken)


def lacking_words(policy: Policy, trial: Trial) -> str:
    """What keeps a trial from being the best: ``at cells = 40``, ``does not satisfy `lift >= 0.4```, or both;
    else nothing.
    """
    constraints = [one for one in trial.broken if not _is_fidelity(policy, one)]
    said = [] if is_full(policy, trial.broken) else [f"at {policy.fidelity} = {_value(policy, trial)}"]
    said += [unsatisfied(constraints)] if constraints else []
    return ", ".join(said)


def note_of_lacking(policy: Policy, broken: Sequence[str]) -> str:
    """The same beside the parameters: ``not at full fidelity and does not satisfy `lift >= 0.4```."""
    constraints = [one for one in broken if not _is_fidelity(policy, one)]
    said = [] if is_full(policy, broken) else ["not at full fidelity"]
    said += [unsatisfied(constraints)] if constraints else []
    return " and ".join(said)


def better_dots(policy: Policy, trials: Iterable[Trial]) -> str:
    """What a chart's legend says of dots that are no best, if there are any."""
    cheap = constrained = False
    for trial in trials:
        cheap |= not is_full(policy, trial.broken)
        constrained |= not all(_is_fidelity(policy, one) for one in trial.broken)
    said = "; dots better than it do not satisfy the constraints" if constrained else ""
    return f"{said}; small ones are not at full fidelity" if cheap else said


def unsatisfied(broken: Sequence[str]) -> str:
    """``does not satisfy `lift >= 0.4```: constraints as they were written."""
    return f"does not satisfy `{'`, `'.join(broken)}`"


def _is_fidelity(policy: Policy, broken: str) -> bool:
    # Constraints are inequalities.
    return bool(policy.fidelity) and broken.startswith(f"{policy.fidelity} = ")


def _value(policy: Policy, trial: Trial) -> str:
    return number(trial.parameters.get(policy.fidelity))
