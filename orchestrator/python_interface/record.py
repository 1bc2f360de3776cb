"""What an Optimiser remembers, and its file, and how it is told again what the file holds."""

from __future__ import annotations

import math
import os
import socket
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import structs

from orchestrator.algorithms.base import Comparison, Prediction, Refit
from orchestrator.errors import StoreError, UsageError
from orchestrator.parameters.held import as_held
from orchestrator.parameters.kinds import ChoiceParameter
from orchestrator.parameters.space import Space
from orchestrator.python_interface.answers import Asked
from orchestrator.python_interface.plan import Plan
from orchestrator.python_interface.reading import Reading
from orchestrator.python_interface.results import Place, Result, Telling
from orchestrator.python_interface.trials import Left, Trials
from orchestrator.python_interface.watch import Reported, Watch
from orchestrator.search_files.events import (
    AskedFor,
    ComparisonsTakenBack,
    Event,
    Opened,
    RefitAdopted,
    ResultLearned,
    StockTaken,
    TrialAbandoned,
    TrialAttached,
    TrialFailed,
    TrialsAsked,
    TrialsCompared,
    TrialTold,
)
from orchestrator.search_files.file import StoreFile
from orchestrator.search_files.problem import (
    in_json,
    parameters_in_words,
    refuse_infinite_choices,
    shown,
    when_they_count,
    written,
)
from orchestrator.values.named import Values
from orchestrator.values.plain import copied


class Record:
    """Of a search in a space, of which that is ``said`` besides; ``events`` is what happened in it, as far as
    somebody may want to see it. Without a ``file`` that is in memory alone.

    Each method returns once what it is given is on disk, and raises StoreError where it is not.
    """

    def __init__(
        self, space: Space, said: Mapping[str, Any], events: Iterable[Event], file: StoreFile | None = None
    ) -> None:
        self._space = space
        self._said = said
        self._file = file
        # By a clock that nobody sets: what is told of times is what passes between them.
        self._zero = time.time() - time.monotonic()
        self.events: list[Event] = [one for one in events if not isinstance(one, RefitAdopted)]
        stocks = (
            structs.replace(one, at=0.0) for one in reversed(self.events) if isinstance(one, StockTaken)
        )
        self._stock = next(stocks, None)

    def unkept(self) -> Record:
        """The same without its file: two of them would be no search."""
        return Record(self._space, self._said, self.events)

    @property
    def problem(self) -> dict[str, Any]:
        """Which problem it is of, as a file says it."""
        return in_json({"parameters": parameters_in_words(self._space, shown), **self._said})

    @property
    def path(self) -> Path | None:
        """The file, if there is one."""
        return None if self._file is None else self._file.path

    @property
    def is_open(self) -> bool:
        """Whether more may happen."""
        return self._file is None or self._file.is_open

    def close(self) -> None:
        """Let others have the file."""
        if self._file is not None:
            self._file.close()

    def asked(
        self,
        held: Values,
        asked: Sequence[Asked],
        decoded: Sequence[Values],
        aside: Sequence[bool],
        changed: Sequence[bool] = (),
    ) -> None:
        """An ask is answered, while parameters are ``held``; ``decoded`` are those of each trial, with what
        models alone see. ``changed``: of each, whether it goes on with other settings, which none does if
        nothing is said.
        """
        trials = []
        each = zip(asked, decoded, aside, changed or [False] * len(asked), strict=True)
        for one, parameters, own, differs in each:
            said = one.predicted
            finite = said is not None and math.isfinite(said.mean) and math.isfinite(said.deviation)
            predicted = (said.mean, said.deviation) if said is not None and finite else None
            there = self._written(self._space.told_of(parameters))
            why = dict(one.why)
            trials.append(AskedFor(one.trial, there, one.cost, predicted, own, why, one.continues, differs))
        self._note(TrialsAsked(trials, self._written(held), self._now()))

    def attached(self, trial: int, parameters: Values, cost: float) -> None:
        """A trial of the caller's."""
        self._note(TrialAttached(trial, self._written(parameters), cost, self._now()))

    def not_attached(self, places: Sequence[Place]) -> list[Place]:
        """Those at which there is no trial of the caller's; of the same one several times, those beyond."""
        before = [in_json(dict(one.parameters)) for one in self.events if isinstance(one, TrialAttached)]
        if "reference" in self._said:
            # Which is attached first, and by nobody.
            before = before[self._said.get("reference_times", 1) :]
        left = []
        for place in places:
            there = in_json(self._written(place.parameters))
            if there in before:
                before.remove(there)
            else:
                left.append(place)
        return left

    def not_asked(self, parts: Sequence[Values], waiting: Collection[int]) -> list[int]:
        """Which of the parts of points there are no trials beside, but for those ``waiting``; of the same
        one several times, those beyond.
        """
        asked = [one for one in self.events if isinstance(one, TrialsAsked)]
        before = [in_json(one.held) for one in asked for own in one.trials if own.trial not in waiting]
        left = []
        for number, part in enumerate(parts):
            there = in_json(self._written(part))
            if there in before:
                before.remove(there)
            else:
                left.append(number)
        return left

    def told(self, result: Result, watch: Watch | None) -> None:
        """What comes of a trial, which may have been watched."""
        assert result.trial is not None
        seen = Reported() if watch is None else watch.reported
        self._note(
            TrialTold(
                result.trial,
                result.value,
                result.variance,
                result.factors,
                result.outcomes,
                result.observation.foreseen,
                result.observation.seconds,
                seen.readings,
                seen.not_finite_at,
                seen.stopped,
                result.observation.block or None,
                self._now(),
                result.reason,
                result.derivatives,
                result.extras,
            )
        )

    def abandoned(self, trial: int) -> None:
        """Nothing comes of a trial."""
        self._note(TrialAbandoned(trial, self._now()))

    def learned(self, results: Sequence[Result]) -> None:
        """Results from elsewhere, all or none of them."""
        if results:
            self._note(*map(self._known, results))

    def _known(self, result: Result) -> ResultLearned:
        there = self._written(result.parameters)
        told = result.value, result.variance, result.factors, result.outcomes
        own = result.observation
        block, slopes = own.block or None, result.derivatives
        return ResultLearned(there, *told, own.held, block, self._now(), slopes, own.seconds)

    def adopted(self, refit: Refit) -> None:
        """A refit is about to be. One that comes of a question, after the file was let go of, is not."""
        if self._file is not None and self._file.is_open:
            self._file.write(RefitAdopted(refit.number, refit.observations, refit.payload))

    def stock_taken(self, stock: StockTaken) -> None:
        """What is believed, unless that is known. It comes of a question, too, as a refit may."""
        if self.is_open and stock != self._stock:
            self._note(structs.replace(stock, at=self._now()))
            self._stock = stock

    def compared(self, told: Comparison) -> None:
        """How two trials compare."""
        self._note(TrialsCompared(told.better, told.worse, told.alike, self._now()))

    def taken_back(self, trial: int | None, other: int | None) -> None:
        """How they compare is not known."""
        if trial is not None and other is not None:
            self._note(ComparisonsTakenBack(trial, other, self._now()))

    def failed(self, trial: int, reason: str) -> None:
        """A trial could not be made."""
        self._note(TrialFailed(trial, self._now(), reason))

    def _now(self) -> float:
        return round(self._zero + time.monotonic(), 3)

    def _note(self, *events: Event) -> None:
        if self._file is not None:
            self._file.write(*events)
        self.events.extend(events)

    def _written(self, parameters: Values) -> dict[str, Any]:
        """Without constants, which the problem says."""
        write = shown if self._file is None else written
        return {name: write(told) for name, told in parameters.items() if name not in self._space.fixed}


def record_of(
    told: object, space: Space, said: Mapping[str, Any], plan: Plan
) -> tuple[Record, Sequence[Event]]:
    """The file that a caller names, of a search in a space of which that is ``said`` besides, with what is
    planned, and what it holds; None: none. Raises StoreError, and UsageError for what is no path
    or cannot be kept.
    """
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    own = plan.trials, when_they_count(space), plan.cost
    opened = Opened(now, socket.gethostname(), os.getpid(), *own)
    if told is None:
        return Record(space, said, [opened]), ()
    if not isinstance(told, str | os.PathLike) or "\0" in os.fsdecode(told):
        raise UsageError(f'expected the path of a file as `store`, as "search.jsonl", got {told!r}')
    if "://" in os.fsdecode(told):
        raise UsageError(
            f'expected the path of a file as `store`, as "search.jsonl", got {told!r}, an address: a search'
            " is kept in a file of its own, and in no database"
        )
    refuse_infinite_choices(space)
    problem = in_json({"parameters": parameters_in_words(space, written), **said})
    file = StoreFile(Path(os.fsdecode(told)), problem, opened)
    return Record(space, said, [*file.events, opened], file), file.events


def has_begun(told: object) -> bool:
    """Whether the file that a caller names holds a search, or something else."""
    return isinstance(told, str | os.PathLike) and os.path.isfile(told) and os.path.getsize(told) > 0


def replay(
    events: Iterable[Event],
    adopt: Callable[[Refit], None],
    reading: Reading,
    trials: Trials,
    learn: Callable[[Result, Reported], None],
) -> None:
    """Have all happen again that a file holds; what is pending then is left to be asked for."""
    space = reading.space
    for event in events:
        replay_begun(event, reading, trials)
        match event:
            case TrialTold(number, value, variance, factors, outcomes, foreseen, seconds):
                # What is computed from outcomes is computed again.
                own = None if reading.is_computed else value
                told = own, variance, factors, outcomes, foreseen
                slopes = event.derivatives or None
                telling = Telling(
                    *told, seconds=seconds, block=event.block, derivatives=slopes, extras=event.extras
                )
                seen = Reported(event.curve, event.not_finite_at, event.stopped)
                learn(trials.result(trials.waiting(number), telling, reading), seen)
                trials.settle(number, "told")
            case ResultLearned(parameters, value, variance, factors, outcomes, held, block):
                brought = value, variance, factors, outcomes
                slopes = event.derivatives or None
                took = event.seconds
                known = Telling(*brought, held=held, seconds=took, block=block, derivatives=slopes)
                learn(reading.known(_read(space, parameters), known), Reported())
            case RefitAdopted(number, observations, payload):
                adopt(Refit(number, observations, payload))


def replay_begun(event: Event, reading: Reading, trials: Trials) -> None:
    """Have trials begin again, or be abandoned, if that is what happened."""
    space = reading.space
    match event:
        case TrialsAsked(asked, held):
            _ask(_read(space, held), asked, reading, trials)
        case TrialAttached(number, parameters, cost):
            place = reading.place(_read(space, parameters))
            _expect(number, trials.begin(place.point, place.parameters))
            given = copied(space.given(place.parameters))
            trials.leave(Left(Asked(number, given, None, {"source": "caller"}, cost), {}))
        case TrialAbandoned(number):
            trials.settle(trials.waiting(number), "abandoned")


def _ask(held: Values, asked: Sequence[AskedFor], reading: Reading, trials: Trials) -> None:
    space = reading.space
    decoded = [
        reading.going_on(_there(space, one, held), 0 if one.changed else one.continues or 0) for one in asked
    ]
    points = [space.encode(parameters) for parameters in decoded]
    if asked:
        _expect(asked[0].trial, trials.following)
    # Else none was sure to keep limits; what is drawn next follows from that it was asked all the same.
    trials.answered(points, decoded, [one.aside for one in asked])
    if reading.clock is not None:
        trials.time = reading.clock.of(decoded[0])
    for one, parameters in zip(asked, decoded, strict=True):
        predicted = None if one.predicted is None else Prediction(*one.predicted)
        given = copied(space.given(parameters))
        asked_for = Asked(one.trial, given, predicted, one.why, one.cost, one.continues)
        trials.leave(Left(asked_for, held))


def _there(space: Space, one: AskedFor, held: Values) -> Values:
    """Its parameters, with what is held as it was told then: an older file has it as a grid rounded it."""
    whole = _whole(space, one.parameters)
    told = {name: value for name, value in held.items() if whole.get(name) == value}
    return as_held(space, space.decode(space.encode(whole)), told)


def _whole(space: Space, parameters: Values) -> dict[str, Any]:
    """The same with what models alone see, which older files do not have, where a row is named."""
    told = _read(space, parameters)
    return told if space.candidates is None else space.candidates.with_row(told)


def _read(space: Space, parameters: Values) -> dict[str, Any]:
    """As they were before they were written: tuples are lists in a file."""
    choices = {p.name: p.values for p in space.parameters if isinstance(p, ChoiceParameter)}
    read: dict[str, Any] = {}
    for name, told in parameters.items():
        of_lists = [one for one in choices.get(name, ()) if isinstance(told, list) and written(one) == told]
        read[name] = of_lists[0] if of_lists else told
    return read


def _expect(number: int, following: int) -> None:
    if number != following:
        raise StoreError(f"expected trial {following} to be the next in the file of the search, got {number}")
