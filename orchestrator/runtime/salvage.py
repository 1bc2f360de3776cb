"""What can be saved from behind the damage of a journal: the trials as they stood at its end.

A line of suggestions says which trials were made of it (`first_trial`; without it, the asks are counted, as
long as none is missing), and a line of a result says its trial. So a value finds its parameters though the
lines between are lost. One whose parameters are not certain is not guessed at: it is dropped, and said.

What people decided says all by itself, and is kept: budgets before the trials, which may need them, the rest
after. Where it is about a trial or a known result that is lost, or not certain, that is said.
"""

from __future__ import annotations

import typing
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from orchestrator.runtime.salvaged_decisions import Decision, StillMeant, taken_behind
from orchestrator.scheduler.events import (
    BudgetAmended,
    Event,
    FailureArrived,
    JournalMended,
    ResultArrived,
    SavedTrial,
    Suggested,
    SuggestionsMade,
    TrialFoundHopeless,
    TrialRefused,
)
from orchestrator.scheduler.leases import lease_name, trial_of
from orchestrator.scheduler.state import State


@dataclass(frozen=True, slots=True)
class Readable:
    """An event behind the damage, and its line in the file, from 1."""

    line: int
    event: Event


@dataclass(frozen=True, slots=True)
class Salvage:
    """The event that stands for what was saved, and a sentence for each thing that was not.

    ``budget`` precedes it, where values prove that there was another; ``decisions`` of people follow it.
    ``values`` counts the results that the event holds; ``again`` the trials to be evaluated again.
    """

    event: JournalMended
    budget: BudgetAmended | None
    decisions: tuple[Event, ...]
    values: int
    again: int
    dropped: tuple[str, ...]


@dataclass(slots=True)
class _Gathered:
    """What the lines behind the damage say of one trial."""

    result: ResultArrived | None = None
    failures: int = 0
    verdict: str = ""

    def take(self, event: ResultArrived | FailureArrived | TrialFoundHopeless) -> None:
        match event:
            case ResultArrived():
                self.result = self.result or event
            case FailureArrived():
                self.failures += 1
            case TrialFoundHopeless():
                self.verdict = event.reason


@dataclass(slots=True)
class _Points:
    """The parameters of trials beyond those known, by number, as far as they are certain."""

    next: int | None
    asks: int
    by_number: dict[int, tuple[Suggested, int | None]] = field(default_factory=dict)

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
    """The budgets that people amended behind the damage; to be handled before `salvage`."""
    return [readable.event for readable in behind if isinstance(readable.event, BudgetAmended)]


def salvage(state: State, behind: Sequence[Readable], *, lost: int, wall: str) -> Salvage:
    """Gather ``behind`` into one event that follows ``state``, which is that before the damage."""
    answered = state.asks - (1 if state.asking is not None else 0)
    points = _Points(next=len(state.trials) + 1, asks=answered)
    gathered: defaultdict[int, _Gathered] = defaultdict(_Gathered)
    others: Counter[str] = Counter()
    dropped: list[str] = []
    decisions: list[Decision] = []
    for readable in behind:
        event = readable.event
        match event:
            case SuggestionsMade():
                points.take(event)
            case ResultArrived() | FailureArrived() | TrialFoundHopeless():
                number = trial_of(event.lease)
                if number is not None:
                    gathered[number].take(event)
            case TrialRefused():
                gathered[event.trial].verdict = f"refused: {event.reason}"
            case JournalMended():
                _take_mended(event, len(state.trials), points, gathered)
            case BudgetAmended():
                pass
            case _ if isinstance(event, typing.get_args(Decision)):
                decisions.append(typing.cast(Decision, event))
            case _:
                others[type(event).__name__] += 1
    end = max([state.at, *(readable.event.at for readable in behind)])
    budget = _proven_budget(state, points, gathered, end, dropped)
    beyond, numbers = _beyond(state, budget, points, gathered, dropped)
    saved = _known(state, gathered) + beyond
    dropped += [f"{count} {name} without a part in any value" for name, count in sorted(others.items())]
    numbers |= {number: number for number in state.trials}
    mended = JournalMended(
        at=end,
        wall=wall,
        lost=lost,
        asks=points.asks,
        trials=tuple(saved),
        requests=taken_behind([readable.event for readable in behind], numbers),
    )
    settled = {one.number for one in saved if one.value is not None or one.message}
    unsettled = (set(state.unsettled) | {one.number for one in saved}) - settled
    valued = {one.number for one in saved if one.value is not None}
    still = StillMeant(state, numbers, unsettled, valued, dropped)
    following = [kept for one in decisions if (kept := still.kept(replace(one, at=end))) is not None]
    return Salvage(mended, budget, tuple(following), len(valued), len(unsettled), tuple(dropped))


def _take_mended(
    event: JournalMended, known: int, points: _Points, gathered: defaultdict[int, _Gathered]
) -> None:
    """What an earlier repair saved."""
    for saved in event.trials:
        number = saved.number
        if number > known:
            points.by_number.setdefault(number, (saved.suggested, saved.ask))
        about = gathered[number]
        if saved.value is not None:
            about.result = about.result or ResultArrived(
                at=event.at,
                worker=saved.worker,
                lease=lease_name(number, 1),
                value=saved.value,
                variance=saved.variance,
                factors=saved.factors,
                extras=saved.extras,
                elapsed=saved.elapsed,
            )
        about.verdict = about.verdict or saved.message
    points.asks = max(points.asks, event.asks + event.lost)
    points.next = max([known, *points.by_number]) + 1


def _proven_budget(
    state: State, points: _Points, gathered: Mapping[int, _Gathered], at: float, dropped: list[str]
) -> BudgetAmended | None:
    """The budget that there must have been, where the line that raised it is lost: no value goes for that."""
    budget = state.policy.trials
    needed = state.budgeted + sum(gathered[was].result is not None for was in points.by_number)
    if budget is None or needed <= budget:
        return None
    dropped.append(
        f"whatever raised the budget of {budget}: there are values of more trials, so a budget of {needed} "
        "trials is taken for granted"
    )
    return BudgetAmended(at=at, trials=needed, by="fsck")


def _known(state: State, gathered: Mapping[int, _Gathered]) -> list[SavedTrial]:
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
    state: State,
    proven: BudgetAmended | None,
    points: _Points,
    gathered: Mapping[int, _Gathered],
    dropped: list[str],
) -> tuple[list[SavedTrial], dict[int, int]]:
    """Trials made behind the damage, and the numbers they have from now on by those they had.

    A gap in their numbers is closed. Where they are more than the budget, those without a value go.
    """
    saved: list[SavedTrial] = []
    numbers: dict[int, int] = {}
    budget = state.policy.trials if proven is None else proven.trials
    room = len(points.by_number) if budget is None else max(0, budget - state.budgeted)
    valued = sum(was in gathered and gathered[was].result is not None for was in points.by_number)
    room_for_others = room - valued
    for was in sorted(points.by_number):
        suggested, ask = points.by_number[was]
        about = gathered.get(was, _Gathered())
        if about.result is None:
            room_for_others -= 1
            if room_for_others < 0:
                dropped.append(f"trial {was}: it is beyond the budget of {budget}")
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
