"""Which budgets of a run are spent, as options of `orchestrator amend`: with them it goes on."""

from __future__ import annotations

from datetime import datetime

from orchestrator.runtime.unattended import later_bounds
from orchestrator.scheduler.standing import ROUNDING, gain_spent, out_of_patience
from orchestrator.scheduler.state import State
from orchestrator.values.finite import written


def what_to_amend(state: State) -> str:
    """The options of `orchestrator amend` for each budget that is spent: one left so ends the run anew."""
    policy, best = state.policy, state.found.best
    reached = best is not None and best.value is not None and policy.target_reached(best.value)
    spent = {
        "--target VALUE": reached,
        "--patience N": out_of_patience(state),
        "--expected-gain VALUE": bool(gain_spent(state)),
        "--time DURATION": policy.budget.time_s is not None and state.at >= policy.budget.time_s,
        "--trials N": policy.budget.trials is not None and state.budgeted >= policy.budget.trials,
        "--cost N": policy.budget.cost is not None and state.tally.spent >= policy.budget.cost - ROUNDING,
    }
    if policy.where.clock is not None and (later := later_bounds(state, datetime.now().astimezone())):
        spent[f"--bounds {policy.where.clock.parameter}={written(later[0])},{written(later[1])}"] = True
    return " ".join(option for option, is_spent in spent.items() if is_spent) or "--bounds NAME=LOW,HIGH"
