"""Several good results that lie at different places, by a model of all that an Optimiser was told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from orchestrator.errors import UsageError
from orchestrator.python_interface.reading import Reading
from orchestrator.python_interface.results import Result
from orchestrator.python_interface.sensitivity import ToldResults
from orchestrator.python_interface.shown import InRows
from orchestrator.spec.results.column_names import own_name
from orchestrator.values.curve import Outcomes
from orchestrator.values.plain import copied, whole_number

if TYPE_CHECKING:
    from orchestrator.sensitivity.value_model import ValueModel


@dataclass(frozen=True, slots=True)
class BestThere:
    """The best result of a place: its ``value``, with ``outcomes`` if there are any; what is ``expected`` of
    its parameters, without noise; and ``between`` it and better places, where that is worst, on the line on
    which it is least so: None of the first, and where nothing lies between. ``trial`` is None for a result
    known from elsewhere.
    """

    trial: int | None
    parameters: dict[str, Any]
    value: float
    expected: float
    between: float | None
    outcomes: Outcomes = field(default_factory=dict)

    def row(self) -> dict[str, Any]:
        """All of it, one level deep."""
        theirs = {**self.outcomes, **self.parameters}
        own = {
            "trial": self.trial,
            "value": self.value,
            "expected": self.expected,
            "expected_between": self.between,
        }
        return {own_name(name, theirs): told for name, told in own.items()} | theirs

    def cells(self) -> dict[str, object]:
        """What is shown of it among others."""
        return self.row()


def best_places(
    count: object, reading: Reading, told: ToldResults, believed: Result | None
) -> InRows[BestThere]:
    """At most so many, by all that was ``told``, the best first: that which is ``believed`` best, and then by
    what is expected, where values are noisy, come in blocks or are averages; else by value.

    Raises UsageError for what is no whole number above 0, and where results are too few.
    """
    wanted = whole_number(count)
    if wanted is None or wanted < 1:
        raise UsageError(f"expected how many places there are to be, 1 or more, got {count!r}")
    # SciPy's statistics take a second to import.
    from orchestrator.sensitivity.analysis import problem_of_one
    from orchestrator.sensitivity.good_places import Landscape, best_first, good_places

    problem, measured, seen = reading.problem, told.measured(None), told.seen
    model: ValueModel = (
        told.composed(problem)
        if reading.is_computed
        else told.models.checked(problem_of_one(problem, first=True), measured)
    )
    landscape = Landscape(model, measured.sign, problem.off)
    expected = landscape.expected(measured.points)
    as_believed = believed is not None or problem.blocks or problem.off is not None
    goodness = measured.sign * (expected if as_believed else measured.values)
    may = [row for row, one in enumerate(seen) if one.stands]
    first = next((row for row in may if seen[row] is believed), None)
    return InRows(
        _best_there(reading, seen[place.row], float(expected[place.row]), place.between)
        for place in good_places(landscape, measured.points, best_first(may, goodness, first), wanted)
    )


def _best_there(reading: Reading, result: Result, expected: float, between: float | None) -> BestThere:
    assert result.value is not None, "who may be the best has a value"
    given = copied(dict(reading.space.given(result.parameters)))
    return BestThere(result.trial, given, result.value, expected, between, dict(result.outcomes))
