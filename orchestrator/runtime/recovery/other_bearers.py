"""The numbers of trials that others had before a journal was mended, whose leases workers may still hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orchestrator.runtime.recovery.trials_behind import TrialsBehind
from orchestrator.scheduler.events import (
    Event,
    FailureArrived,
    LeaseExpired,
    ResultArrived,
    RunResumed,
    WorkerJoined,
    WorkerLeft,
)
from orchestrator.scheduler.leases import attempt_of, own_leases, trial_of
from orchestrator.scheduler.mending_events import JournalMended, OtherBearers
from orchestrator.scheduler.state import State

OUTCOMES = ResultArrived | FailureArrived | LeaseExpired


@dataclass(frozen=True, slots=True)
class LostLines:
    """How many lines of a journal are lost, and how many of them since one said how many trials there were:
    of trials that were made by these there may be no word left.
    """

    number: int
    unheard: int = 0


def other_bearers(
    before: State, behind: Sequence[Event], trials: TrialsBehind, numbers: Mapping[int, int], lost: LostLines
) -> OtherBearers:
    """Of the numbers that trials have from now on, or will have, those that others had, or may have had.

    ``numbers`` are those from now on of the trials made behind the damage, by those that they had.
    """
    there = len(before.trials) + len(numbers)
    moved = [now for was, now in numbers.items() if was != now]
    mended = [event for event in behind if isinstance(event, JournalMended)]
    told = OtherBearers()
    for event in mended:
        told = told.beside(event.others)
    held = [
        trial_of(lease) or 0 for one in behind if isinstance(one, WorkerJoined) for lease in own_leases(one)
    ]
    last = max([there, *trials.made, *trials.fates]) + lost.unheard * _at_once(before, trials)
    last = max([last, *held])
    if not moved and last <= there:
        return told
    # Each further lease of a trial follows from one of these, or from a line that is, or was, lost.
    again = sum(
        isinstance(event, FailureArrived | LeaseExpired | WorkerLeft | RunResumed) for event in behind
    )
    known = max([before.others.leases, told.leases, *map(_attempt, behind)])
    leases = known + 1 + again + lost.number + sum(event.lost for event in mended)
    return OtherBearers(min([*moved, there + 1]), last, leases).beside(told)


def _at_once(before: State, trials: TrialsBehind) -> int:
    """How many trials were made by one line, at most."""
    asks = [trial.ask for trial in before.trials.values()] + [made.ask for made in trials.made.values()]
    return max([before.policy.mode.batch, *Counter(ask for ask in asks if ask is not None).values()])


def _attempt(event: Event) -> int:
    """The one that an event is of; 0: of none."""
    if not isinstance(event, OUTCOMES) or trial_of(event.lease) is None:
        return 0
    return attempt_of(event.lease)
