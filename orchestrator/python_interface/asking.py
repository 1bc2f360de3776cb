"""What an Optimiser asks of its algorithm, and how it answers in the parameters' own terms."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Algorithm, Prediction, Recommends, Suggestion, reasons
from orchestrator.algorithms.faults import refuse_what_is_no_refit
from orchestrator.errors import UsageError
from orchestrator.parameters.held import held_within
from orchestrator.parameters.space import Space
from orchestrator.python_interface.answers import Asked, Recommended
from orchestrator.python_interface.results import Reading
from orchestrator.system.held_interrupt import interrupt_held
from orchestrator.unit_cube.domain import Domain
from orchestrator.values.named import Values
from orchestrator.values.plain import copied


def within_of(reading: Reading, held: Values | None) -> Domain | None:
    """Where what the caller holds leaves anything to be chosen; None: anywhere. Raises as `held_within`."""
    return None if held is None else held_within(reading.space, reading.plain(held))


def refuse_to_hold(algorithm: Algorithm, name: str) -> None:
    """Raises UsageError for an algorithm, by its name, that cannot hold parameters."""
    if not type(algorithm).Options.holds_parameters:
        raise UsageError(registry.HOLDS_PARAMETERS.lacking(name))


def bring_up_to_date(algorithm: Algorithm) -> None:
    """Compute and adopt the refits that are due, which can take seconds."""
    while (number := algorithm.refit_due()) is not None:
        refit = algorithm.compute_refit(number)
        refuse_what_is_no_refit(refit, algorithm, number)
        with interrupt_held():
            algorithm.adopt(refit)


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


def recommended(algorithm: Algorithm, name: str, within: Domain | None, reading: Reading) -> Recommended:
    """What an algorithm, by its name, believes best now. Raises UsageError where it cannot say."""
    if not isinstance(algorithm, Recommends):
        raise UsageError(registry.RECOMMENDS.lacking(name))
    bring_up_to_date(algorithm)
    found = algorithm.recommend(within)
    if found is None or found.predicted is None:
        raise UsageError("there is no model yet that could recommend anything; ask, evaluate and tell first")
    space: Space = reading.space
    return Recommended(copied(space.given(space.suggested(found.point))), _own(found.predicted, reading.sign))


def _own(predicted: Prediction, sign: float) -> Prediction:
    return Prediction(sign * predicted.mean, predicted.deviation)
