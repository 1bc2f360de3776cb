"""Whether evaluations that succeeded all fail by now, in the same words, as where a licence was lost."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import dropwhile, takewhile
from typing import Final

from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState
from orchestrator.scheduler.trial import Trial

AFTER_VALUES: Final = 2
"""Times as many failures as without any value: an optimiser may have to learn where evaluations fail."""
BY_CHANCE: Final = 1e-3
"""So many are no likelier than this, by how many failed before."""
_NUMBER: Final = re.compile(r"[-+]?\d[\d.,]*(?:[eE][-+]?\d+)?")


def all_fail_alike(state: State) -> list[Trial]:
    """The last trials, where they all failed in the same words, as none before a value, one after the other,
    in this life of the run, and are too many for that to be the fault of their points; else none.
    """
    limit = state.policy.evaluations.give_up_after
    if not state.started.gives_up_alike or limit is None or not state.tally.completed:
        return []
    if state.tally.out_of_attempts < AFTER_VALUES * limit:
        return []
    trials = _latest(state)
    alike: list[Trial] = []
    before: list[Trial] = []
    for trial in trials:
        if len(alike) == state.tally.out_of_attempts or not _is_alike(state, trial, alike):
            before.append(trial)
            break
        alike.append(trial)
    # Points that a person gives come in an order, as of a sweep, and may well fail one after the other.
    row = sum(trial.ask is not None for trial in alike)
    if row < AFTER_VALUES * limit:
        return []
    # Those of an earlier life, in the same words, tell no more than these.
    before = list(dropwhile(lambda trial: _is_alike(state, trial, alike), (*before, *trials)))
    # What failed so before others succeeded was the fault of its point, and others may lie beside it.
    if any(_is_alike(state, trial, alike) for trial in dropwhile(_has_failed, before)):
        return []
    return alike if is_no_chance(row, sum(map(_has_failed, before)), len(before)) else []


def what_failed(alike: list[Trial]) -> str:
    """How many, and with what the last of them."""
    return f"{len(alike)} trials failed one after the other, all with: {_said(alike[0])}"


def is_no_chance(row: int, failed: int, before: int) -> bool:
    """Whether so many failures in a row are not to be expected anywhere in a run in which ``failed`` of those
    ``before`` did: by any share of failures that these leave possible, all alike at first, and for as many
    rows as began with a value.
    """
    likely = math.prod((failed + 1 + further) / (before + 2 + further) for further in range(row))
    return likely * max(1, before - failed) <= BY_CHANCE


def failed_alike(state: State) -> list[int]:
    """The numbers of the trials for which a run stopped, and of those that failed so while it did."""
    newest_first = list(_latest(state))
    those = [trial for trial in newest_first if trial.number in state.tally.failing_alike]
    later = takewhile(lambda trial: trial.number not in state.tally.failing_alike, newest_first)
    return sorted(trial.number for trial in (*those, *later) if _is_alike(state, trial, those))


def _latest(state: State) -> Iterator[Trial]:
    """What was observed of trials, the last first."""
    return (one for one in reversed(state.observed) if one.number > 0 and not one.forgotten)


def _has_failed(trial: Trial) -> bool:
    return trial.state is TrialState.FAILED


def _is_alike(state: State, trial: Trial, others: list[Trial]) -> bool:
    """Whether it failed at its last attempt, and as the others, but for numbers in what is said."""
    exhausted = _has_failed(trial) and trial.attempts.failed >= state.policy.evaluations.attempts
    return exhausted and (not others or _words(trial) == _words(others[0]))


def _words(trial: Trial) -> str:
    return _NUMBER.sub("#", _said(trial))


def _said(trial: Trial) -> str:
    return trial.message.partition("\n")[0] or "no reason given"
