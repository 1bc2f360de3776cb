"""What happened in a search from Python, as the events of a run in which the same happened."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from orchestrator.report.searches.preferred_so_far import PreferredSoFar
from orchestrator.report.searches.problem_as_spec import ProblemAsSpec
from orchestrator.report.searches.sources import CALLER
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.amendment_events import ResultsAdded
from orchestrator.scheduler.comparison_events import ComparisonTakenBack, ComparisonTold
from orchestrator.scheduler.event_parts import OF_REFERENCE, Forecast, KnownResult, Suggested
from orchestrator.scheduler.leases import lease_name
from orchestrator.scheduler.rules.amended_constraints import AmendedConstraints
from orchestrator.scheduler.rules.clock import Clock
from orchestrator.search_files import events as told
from orchestrator.search_files.events import AskedFor, Event, Opened
from orchestrator.spec.build import build_space
from orchestrator.spec.sections.objective import BY_COMPARISON
from orchestrator.values.derivatives import DERIVATIVES
from orchestrator.values.named import Values

ATTACHED: Mapping[str, Any] = {"source": CALLER}
FAILED = "told that it failed"
ABANDONED = "told that nothing will come of it"
SLOTS = 1_000_000
"""Of a program, which evaluates as many as it likes."""


class EventsOfSearch:
    """Makes them of a file's, in order, once."""

    def __init__(self, problem: ProblemAsSpec, name: str, clock: Clock | None) -> None:
        self._problem = problem
        self._name = name
        self._space = build_space(problem.spec)
        self._wanted = WantedResults.of(problem.spec)
        self._asks = 0
        self._following = 1
        self._attempts: dict[int, int] = {}
        self._parameters: dict[int, dict[str, Any]] = {}
        self._preferred = PreferredSoFar(problem.spec, self._space)
        self._worker = ""
        self._time = _Time()
        self._clock = clock

    def judge_by(self, constraints: AmendedConstraints) -> None:
        """From now on results are judged so, as more is known of what limits are relative to."""
        self._wanted = WantedResults.of(self._problem.spec, constraints)

    def of(self, events: Sequence[Event], is_open: bool) -> Iterator[ev.Event]:
        """``is_open``: whether a program has it open now, which evaluates what is pending."""
        began = next((number for number, one in enumerate(events) if _begins(one)), len(events))
        known = [one for one in events[:began] if isinstance(one, told.ResultLearned)]
        openings = [one for one in events[:began] if isinstance(one, Opened)]
        yield ev.RunStarted(
            at=0.0,
            run=self._name,
            wall=openings[0].at if openings else "",
            known=tuple(map(self._known, known)),
            pays_for_begun=True,
            renewed_by_trials=True,
        )
        # What was opened before anything was asked for was opened in vain, but for its time.
        for opening in openings[:-1]:
            self._time.opened(opening)
        for opening in openings[-1:]:
            yield from self._opened(opening)
        stocks = [one for one in events[:began] if isinstance(one, told.StockTaken)]
        for at_once in _at_once([*stocks[-1:], *events[began:]]):
            yield from self._event(*at_once)
        if self._problem.spec.objective.told == BY_COMPARISON:
            yield self._preferred.stock(self._time.at)
        if not is_open and self._worker:
            yield ev.WorkerLeft(at=self._time.at, worker=self._worker, lost=False)

    def _event(self, event: Event, *others: Event) -> Iterator[ev.Event]:
        """``others`` were learned at once with it."""
        if isinstance(event, Opened):
            yield ev.RunResumed(at=self._time.opened(event), wall=event.at)
            yield from self._opened(event)
            return
        at = self._at(event)
        match event:
            case told.TrialsAsked(trials, held):
                beside = {"held": dict(held)} if held else {}
                yield self._suggested(at, [self._asked(one, beside) for one in trials])
            case told.TrialAttached(_, parameters, cost):
                there, initial = self._counting(parameters), self._problem.spec.initial
                is_reference = initial.reference is not None and self._following <= initial.reference_times
                why = {"source": OF_REFERENCE} if is_reference else ATTACHED
                yield self._suggested(at, [Suggested(parameters=there, why=why, cost=cost)])
            case told.TrialTold():
                yield self._told(at, event)
            case told.TrialAbandoned(trial):
                self._lease(trial)
                yield ev.TrialRefused(at=at, trial=trial, reason=ABANDONED)
            case told.ResultLearned():
                learned = [one for one in (event, *others) if isinstance(one, told.ResultLearned)]
                yield ResultsAdded(at=at, results=tuple(map(self._known, learned)))
            case told.StockTaken(results):
                yield ev.StockTaken(at=at, observations=results, insight=_insight(event))
            case told.TrialsCompared() | told.ComparisonsTakenBack() | told.TrialFailed():
                yield self._comparison(at, event)

    def _at(self, event: Event) -> float:
        """When it happened, by the search's own clock, if it has one."""
        if self._clock is None:
            return self._time.passes(getattr(event, "at", 0.0))
        shown = None
        if isinstance(event, told.TrialsAsked):
            shown = event.held.get(self._clock.parameter)
        elif isinstance(event, told.TrialAttached):
            shown = event.parameters.get(self._clock.parameter)
        if shown is not None:
            self._time.at = max(self._time.at, shown * self._clock.unit_s)
        return self._time.at

    def _opened(self, opened: Opened) -> Iterator[ev.Event]:
        self._time.opened(opened)
        self._worker = f"process {opened.pid} on {opened.host}"
        self._attempts = {trial: attempt + 1 for trial, attempt in self._attempts.items()}
        yield ev.WorkerJoined(at=self._time.at, worker=self._worker, slots=SLOTS, local=True)

    def _asked(self, one: AskedFor, beside: Mapping[str, Any]) -> Suggested:
        mean, deviation = one.predicted or (None, None)
        return Suggested(
            parameters=self._counting(one.parameters),
            mean=mean,
            deviation=deviation,
            why={**one.why, **beside},
            cost=one.cost,
            continues=one.continues or 0,
        )

    def _suggested(self, at: float, suggestions: list[Suggested]) -> ev.SuggestionsMade:
        first = self._following
        for number, one in enumerate(suggestions, first):
            self._attempts[number], self._parameters[number] = 1, dict(one.parameters)
            self._preferred.begun(number, one.parameters)
        self._following += len(suggestions)
        self._asks += 1
        return ev.SuggestionsMade(at=at, ask=self._asks, suggestions=tuple(suggestions), first_trial=first)

    def _told(self, at: float, event: told.TrialTold) -> ev.Event:
        parameters = self._parameters.pop(event.trial)
        seconds = event.seconds or 0.0
        if event.value is None and not event.stopped:
            return self._failed(at, event, seconds)
        lease = self._lease(event.trial)
        if event.foreseen and event.value is not None:
            deviation = math.sqrt(event.variance or 0.0)
            forecast = Forecast(mean=event.value, deviation=deviation, chance=0.0)
            why = event.stopped or "told what was foreseen of it"
            return ev.TrialFoundUnlikely(
                at=at, lease=lease, reason=why, forecast=forecast, curve=tuple(event.curve)
            )
        if event.value is None:
            return ev.TrialFoundHopeless(at=at, lease=lease, reason=event.stopped)
        return ev.ResultArrived(
            at=at,
            worker=self._worker,
            lease=lease,
            value=event.value,
            variance=event.variance,
            factors=None if event.factors is None else tuple(event.factors),
            extras=self._extras(event),
            # What was asked for lies within constraints, if not to the last digit.
            broken=self._wanted.broken(parameters, event.outcomes, event.value),
            elapsed=seconds,
            curve=tuple(event.curve),
            not_finite_at=event.not_finite_at,
            # Where it was asked for as one that goes on, its program sees to that.
            continued=True,
        )

    def _comparison(
        self, at: float, event: told.TrialsCompared | told.ComparisonsTakenBack | told.TrialFailed
    ) -> ev.Event:
        match event:
            case told.TrialsCompared(better, worse, alike):
                for number in (better, worse):
                    # Of one that was compared before there is no attempt left.
                    self._attempts.pop(number, None)
                compared = ComparisonTold(at=at, trial=better, other=worse, alike=alike)
                self._preferred.compared(compared)
                return compared
            case told.ComparisonsTakenBack(trial, other):
                taken_back = ComparisonTakenBack(at=at, trial=trial, other=other)
                self._preferred.taken_back(taken_back)
                return taken_back
            case told.TrialFailed():
                return self._failed(at, event)

    def _failed(
        self, at: float, event: told.TrialTold | told.TrialFailed, seconds: float = 0.0
    ) -> ev.FailureArrived:
        return ev.FailureArrived(
            at=at,
            worker=self._worker,
            lease=self._lease(event.trial),
            kind="error",
            message=event.reason or FAILED,
            elapsed=seconds,
            extras=self._extras(event) if isinstance(event, told.TrialTold) else {},
        )

    def _known(self, event: told.ResultLearned) -> KnownResult:
        parameters = self._counting(event.parameters)
        return KnownResult(
            parameters=parameters,
            value=event.value,
            variance=event.variance,
            factors=None if event.factors is None else tuple(event.factors),
            broken=() if event.value is None else self._broken(event, parameters),
            outcomes=self._extras(event),
            seconds=event.seconds,
            block=event.block or "",
        )

    def _extras(self, event: told.TrialTold | told.ResultLearned) -> dict[str, object]:
        """What came beside the value, under the names that the spec has for it."""
        blocks = self._problem.spec.blocks
        derivatives = {DERIVATIVES: event.derivatives} if event.derivatives else {}
        block = {} if blocks is None else {blocks: event.block}
        others = event.extras if isinstance(event, told.TrialTold) else {}
        return {**others, **event.outcomes, **derivatives, **block}

    def _broken(self, event: told.ResultLearned, parameters: Values) -> tuple[str, ...]:
        return self._space.broken_by(parameters) + self._wanted.broken(
            parameters, event.outcomes, event.value
        )

    def _counting(self, parameters: Values) -> dict[str, Any]:
        """Those that count there, and the constants, which a file says once for all."""
        return {**self._space.counted(self._problem.named(parameters)), **self._space.fixed}

    def _lease(self, trial: int) -> str:
        """That of a trial of which this is the end."""
        return lease_name(trial, self._attempts.pop(trial))


def _at_once(events: Sequence[Event]) -> Iterator[list[Event]]:
    """Each by itself, but for results learned one after the other at the same time of day."""

    def learned_at(one: Event) -> float:
        return one.at if isinstance(one, told.ResultLearned) else 0.0

    for at, some in groupby(events, learned_at):
        if at:
            yield list(some)
        else:
            yield from ([one] for one in some)


class _Time:
    """Seconds since a search began, as far as a program had it open. Files of before the time of day was told
    have those between their openings alone.
    """

    def __init__(self) -> None:
        self.at = 0.0
        self._since: float | None = None

    def opened(self, opened: Opened) -> float:
        """Time goes on from where it stood."""
        self._since = datetime.fromisoformat(opened.at).timestamp() - self.at
        return self.at

    def passes(self, now: float) -> float:
        """Until a time of day; where a clock was set back, as earlier versions wrote it, time goes on from
        there.
        """
        if now and self._since is not None:
            self._since = min(self._since, now - self.at)
            self.at = round(now - self._since, 3)
        return self.at


def _insight(stock: told.StockTaken) -> dict[str, Any]:
    """As that of a run is written down."""
    offsets = {block: _prediction(one) for block, one in stock.offsets.items()}
    if stock.crossing is not None:
        names = ("above", "low", "high", "misclassified")
        return {"offsets": offsets, "crossing": dict(zip(names, stock.crossing, strict=True))}
    if stock.trial is None or stock.predicted is None:
        return {"offsets": offsets}
    best = {"trial": stock.trial, "predicted": _prediction(stock.predicted)}
    return {"offsets": offsets, "believed_best": best}


def _prediction(told: tuple[float, float]) -> dict[str, float]:
    return {"mean": told[0], "deviation": told[1]}


def _begins(event: Event) -> bool:
    return isinstance(event, told.TrialsAsked | told.TrialAttached)
