"""What an Optimiser asks of its algorithm, and how it answers in the parameters' own terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Algorithm, Prediction, Recommends, Suggestion, reasons
from orchestrator.algorithms.faults import (
    refuse_what_is_no_answer,
    refuse_what_is_not_held,
)
from orchestrator.algorithms.refits import due_refits
from orchestrator.algorithms.travelling import is_on_the_way
from orchestrator.errors import UsageError
from orchestrator.parameters.held import held_within
from orchestrator.parameters.space import Space
from orchestrator.python_interface.answers import Asked, Recommended
from orchestrator.python_interface.found import Found
from orchestrator.python_interface.results import Reading
from orchestrator.python_interface.sensitivity import ToldResults
from orchestrator.python_interface.store.record import Record
from orchestrator.python_interface.travel import approached, refuse_to_travel
from orchestrator.python_interface.trials import Trials
from orchestrator.system.held_interrupt import interrupt_held
from orchestrator.unit_cube.domain import Domain
from orchestrator.values.named import Values
from orchestrator.values.plain import copied, whole_number


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
    return None if held is None else held_within(reading.space, reading.plain(held))


def refuse_to_hold(algorithm: Algorithm, name: str) -> None:
    """Raises UsageError for an algorithm, by its name, that cannot hold parameters."""
    if not type(algorithm).Options.holds_parameters:
        raise UsageError(registry.HOLDS_PARAMETERS.lacking(name))


def bring_up_to_date(algorithm: Algorithm, record: Record) -> None:
    """Compute and adopt the refits that are due, which can take seconds; a record has them before."""
    for refit in due_refits(algorithm):
        with interrupt_held():
            record.adopted(refit)
            algorithm.adopt(refit)


def asked_of(
    algorithm: Algorithm,
    name: str,
    n: int,
    held: Values | None,
    reading: Reading,
    trials: Trials,
    record: Record,
) -> list[Asked]:
    """The next n trials, from then on pending, of an algorithm, by its name: first those that were left by an
    earlier process, which are in the record, as the others will be. Raises as `Optimiser.ask`.
    """
    within = within_of(reading, held)
    told = {} if held is None else reading.plain(held)
    if within is not None:
        refuse_to_hold(algorithm, name)
    left = trials.fitting(n, told)
    more = n - len(left)
    anew = _asked_anew(algorithm, more, told, within, reading, trials, record) if more else []
    trials.hand_out(left)
    return left + anew


def _asked_anew(
    algorithm: Algorithm,
    n: int,
    held: Values,
    within: Domain | None,
    reading: Reading,
    trials: Trials,
    record: Record,
) -> list[Asked]:
    refuse_to_travel(reading.space, trials, n, held)
    bring_up_to_date(algorithm, record)
    key = replace(trials.key, within=within)
    suggestions = algorithm.ask(n, list(trials.pending.values()), key)
    refuse_what_is_no_answer(suggestions, algorithm, reading.space.domain.dimension, n)
    if within is not None:
        refuse_what_is_not_held(suggestions, algorithm, within)
    suggestions = approached(suggestions, reading, trials, within)
    decoded = [reading.space.suggested(suggestion.point) for suggestion in suggestions]
    asked = answered(trials.following, suggestions, decoded, reading)
    # What is evaluated is the decoded point, so that is what the algorithm learns about.
    points = [reading.space.encode(parameters) for parameters in decoded]
    aside = [within is not None or is_on_the_way(suggestion) for suggestion in suggestions]
    # Last of all: an interrupt before this leaves no trials that nobody was given.
    with interrupt_held():
        record.asked(held, asked, aside)
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
        given, cost = copied(reading.space.given(parameters)), reading.cost(parameters)
        asked.append(Asked(number, given, predicted, why, cost))
    return asked


def recommended(
    algorithm: Algorithm, name: str, within: Domain | None, reading: Reading, record: Record
) -> Recommended:
    """What an algorithm, by its name, believes best now. Raises UsageError where it cannot say."""
    if not isinstance(algorithm, Recommends):
        raise UsageError(registry.RECOMMENDS.lacking(name))
    bring_up_to_date(algorithm, record)
    found = algorithm.recommend(within)
    if found is None or found.predicted is None:
        raise UsageError("there is no model yet that could recommend anything; ask, evaluate and tell first")
    space: Space = reading.space
    return Recommended(copied(space.given(space.suggested(found.point))), _own(found.predicted, reading.sign))


def now(reading: Reading, trials: Trials, told: ToldResults) -> dict[str, float]:
    """What a clock showed at the last ask or, before any, in the last result; empty where there is none."""
    if reading.clock is None or (trials.time is None and not told.results):
        return {}
    if (time := trials.time) is None:
        time = reading.clock.of(told.results[-1].parameters)
    return {reading.clock.name: time}


def best_known(
    found: Found,
    algorithm: Algorithm,
    reading: Reading,
    trials: Trials,
    told: ToldResults,
    record: Record,
) -> Values | None:
    """The parameters of the best result or, beside a clock, those that an algorithm believes best `now`; None
    where there are none.
    """
    if reading.clock is None:
        return None if found.best is None else found.best.parameters
    shown = now(reading, trials, told)
    if not (shown and isinstance(algorithm, Recommends)):
        return None
    bring_up_to_date(algorithm, record)
    believed = algorithm.recommend(held_within(reading.space, shown))
    return None if believed is None else reading.space.decode(believed.point)


def _own(predicted: Prediction, sign: float) -> Prediction:
    return Prediction(sign * predicted.mean, predicted.deviation)
