"""What people decided behind the damage of a journal, as far as what they decided over is still there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from typing import TypeAlias

from orchestrator.scheduler.amendment_events import (
    Amendment,
    ConstraintsAmended,
    ObservationsForgotten,
    PointsAdded,
    TravelAmended,
    ValuesAmended,
)
from orchestrator.scheduler.comparison_events import ComparisonTakenBack, ComparisonTold, TrialCarriedOut
from orchestrator.scheduler.event_parts import ValuedAnew
from orchestrator.scheduler.events import (
    Event,
    FailureArrived,
    LeaseExpired,
    ResultArrived,
    TrialApproved,
    TrialRefused,
)
from orchestrator.scheduler.job_events import JobEvent
from orchestrator.scheduler.leases import trial_of
from orchestrator.scheduler.mending_events import JournalMended
from orchestrator.scheduler.rules.places import place_words
from orchestrator.scheduler.state import State
from orchestrator.scheduler.words.trial_names import trial_names

Salvageable: TypeAlias = Amendment | TrialApproved | ComparisonTold | ComparisonTakenBack | JobEvent
"""What a person decided that is not saved with a trial, but said again; and what became of jobs, of which a
queue has some still.
"""


def taken_behind(events: Iterable[Event], numbers: Mapping[int, int]) -> tuple[tuple[str, str], ...]:
    """The requests behind the damage that settled a trial, or tried to: what came of them is saved with it.

    ``numbers`` are those that trials have now, by those they had; a decision over another is lost.
    """
    taken: list[tuple[str, str]] = []
    for event in events:
        match event:
            case JournalMended():
                taken += event.requests
            case PointsAdded() if event.request:
                taken.append((event.request, type(event).__name__))
            case TrialRefused(trial=was) | TrialCarriedOut(trial=was) if event.request and was in numbers:
                taken.append((event.request, type(event).__name__))
            case ResultArrived() | FailureArrived() if event.request and trial_of(event.lease) in numbers:
                taken.append((event.request, type(event).__name__))
    return tuple(taken)


def failed_since_approved(events: Iterable[Event]) -> frozenset[int]:
    """The trials of which an attempt failed, or was lost, after all that a person said of it."""
    failed = set[int]()
    for event in events:
        match event:
            case FailureArrived(lease=lease) | LeaseExpired(lease=lease, counts=True):
                failed.add(trial_of(lease) or 0)
            case TrialApproved(trial=was):
                failed.discard(was)
    return frozenset(failed)


@dataclass(frozen=True, slots=True)
class StillMeant:
    """What the decisions of people are about from now on.

    ``state`` is that before the damage. ``numbers`` are those that trials have now, by those they had;
    ``unsettled`` holds new ones, ``failed`` old ones, as `failed_since_approved` has them. For each thing
    that is lost, a sentence goes to ``dropped``.
    """

    state: State
    numbers: Mapping[int, int]
    unsettled: Set[int]
    failed: Set[int]
    dropped: list[str]

    def kept(self, decision: Salvageable) -> Salvageable | None:
        """It, as it is to be said now; None if nothing is left of it."""
        match decision:
            case TrialApproved(trial=was):
                now = self.numbers.get(was)
                if now is None:
                    self.dropped.append(f"that trial {was} is approved: the trial itself is lost")
                    return None
                if now not in self.unsettled:
                    return None
                if was in self.failed and self.state.started.approves_attempts:
                    self.dropped.append(f"that trial {was} is approved: it failed since")
                    return None
                return replace(decision, trial=now)
            case ComparisonTold() | ComparisonTakenBack():
                return self._comparison(decision)
            case ConstraintsAmended(added=added, of_outcomes=of_outcomes):
                there = {text: self._still_there(broken) for text, broken in added.items()}
                for text in of_outcomes:
                    # What it came to is lost, and with it that this is not satisfied.
                    there[text] = tuple(number for number in there[text] if number not in self.unsettled)
                return replace(decision, added=there)
            case ValuesAmended(anew=anew):
                return replace(decision, anew=tuple(self._valued(anew)))
            case TravelAmended(stands=stands) if stands:
                self.dropped.append(
                    f"that the machine stood at {place_words(stands)}: set it to where the last trial had it"
                )
                rest = replace(decision, stands={})
                return rest if rest.travel or rest.freed else None
            case ObservationsForgotten():
                meant = [
                    now
                    for was in decision.trials
                    if (now := self._forgotten(was, decision.reason)) is not None
                ]
                return replace(decision, trials=tuple(meant)) if meant else None
        return decision

    def _comparison(
        self, said: ComparisonTold | ComparisonTakenBack
    ) -> ComparisonTold | ComparisonTakenBack | None:
        pair = said.trial, said.other
        if lost := [was for was in pair if was not in self.numbers]:
            are = f"{trial_names(lost)} {'is' if len(lost) == 1 else 'are'} lost"
            self.dropped.append(f"how trials {said.trial} and {said.other} compare: {are}")
            return None
        trial, other = map(self.numbers.__getitem__, pair)
        return replace(said, trial=trial, other=other)

    def _valued(self, anew: Iterable[ValuedAnew]) -> Iterator[ValuedAnew]:
        """What trials that are left come to, and known results of which it is certain which is meant: what
        others come to is computed again. One that is evaluated again comes to what it comes to then.
        """
        for one in anew:
            now = one.trial if self._is_known(one.trial) else self.numbers.get(one.trial)
            if now is not None and now not in self.unsettled:
                yield replace(one, trial=now)

    def _is_known(self, was: int) -> bool:
        """Whether it is a known result that came before the damage, and so is called as it was."""
        return -self.state.tally.known < was < 1

    def _still_there(self, were: Iterable[int]) -> tuple[int, ...]:
        """What trials are called now, of those that are left, and known results."""
        now = {was: self.numbers.get(was) if was > 0 else was for was in were}
        return tuple(number for number in now.values() if number is not None)

    def _forgotten(self, was: int, reason: str) -> int | None:
        now = self.numbers.get(was)
        if self._is_known(was):
            return was
        if was < 1:
            self.dropped.append(
                f"that known result {was} is forgotten ({reason}): which one is meant is not certain, "
                "because lines before it are lost"
            )
        elif now is None:
            self.dropped.append(f"that trial {was} is forgotten ({reason}): the trial itself is lost")
        elif now in self.unsettled:
            self.dropped.append(
                f"that what came of trial {was} is forgotten ({reason}): that itself is lost, and the trial "
                "is evaluated again"
            )
        else:
            return now
        return None
