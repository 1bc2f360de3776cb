"""What can be saved from behind the damage of a journal: the trials as they stood at its end.

A line of suggestions says which trials were made of it (`first_trial`; without it, the asks are counted, as
long as none is missing), and a line of a result says its trial. So a value finds its parameters though the
lines between are lost. One whose parameters are not certain is not guessed at: it is dropped, and said.

What a person amended says all by itself, and is kept: budgets before the trials, which may need them, the
rest after.
"""

from __future__ import annotations

import typing
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from orchestrator.scheduler.events import (
    Amendment,
    BudgetAmended,
    Event,
    FailureArrived,
    JournalMended,
    ObservationsForgotten,
    ResultArrived,
    SavedTrial,
    Suggested,
    SuggestionsMade,
    TrialFoundHopeless,
    TrialRefused,
)
from orchestrator.scheduler.machine import trial_of
from orchestrator.scheduler.state import State


@dataclass(frozen=True, slots=True)
class Readable:
    """An event behind the damage, and its line in the file, from 1."""

    line: int
    event: Event


@dataclass(frozen=True, slots=True)
class Salvage:
    """The event that stands for what was saved, and a sentence for each thing that was not.

    ``amendments`` follow it. ``values`` counts the results that the event holds; ``again`` the trials to be
    evaluated again.
    """

    event: JournalMended
    amendments: tuple[Event, ...]
    values: int
    again: int
    dropped: tuple[str, ...]


@dataclass(slots=True)
class _Gathered:
    """What the lines behind the damage say of one trial."""

    result: ResultArrived | None = None
    failures: int = 0
    verdict: str = ""


@dataclass(slots=True)
class _Points:
    """The parameters of trials beyond those known, by number, as far as they are certain."""

    next: int | None
    asks: int
    by_number: dict[int, tuple[Suggested, int]] = field(default_factory=dict)

    def take(self, event: SuggestionsMade) -> None:
        """A line of suggestions; one that answers an ask again changed nothing."""
        if event.ask <= self.asks:
            return
        first = event.first_trial or (self.next if event.ask == self.asks + 1 else None)
        self.asks = event.ask
        if first is None or (self.next is not None and first < self.next):
            self.next = None
            return
        for number, suggested in enumerate(event.suggestions, start=first):
            self.by_number[number] = (suggested, event.ask)
        self.next = first + len(event.suggestions)


def budgets_behind(behind: Sequence[Readable]) -> list[BudgetAmended]:
    """The budgets that were amended behind the damage; to be handled before `salvage`."""
    return [readable.event for readable in behind if isinstance(readable.event, BudgetAmended)]


def salvage(state: State, behind: Sequence[Readable], *, lost: int, wall: str) -> Salvage:
    """Gather ``behind`` into one event that follows ``state``, which is that before the damage."""
    answered = state.asks - (1 if state.asking is not None else 0)
    points = _Points(next=len(state.trials) + 1, asks=answered)
    gathered: dict[int, _Gathered] = {}
    others: Counter[str] = Counter()
    dropped: list[str] = []
    amendments: list[Amendment] = []
    for readable in behind:
        event = readable.event
        match event:
            case SuggestionsMade():
                points.take(event)
            case ResultArrived() | FailureArrived() | TrialFoundHopeless():
                number = trial_of(event.lease)
                if number is None:
                    continue
                about = gathered.setdefault(number, _Gathered())
                if isinstance(event, ResultArrived):
                    about.result = about.result or event
                elif isinstance(event, FailureArrived):
                    about.failures += 1
                else:
                    about.verdict = event.reason
            case TrialRefused():
                gathered.setdefault(event.trial, _Gathered()).verdict = f"refused: {event.reason}"
            case BudgetAmended():
                pass
            case _ if isinstance(event, typing.get_args(Amendment)):
                amendments.append(typing.cast(Amendment, event))
            case _:
                others[type(event).__name__] += 1
    beyond, numbers = _beyond(state, points, gathered, dropped)
    saved = _known(state, gathered) + beyond
    dropped += [f"{count} {name} without a part in any value" for name, count in sorted(others.items())]
    end = max([state.at, *(readable.event.at for readable in behind)])
    event = JournalMended(at=end, wall=wall, lost=lost, asks=points.asks, trials=tuple(saved))
    settled = {one.number for one in saved if one.value is not None or one.message}
    unsettled = set(state.unsettled) | {one.number for one in saved}
    values = sum(one.value is not None for one in saved)
    following = [_as_numbered_now(replace(one, at=end), len(state.trials), numbers) for one in amendments]
    return Salvage(event, tuple(following), values, len(unsettled - settled), tuple(dropped))


def _as_numbered_now(amendment: Amendment, known: int, numbers: Mapping[int, int]) -> Amendment:
    if not isinstance(amendment, ObservationsForgotten):
        return amendment
    now = [
        one if one <= known else numbers[one] for one in amendment.trials if one <= known or one in numbers
    ]
    return replace(amendment, trials=tuple(now))


def _known(state: State, gathered: dict[int, _Gathered]) -> list[SavedTrial]:
    """Trials that the sound part holds, and that were settled behind the damage."""
    saved = []
    for number, trial in sorted(state.unsettled.items()):
        if number in gathered:
            suggested = Suggested(parameters=trial.parameters)
            one = _trial(state, number, suggested, trial.ask, gathered[number], trial.failures)
            if one.value is not None or one.message:
                saved.append(one)
    return saved


def _beyond(
    state: State, points: _Points, gathered: dict[int, _Gathered], dropped: list[str]
) -> tuple[list[SavedTrial], dict[int, int]]:
    """Trials made behind the damage, and the numbers they have from now on by those they had.

    A gap in their numbers is closed. Where they are more than the budget, those without a value go first.
    """
    saved: list[SavedTrial] = []
    numbers: dict[int, int] = {}
    budget = state.policy.trials
    room = len(points.by_number) if budget is None else max(0, budget - state.budgeted)
    valued = sum(was in gathered and gathered[was].result is not None for was in points.by_number)
    room_for_others = max(0, room - valued)
    for was in sorted(points.by_number):
        suggested, ask = points.by_number[was]
        about = gathered.get(was, _Gathered())
        if about.result is None:
            room_for_others -= 1
        if len(saved) >= room or (about.result is None and room_for_others < 0):
            lost = "" if about.result is None else f", with its value {about.result.value!r}"
            dropped.append(f"trial {was}{lost}: it is beyond the budget of {budget}")
            continue
        number = numbers[was] = len(state.trials) + len(saved) + 1
        saved.append(_trial(state, number, suggested, ask, about, 0))
        if was != number:
            dropped.append(f"the number of trial {was}: it is trial {number} from now on")
    for was, about in sorted(gathered.items()):
        if was > len(state.trials) and was not in points.by_number and about.result is not None:
            dropped.append(
                f"the value {about.result.value!r} of trial {was}, from {about.result.worker}: the line with "
                "its parameters is lost"
            )
    return saved, numbers


def _trial(
    state: State, number: int, suggested: Suggested, ask: int | None, about: _Gathered, failures: int
) -> SavedTrial:
    if about.result is not None:
        result = about.result
        return SavedTrial(
            number=number,
            suggested=suggested,
            ask=ask,
            value=result.value,
            variance=result.variance,
            factors=result.factors,
            extras=result.extras,
            elapsed=result.elapsed,
            worker=result.worker,
        )
    message = about.verdict
    if not message and failures + about.failures >= state.policy.attempts:
        message = f"failed {failures + about.failures} times"
    return SavedTrial(number=number, suggested=suggested, ask=ask, message=message)
