"""Whether evaluations that succeeded all fail by now, in the same words, as where a licence was lost."""

from __future__ import annotations

import re
from typing import Final

from orchestrator.scheduler.state import State, Trial
from orchestrator.scheduler.transitions import TrialState

AFTER_VALUES: Final = 2
"""Times as many failures as without any value: an optimiser may have to learn where evaluations fail."""
BY_CHANCE: Final = 1e-3
"""So many are no likelier than this, by how many failed before."""
_NUMBER: Final = re.compile(r"[-+]?\d[\d.,]*(?:[eE][-+]?\d+)?")


def all_fail_alike(state: State) -> str:
    """What the last trials all failed with, one after the other, in this life of the run, where these are too
    many to be the fault of their points; else nothing.
    """
    limit = state.policy.give_up_after
    if not state.gives_up_alike or limit is None or not state.completed:
        return ""
    alike, before = _last_and_before(state)
    if len(alike) < AFTER_VALUES * limit:
        return ""
    failed = sum(trial.state is TrialState.FAILED for trial in before)
    if ((failed + 1) / (len(before) + 2)) ** len(alike) > BY_CHANCE:
        return ""
    return f"{len(alike)} trials failed one after the other, all with: {_said(alike[0])}"


def failed_alike(state: State) -> list[int]:
    """The numbers of the trials that failed last, one after the other, in the same words."""
    return sorted(trial.number for trial in _last_and_before(state)[0])


def _last_and_before(state: State) -> tuple[list[Trial], list[Trial]]:
    """Those trials, the last first, and what was observed before them; none before where they are few."""
    trials = (one for one in reversed(state.observed) if one.number > 0 and not one.forgotten)
    alike: list[Trial] = []
    for trial in trials:
        if len(alike) == state.out_of_attempts or not _is_alike(state, trial, alike):
            few = len(alike) < AFTER_VALUES * (state.policy.give_up_after or 1)
            return alike, [] if few else [trial, *trials]
        alike.append(trial)
    return alike, []


def _is_alike(state: State, trial: Trial, others: list[Trial]) -> bool:
    """Whether it failed at its last attempt, and as the others, but for numbers in what is said."""
    exhausted = trial.state is TrialState.FAILED and trial.failures >= state.policy.attempts
    return exhausted and (not others or _words(trial) == _words(others[0]))


def _words(trial: Trial) -> str:
    return _NUMBER.sub("#", _said(trial))


def _said(trial: Trial) -> str:
    return trial.message.partition("\n")[0] or "no reason given"
