"""What an Optimiser asks of its algorithm, and how it answers in the parameters' own terms."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import (
    Algorithm,
    AskKey,
    Prediction,
    Recommends,
    Suggestion,
    in_own_terms,
    reasons,
)
from orchestrator.algorithms.changing import Changing, over_what
from orchestrator.algorithms.faults import (
    refuse_what_is_no_answer,
    refuse_what_is_not_held,
)
from orchestrator.algorithms.refits import due_refits
from orchestrator.algorithms.sharing import Round
from orchestrator.algorithms.travelling import is_on_the_way
from orchestrator.arrays import FloatArray
from orchestrator.errors import UsageError
from orchestrator.parameters.held import as_held, held_within, suggested_as_held
from orchestrator.python_interface.answers import Asked, Believed, Recommended
from orchestrator.python_interface.change import refuse_to_change
from orchestrator.python_interface.for_each import best_settings
from orchestrator.python_interface.found import Found
from orchestrator.python_interface.reading import Reading
from orchestrator.python_interface.record import Record
from orchestrator.python_interface.sensitivity import ToldResults
from orchestrator.python_interface.sharing import names_shared
from orchestrator.python_interface.stock import result_of, stock_of
from orchestrator.python_interface.travel import approached, refuse_to_travel
from orchestrator.python_interface.trials import Trials
from orchestrator.scheduler.event_parts import ROUND, is_beside_what_stays
from orchestrator.scheduler.rules.places import away, place_words
from orchestrator.spec.checks.at_odds import sentence_of
from orchestrator.system.held_interrupt import interrupt_held
from orchestrator.unit_cube.domain import Domain
from orchestrator.values.named import Values
from orchestrator.values.plain import copied, whole_number

EVERY_ONE = (
    "expected candidates that are not tried yet, got none: every one was, or is pending; say"
    " `Candidates(rows, again=True)` where they may be tried again"
)

EVERY_POINT = (
    "expected points that are not tried yet, got none: every one {0}was, or is pending, and with `noise=0` a"
    " second value at one tells nothing; attach({{...}}) tries one again"
)

CONDITION = (
    "expected of `held` the condition that settings are wanted for, as `recommend(held={{{0!r}: ...}})`, and"
    " `{0}` is missing"
)


class NothingSure(UsageError):
    """No trial can be asked for, as none is sure enough to keep the limits that every trial is to keep."""


def trials_wanted(n: object) -> int:
    """How many are asked for. Raises UsageError for what is not a whole number above 0."""
    wanted = whole_number(n)
    if wanted is None or wanted < 1:
        raise UsageError(f"expected the number of trials to ask for, 1 or more, got {n!r}")
    return wanted


def within_of(reading: Reading, held: Values | None) -> Domain | None:
    """Where what the caller holds leaves anything to be chosen; None: anywhere. Raises as `held_within`, and
    UsageError where there is a clock, and the time is not held.
    """
    if reading.clock is not None:
        reading.clock.require(held)
    if held is None:
        return None
    plain = reading.plain(held)
    # What is no mapping, as an array, need not be true or false, and is refused below.
    holds_any = isinstance(plain, Mapping) and bool(plain)
    if holds_any and reading.space.candidates is not None:
        raise UsageError(sentence_of("candidates", "held"))
    in_use = reading.problem.in_use
    if holds_any and in_use is not None and not in_use.over.each:
        raise UsageError(sentence_of("in_use", "held"))
    return held_within(reading.space, plain)


def refuse_to_hold(algorithm: Algorithm, name: str) -> None:
    """Raises UsageError for an algorithm, by its name, that cannot hold parameters."""
    if not type(algorithm).Options.holds_parameters:
        raise UsageError(registry.HOLDS_PARAMETERS.lacking(name))


@dataclass(frozen=True, slots=True)
class Asking:
    """An algorithm, by its ``name``, and what it is asked with: how a caller's terms are read, the trials,
    and the record of what comes of it.
    """

    algorithm: Algorithm
    name: str
    reading: Reading
    trials: Trials
    record: Record

    def trials_for(
        self,
        n: int,
        held: Values | None,
        told: ToldResults,
        sharing: object = (),
        *,
        most: float = math.inf,
    ) -> list[Asked]:
        """The next n trials by all that was ``told``, from then on pending: first those that were left by an
        earlier process, which are in the record, as the others will be. At the ``most`` so many are new, as
        no more points are worth it. Raises as `Optimiser.ask`.
        """
        within = within_of(self.reading, held)
        places = self.told_of(held)
        names = names_shared(self.reading, sharing, places)
        if within is not None or names:
            refuse_to_hold(self.algorithm, self.name)
        together = Round(self.reading.space, self.reading.problem.seed, names, places)
        left = self.trials.fitting(n, places)
        if left and names:
            together = together.settled_by(left[0].trial, left[0].parameters)
            left = [one for one in left if not away(together.settled, one.parameters)]
        more = int(min(n - len(left), most))
        if not (left or more):
            beside = f"where {place_words(places)} " if places else ""
            raise UsageError(EVERY_POINT.format(beside))
        anew = self._trials_anew(more, together, within, told) if more else []
        if not (left or anew):
            raise NothingSure(self._nothing_sure())
        self.trials.hand_out(left)
        return left + anew

    def told_of(self, held: Values | None) -> Values:
        """What is held, as the record has it: without what is fixed, which the problem says."""
        told = {} if held is None else self.reading.plain(held)
        return {name: value for name, value in told.items() if name not in self.reading.space.fixed}

    def require_that_some_is_held(self, part: Values) -> None:
        """Raises as `trials_for` of what is held, before anything is asked."""
        within_of(self.reading, part)
        refuse_to_hold(self.algorithm, self.name)

    def recommended(self, held: Values | None, told: ToldResults) -> Recommended:
        """What the algorithm believes best now, beside what is ``held``; where each condition has its own
        best, by all that was ``told``, as it is said of a run. Raises UsageError where it cannot say, and as
        `within_of`.
        """
        within = within_of(self.reading, held)
        if not isinstance(self.algorithm, Recommends):
            raise UsageError(registry.RECOMMENDS.lacking(self.name))
        space, in_use = self.reading.space, self.reading.problem.in_use
        for_each = in_use is not None and in_use.over.each
        if for_each and (missing := [name for name in space.in_use if name not in (held or {})]):
            raise UsageError(CONDITION.format(missing[0]))
        self._bring_up_to_date()
        found = self.algorithm.recommend(within)
        if found is None or found.predicted is None:
            raise UsageError(
                "there is no model yet that could recommend anything; ask, evaluate and tell more first"
            )
        if for_each and within is not None:
            return best_settings(self.reading, told, self.reading.plain(held or {}), within)
        settings = suggested_as_held(space, found.point, self.told_of(held))
        given = copied(space.given(settings))
        # Of what varies in use none is recommended.
        given = {name: value for name, value in given.items() if name not in space.in_use}
        return Recommended(given, _own(found.predicted, self.reading.sign))

    def best_known(self, found: Found, told: ToldResults) -> Values | None:
        """The parameters of the best result or, beside a clock, those that the algorithm believes best `now`;
        None where there are none.
        """
        if self.reading.clock is None:
            best = found.best
            if best is None or self.reading.space.candidates is None:
                return None if best is None else best.parameters
            # With what models alone see, which answers leave out.
            meant = (best.trial, best.value, best.parameters)
            given = self.reading.space.given
            own = (one for one in told.results if (one.trial, one.value, given(one.parameters)) == meant)
            return next((one.parameters for one in own), best.parameters)
        shown = now(self.reading, self.trials, told)
        if not (shown and isinstance(self.algorithm, Recommends)):
            return None
        self._bring_up_to_date()
        believed = self.algorithm.recommend(held_within(self.reading.space, shown))
        if believed is None:
            return None
        return as_held(self.reading.space, self.reading.space.decode(believed.point), shown)

    def believed(self, told: ToldResults) -> Believed | None:
        """Which result the algorithm believes best by now; None where it does not say."""
        self._bring_up_to_date()
        return self.stock_taken(told)

    def stock_taken(self, told: ToldResults) -> Believed | None:
        """The same before a refit that is due. The record is told of it, and of the offsets of blocks."""
        insight = in_own_terms(self.algorithm.insight(), self.reading.sign)
        if (stock := stock_of(insight, told.results)) is not None:
            self.record.stock_taken(stock)
        if (best := insight.believed_best) is None:
            return None
        result = result_of(best.trial, told.results)
        if not result.stands:
            return None
        given = copied(dict(self.reading.space.given(result.parameters)))
        return Believed(result.trial, given, best.predicted)

    def _bring_up_to_date(self) -> None:
        """Compute and adopt the refits that are due, which can take seconds; the record has them before."""
        for refit in due_refits(self.algorithm):
            with interrupt_held():
                self.record.adopted(refit)
                self.algorithm.adopt(refit)

    def _nothing_sure(self) -> str:
        """Why there is no trial to ask for, and what to do."""
        wanted = self.reading.wanted
        limits = () if wanted is None else [constraint.limit for constraint in wanted.kept]
        kept = "`, `".join(limits)
        advice = (
            "abandon or tell what is pending first, for what comes of it may make others sure"
            if self.trials.pending
            else "learn a result that did first, or attach a trial of settings that are sure to, and tell it"
        )
        return f"no point is known to be sure enough to keep `{kept}`: {advice}"

    def _chosen(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> Sequence[Suggestion]:
        suggestions = self.algorithm.ask(n, pending, key)
        domain = self.reading.space.domain
        may_end = domain.rows is not None
        refuse_what_is_no_answer(suggestions, self.algorithm, domain.dimension, n, may_end=may_end)
        if may_end and not suggestions and not self.reading.problem.kept:
            raise UsageError(EVERY_ONE)
        if key.within is not None:
            refuse_what_is_not_held(suggestions, self.algorithm, key.within)
        return suggestions

    def _trials_anew(self, n: int, together: Round, within: Domain | None, told: ToldResults) -> list[Asked]:
        reading, trials = self.reading, self.trials
        refuse_to_travel(reading.space, trials, n, together.held)
        refuse_to_change(reading.space, trials, n)
        self._bring_up_to_date()
        pending = list(trials.pending.values())
        held = together.held
        if reading.space.changes and trials.stands:
            best = over_what(self.algorithm, told.highest, 1 + reading.problem.further_objectives)
            changing = Changing(reading.space, trials.stands, trials.machine, held, best)
            places, chosen = changing.asked(self._chosen, pending, trials.key)
        else:
            settled, chosen = together.asked(self._chosen, n, pending, trials.key)
            places = settled.places
        suggestions = [
            one if reading.began_with(places, one.continues) else replace(one, continues=0)
            for one in approached(chosen, reading, trials, within)
        ]
        decoded = [
            reading.going_on(
                suggested_as_held(reading.space, suggestion.point, places),
                0 if suggestion.changed else suggestion.continues,
            )
            for suggestion in suggestions
        ]
        asked = answered(trials.following, suggestions, decoded, reading)
        # What is evaluated is the decoded point, so that is what the algorithm learns about.
        points = [reading.space.encode(parameters) for parameters in decoded]
        aside = [within is not None or is_aside(suggestion) for suggestion in suggestions]
        # Last of all: an interrupt before this leaves no trials that nobody was given.
        with interrupt_held():
            self.record.asked(held, asked, decoded, aside, [one.changed for one in suggestions])
            trials.answered(points, decoded, aside)
            trials.priced(asked)
            if reading.clock is not None:
                trials.time = reading.clock.of(decoded[0])
        return asked


def answered(
    first: int,
    suggestions: Sequence[Suggestion],
    decoded: Sequence[Values],
    reading: Reading,
) -> list[Asked]:
    """Trials from the ``first`` number on, of suggestions and of their ``decoded`` parameters."""
    signs = () if reading.wanted is None else reading.wanted.signs
    asked = []
    for number, (suggestion, parameters) in enumerate(zip(suggestions, decoded, strict=True), first):
        predicted = None if suggestion.predicted is None else _own(suggestion.predicted, reading.sign)
        why = reasons(suggestion, reading.sign, signs)
        continues = suggestion.continues or None
        given, cost = copied(reading.space.given(parameters)), reading.cost(parameters, continues)
        asked.append(Asked(number, given, predicted, why, cost, continues))
    return asked


def is_aside(suggestion: Suggestion) -> bool:
    """Whether a point was chosen beside another, or beside what stayed, or as it leads to one."""
    beside = ROUND in suggestion.why or is_beside_what_stays(suggestion.why)
    return beside or is_on_the_way(suggestion)


def now(reading: Reading, trials: Trials, told: ToldResults) -> dict[str, float]:
    """What a clock showed at the last ask or, before any, in the last result; empty where there is none."""
    if reading.clock is None or (trials.time is None and not told.results):
        return {}
    if (time := trials.time) is None:
        time = reading.clock.of(told.results[-1].parameters)
    return {reading.clock.name: time}


def _own(predicted: Prediction, sign: float) -> Prediction:
    return Prediction(sign * predicted.mean, predicted.deviation)
