"""Which limits that every trial is to keep one broke all the same."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial


def broke(policy: Policy, trial: Trial) -> Sequence[str]:
    """Those that a trial broke of which a number was told, as they are written."""
    measured = trial.value is not None and set(policy.results.outcomes) <= trial.extras.keys()
    return [text for text in policy.sought.kept if measured and text in trial.broken]


def broken_since_asked(state: State) -> bool:
    """Whether a limit was broken after the optimiser was last asked: what it answers knows nothing of it."""
    return any(broke(state.policy, trial) for trial in state.observed[state.optimiser.asked_knowing :])
