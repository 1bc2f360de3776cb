"""What the lines behind the damage of a journal say of trials: which were made, and what became of each.

A line of suggestions, or of points that a person added, says which trials were made of it (`first_trial`;
without it, the asks are counted, as long as none is missing), and a line of a result says its trial. So a
value finds its parameters though the lines between are lost. Where it is not certain which parameters are
whose, none are taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from orchestrator.scheduler.amendment_events import BlockBegan, HeldAmended, PointsAdded
from orchestrator.scheduler.comparison_events import ComparisonTold, TrialCarriedOut
from orchestrator.scheduler.event_parts import Forecast, Suggested
from orchestrator.scheduler.events import (
    Event,
    FailureArrived,
    ResultArrived,
    SuggestionsMade,
    TrialFoundHopeless,
    TrialFoundUnlikely,
    TrialRefused,
)
from orchestrator.scheduler.leases import attempt_of, lease_name, trial_of
from orchestrator.scheduler.mending_events import NO_OTHERS, JournalMended, OtherBearers, SavedTrial
from orchestrator.scheduler.rules.places import Places, away, held_after
from orchestrator.scheduler.state import State
from orchestrator.spec.sections.evaluation import PERSON


@dataclass(slots=True)
class Fate:
    """What became of one trial: its first result, of one that was carried out where none has a value one
    without; how often it failed; why nothing more was to come of it, and ``by`` whose word, if a person's.
    ``block`` and ``evaluated_as`` are as in `SavedTrial`.
    """

    result: ResultArrived | None = None
    stopped: TrialFoundUnlikely | None = None
    failures: int = 0
    verdict: str = ""
    by: str = ""
    block: str = ""
    evaluated_as: int = 0


@dataclass(frozen=True, slots=True)
class Made:
    """A trial as it was made: its parameters, the ask that they answered, if any, what was held then, if
    known.
    """

    suggested: Suggested
    ask: int | None
    held: Places | None = None


@dataclass(frozen=True, slots=True)
class AtTheDamage:
    """How a run stood where its journal is damaged: before anything behind that was handled."""

    answered: int
    """The number of the last ask that was."""
    held: Places
    at: float
    block: str
    others: OtherBearers = NO_OTHERS
    not_own: Mapping[int, int] = field(default_factory=dict)
    """Of trials by their numbers, how many leases others had, as `Trial.not_own`."""

    @classmethod
    def of(cls, state: State) -> AtTheDamage:
        """By the sound lines."""
        answered = state.optimiser.asks - (1 if state.optimiser.asking is not None else 0)
        not_own = {trial.number: trial.attempts.not_own for trial in state.trials.values()}
        return cls(answered, state.policy.where.held, state.at, state.block, state.others, not_own)


class TrialsBehind:
    """Gathered line by line, by the numbers that the trials had there.

    Attributes:
        made: the trials beyond those known before the damage.
        fates: what became of any trial, where a line says so.
        asks: the number of the last ask that was answered.
        last_given: the number of the last trial of which a worker was heard, or 0.
    """

    def __init__(self, known: int, at: AtTheDamage) -> None:
        """``known``: how many trials the sound lines made."""
        self.made: dict[int, Made] = {}
        self.fates: dict[int, Fate] = {}
        self.asks = at.answered
        self.last_given = 0
        self._held = at.held
        self._others, self._not_own = at.others, dict(at.not_own)
        # When each block began, the last one last.
        self._begun = [(at.at, at.block)]
        self._known = known
        # None of those made has a higher number.
        self._highest = known
        # The number of the next trial to be made; None while that is not certain.
        self._next: int | None = self._known + 1

    def take(self, event: Event) -> bool:
        """An event behind the damage, in order; whether it says anything of trials."""
        match event:
            case SuggestionsMade():
                self._suggested(event)
            case PointsAdded():
                self._made_from(event.first_trial, [Made(one, None, {}) for one in event.suggested()])
            case ResultArrived() | FailureArrived() | TrialFoundHopeless() | TrialFoundUnlikely():
                number = trial_of(event.lease)
                if number is not None and attempt_of(event.lease) > self._not_own.get(number, 0):
                    self.last_given = number
                    if isinstance(event, ResultArrived) and self.fate(number).result is None:
                        self.fate(number).block = self._block_at(event.at - event.elapsed)
                    if self.fate(number).result is None:
                        # Whatever it was evaluated under before an earlier repair.
                        self.fate(number).evaluated_as = 0
                    self._evaluated(self.fate(number), event)
            case TrialCarriedOut():
                self._carried_out(event.trial, event)
            case TrialRefused():
                fate = self.fate(event.trial)
                fate.verdict, fate.by = f"refused: {event.reason}", event.by
            case JournalMended():
                self._saved_before(event)
            case HeldAmended():
                self._held = held_after(self._held, event.held, event.freed)
            case BlockBegan():
                # It is said again, too.
                self._begun.append((event.at, event.block))
                return False
            case _:
                return False
        return True

    def compared(self, told: ComparisonTold) -> None:
        """Who compares two trials has carried them out."""
        for number in (told.trial, told.other):
            self._carried_out(number, told)

    def fate(self, number: int) -> Fate:
        """What became of a trial; nothing, where no line says so."""
        return self.fates.setdefault(number, Fate())

    def made_and_valued(self) -> int:
        """How many of the trials that were made have a value, or were carried out, where there are none."""
        return sum(self.fate(number).result is not None for number in self.made)

    def cost_of_valued(self) -> float:
        """What those of them cost together."""
        valued = (made for number, made in self.made.items() if self.fate(number).result is not None)
        return sum(made.suggested.cost for made in valued)

    def _suggested(self, event: SuggestionsMade) -> None:
        if event.ask <= self.asks:
            return  # An ask that is answered again changed nothing.
        first = event.first_trial or (self._next if event.ask == self.asks + 1 else None)
        self.asks = event.ask
        made = []
        for suggested in event.suggestions:
            # Where it is elsewhere, a line that amended what is held is lost.
            elsewhere = away(self._held, suggested.parameters)
            held = {name: value for name, value in self._held.items() if name not in elsewhere}
            made.append(Made(suggested, event.ask, held))
        self._made_from(first, made)

    def _made_from(self, first: int | None, made: Sequence[Made]) -> None:
        if first is None or first <= self._known or not self._gave_up_from(first):
            self._next = None
            return
        self.made |= dict(enumerate(made, start=first))
        self._highest = first + len(made) - 1
        numbers = range(first, self._highest + 1)
        self._not_own |= {number: self._others.leases_of(number) for number in numbers}
        self._next = self._highest + 1

    def _gave_up_from(self, first: int) -> bool:
        """Forget what answers before would have made from this number on, as it never was: the run had ended,
        or what was asked for was amended. Whether that is so: of what was made, nothing may have become yet.
        """
        claimed = [number for number in range(first, self._highest + 1) if number in self.made]
        for number in claimed:
            del self.made[number]
        return not self.fates.keys() & set(claimed)

    def _block_at(self, time: float) -> str:
        """The one that lay there; empty where that was before the damage."""
        return next((block for began, block in reversed(self._begun) if began <= time), "")

    def _carried_out(self, number: int, told: TrialCarriedOut | ComparisonTold) -> None:
        """A person made a trial that has no value."""
        fate, lease = self.fate(number), lease_name(number, 1)
        fate.result = fate.result or ResultArrived(at=told.at, worker=PERSON, lease=lease, by=told.by)

    @staticmethod
    def _evaluated(
        fate: Fate, event: ResultArrived | FailureArrived | TrialFoundHopeless | TrialFoundUnlikely
    ) -> None:
        match event:
            case ResultArrived():
                fate.result = fate.result or event
            case FailureArrived():
                fate.failures += 1
            case TrialFoundHopeless():
                fate.verdict = event.reason
            case TrialFoundUnlikely():
                fate.verdict, fate.stopped = event.reason, fate.stopped or event

    def _saved_before(self, event: JournalMended) -> None:
        """What an earlier repair saved."""
        self._others = self._others.beside(event.others)
        for saved in event.trials:
            if saved.number > self._known:
                self._not_own.setdefault(saved.number, self._others.leases_of(saved.number))
                self.made.setdefault(saved.number, Made(saved.suggested, saved.ask, saved.held))
            fate = self.fate(saved.number)
            if fate.result is None:
                fate.evaluated_as = saved.evaluated_as
            if saved.value is not None or saved.carried_out:
                if fate.result is None:
                    fate.block = saved.block
                fate.result = fate.result or _result_of(saved, event.at)
            if saved.forecast is not None:
                fate.stopped = fate.stopped or _stopped(saved, saved.forecast, event.at)
            if not fate.verdict:
                fate.verdict, fate.by = saved.message, saved.by
        self.last_given = event.last_given or self.last_given
        self.asks = max(self.asks, event.asks + event.lost)
        self._highest = max([self._known, *self.made])
        # It says how many there are by the last that it saved; trials of lines before it may be lost.
        self._next = self._highest + 1 if event.trials and event.trials[-1].number == self._highest else None


def _result_of(saved: SavedTrial, at: float) -> ResultArrived:
    return ResultArrived(
        at=at,
        worker=saved.worker,
        lease=lease_name(saved.number, 1),
        value=saved.value,
        variance=saved.variance,
        factors=saved.factors,
        extras=saved.extras,
        broken=saved.broken,
        elapsed=saved.elapsed,
        curve=saved.curve,
        not_finite_at=saved.not_finite_at,
        own=saved.own,
        by=saved.by,
        continued=saved.continued,
    )


def _stopped(saved: SavedTrial, forecast: Forecast, at: float) -> TrialFoundUnlikely:
    lease = lease_name(saved.number, 1)
    return TrialFoundUnlikely(at=at, lease=lease, reason=saved.message, forecast=forecast, curve=saved.curve)
