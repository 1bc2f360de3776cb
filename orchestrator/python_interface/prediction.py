"""What a model of all that an Optimiser was told expects at points of the caller's choosing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from orchestrator.errors import UsageError
from orchestrator.numerics.rng import stream
from orchestrator.python_interface.in_use import are_designs
from orchestrator.python_interface.reading import Reading
from orchestrator.python_interface.results import Place
from orchestrator.python_interface.sensitivity import ToldResults
from orchestrator.python_interface.shown import InRows, settings, uncertain
from orchestrator.python_interface.table import Rows, points_in, read_each
from orchestrator.spec.results.column_names import own_name
from orchestrator.values.named import Values
from orchestrator.values.percent import percent
from orchestrator.values.plain import copied
from orchestrator.values.printable import printable

if TYPE_CHECKING:
    from orchestrator.sensitivity.prediction import Expected
    from orchestrator.sensitivity.results_model import ResultsModel
    from orchestrator.sensitivity.tolerated import OutcomeModels


PARTS = ("expected", "deviation", "low", "high")


@dataclass(frozen=True, slots=True, repr=False)
class Expectation:
    """What is expected of one quantity, in its own units and without noise: its ``mean``, the ``deviation``
    of that, and ``low`` and ``high``, between which it is believed to lie nine times out of ten.
    """

    mean: float
    deviation: float
    low: float
    high: float

    def __repr__(self) -> str:
        return f"{uncertain(self.mean, self.deviation)} ({self.between})"

    @property
    def between(self) -> str:
        """Its bounds in words."""
        return f"{self.low:.5g} to {self.high:.5g}"


@dataclass(frozen=True, slots=True, repr=False)
class ExpectedCurve:
    """The same of each point of an outcome that is a curve, in their order, and where each is, ``at``, if the
    fit says that.
    """

    mean: tuple[float, ...]
    deviation: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    at: tuple[float, ...] | None = None

    def __len__(self) -> int:
        """How many points it has."""
        return len(self.mean)

    def __repr__(self) -> str:
        return f"{len(self):,} points from {min(self.mean):.5g} to {max(self.mean):.5g}"

    @classmethod
    def of(cls, expected: Expected, places: Sequence[float] | None = None) -> ExpectedCurve:
        """Of what is expected of as many values as there are points, and perhaps ``places``."""
        parts = (expected.mean, expected.deviation, expected.low, expected.high)
        mean, deviation, low, high = (tuple(map(float, part)) for part in parts)
        return cls(mean, deviation, low, high, None if places is None else tuple(places))


@dataclass(frozen=True, slots=True, repr=False)
class Predicted:
    """What is expected at ``parameters``: of the ``value``, or of the outcome that was asked about; of other
    objectives and of constrained ``outcomes``, by name; and how likely all constraints are to be
    ``satisfied``, without those relative to a reference that was not told yet: 0 where parameters break one,
    1 where there are none. ``succeeds``: how likely an evaluation is to give a value, 1 where none has
    failed, or where an outcome was asked about. ``above``: how likely the value is above the threshold, where
    one is sought. ``curves``: of a value that is computed, by name what the points of outcomes are expected
    to be that are curves.
    """

    parameters: Values
    value: Expectation
    outcomes: Mapping[str, Expectation] = field(default_factory=dict)
    satisfied: float = 1.0
    succeeds: float = 1.0
    above: float | None = None
    curves: Mapping[str, ExpectedCurve] = field(default_factory=dict)

    def __repr__(self) -> str:
        """In a line; chances are left out where they are 1."""
        each = [
            f"{printable(name)} {expected!r}" for name, expected in (*self._quantities, *self.curves.items())
        ]
        chances = [f"{name} {chance}" for name, chance in self._chances]
        return f"<Predicted: {', '.join([*each, *chances])}, at {settings(self.parameters)}>"

    def row(self) -> dict[str, Any]:
        """All of it, one level deep: of each quantity ``value_expected``, ``_deviation``, ``_low`` and
        ``_high``, of a curve lists of as many numbers as it has points, with ``_at`` where the fit says that,
        the chances, and the parameters. What is expected is no result, and no column is called as one.
        """
        own: dict[str, Any] = {}
        for name, told in self._quantities:
            own |= _columns(name, told.mean, told.deviation, told.low, told.high)
        for name, curve in self.curves.items():
            own |= {} if curve.at is None else {f"{name}_at": list(curve.at)}
            own |= _columns(name, *map(list, (curve.mean, curve.deviation, curve.low, curve.high)))
        own |= {"satisfied": self.satisfied, "succeeds": self.succeeds}
        own |= {} if self.above is None else {"above": self.above}
        return {own_name(name, self.parameters): told for name, told in own.items()} | dict(self.parameters)

    def cells(self) -> dict[str, object]:
        """What is shown of it among others: each quantity, and below `within` its bounds."""
        own: dict[str, object] = {}
        for name, told in self._quantities:
            own |= {name: uncertain(told.mean, told.deviation), f"{name} within": told.between}
        own |= {name: repr(curve) for name, curve in self.curves.items()}
        own |= {own_name(name, self.outcomes): chance for name, chance in self._chances}
        return {own_name(name, self.parameters): told for name, told in own.items()} | dict(self.parameters)

    @property
    def _quantities(self) -> list[tuple[str, Expectation]]:
        return [(own_name("value", self.outcomes), self.value), *self.outcomes.items()]

    @property
    def _chances(self) -> list[tuple[str, str]]:
        each = (("satisfied", self.satisfied), ("succeeds", self.succeeds))
        known = [] if self.above is None else [("above", percent(self.above, 3))]
        return [*known, *((name, percent(chance, 3)) for name, chance in each if chance < 1.0)]


def _columns(name: str, *parts: object) -> dict[str, object]:
    return {f"{name}_{which}": part for which, part in zip(PARTS, parts, strict=True)}


def predicted_at(
    points: Rows, best: Values | None, reading: Reading, told: ToldResults, outcome: str | None
) -> InRows[Predicted]:
    """By all that was ``told``, in the order of the points; what mappings leave out is as in the ``best``,
    and of how closely to look, at full fidelity. Where none tells of what varies in use, what designs are
    worth over it.

    Raises UsageError for points that are wrong, and where results are too few.
    """
    rows, whole = points_in(points, reading.space)
    in_use = reading.problem.in_use
    over_all = in_use is not None and not in_use.over.each
    if outcome is None and over_all and are_designs(rows, reading.space):
        return _over_use(rows, reading, told)
    places = _places(rows, whole, best, reading)
    if not places:
        return InRows()
    # SciPy's statistics take a second to import.
    from orchestrator.sensitivity.prediction import predict
    from orchestrator.sensitivity.success import believed_success, failed_among

    problem, measured = reading.problem, told.measured(outcome)
    points_told = [place.parameters for place in places]
    model: ResultsModel | Expected
    composed = None
    if reading.is_computed and outcome is None:
        composed = told.composed(problem).at(np.array([place.point for place in places]))
        model, models = composed.value, outcomes_told(reading, told)
    else:
        model, models = models_told(reading, told, outcome)
    tried, failed = failed_among(problem, measured, told.failed(len(reading.space.names)))
    success = None if outcome is not None else believed_success(problem, tried, failed)
    rng = stream(problem.seed, "predictions", len(measured))
    threshold = None if outcome is not None else problem.threshold
    there = None if reading.reference is None else reading.reference.point
    found = predict(model, models.relative_to(there), points_told, rng, success, threshold)
    if composed is not None and reading.wanted is not None:
        numbers = dict(zip(reading.wanted.numbers, composed.numbers, strict=True))
        found = found.beside(numbers, dict(zip(reading.wanted.points, composed.curves, strict=True)))
    at = {} if reading.wanted is None else reading.wanted.places
    return InRows(
        Predicted(
            copied(reading.space.given(points_told[row])),
            _at(found.value, row),
            {name: _at(one, row) for name, one in found.outcomes.items()},
            float(found.satisfied[row]),
            float(found.succeeds[row]),
            None if found.above is None else float(found.above[row]),
            {name: ExpectedCurve.of(one[row], at.get(name)) for name, one in found.curves.items()},
        )
        for row in range(len(places))
    )


def places_meant(points: Rows, best: Values | None, reading: Reading) -> list[Place]:
    """The places of points, as `predicted_at` has them. Raises UsageError for points that are wrong."""
    return _places(*points_in(points, reading.space), best, reading)


def _places(
    rows: Sequence[Mapping[str, object]], whole: bool, best: Values | None, reading: Reading
) -> list[Place]:
    beside = {} if whole else _beside(best, reading)
    if whole:
        # As in a table of results.
        rows = [reading.space.as_meant(reading.plain(row)) for row in rows]
    placed = _whole if best is None and not whole else Reading.place
    if (listed := reading.space.candidates) is not None:
        # What goes with the best row goes with no other.
        beside = {name: value for name, value in beside.items() if name not in listed.given}
        rows = [listed.with_row(row) if isinstance(row, Mapping) else row for row in rows]
    return read_each(rows, lambda row: placed(reading, {**beside, **row}))


def models_told(
    reading: Reading, told: ToldResults, outcome: str | None
) -> tuple[ResultsModel, OutcomeModels]:
    """Those of the value and of outcomes that count beside it, or of one ``outcome`` alone, by all that was
    ``told``. Raises UsageError where results are too few.
    """
    from orchestrator.sensitivity.analysis import problem_of_one

    model = told.models.checked(
        problem_of_one(reading.problem, first=outcome is None), told.measured(outcome)
    )
    return model, outcomes_told(reading, told, nothing=outcome is not None)


def outcomes_told(reading: Reading, told: ToldResults, *, nothing: bool = False) -> OutcomeModels:
    """Those of outcomes that count beside the value; ``nothing``: of none. Raises as `models_told`."""
    from orchestrator.sensitivity.tolerated import OutcomeModels

    wanted = None if nothing else reading.wanted
    names = () if wanted is None else tuple(name for name in wanted.outcomes if wanted.names(name))
    constraints = () if wanted is None else wanted.settled
    measured = {name: told.measured(name) for name in names}
    own = "" if wanted is None else wanted.own
    checked = told.models.checked
    return OutcomeModels.fitted(reading.problem, reading.space, constraints, measured, checked, own)


def _over_use(rows: Sequence[Mapping[str, object]], reading: Reading, told: ToldResults) -> InRows[Predicted]:
    """Of designs: each with a condition of no meaning, which `Predicted` does not show."""
    from orchestrator.sensitivity.over_use import DesignsModel

    problem, space = reading.problem, reading.space
    assert problem.in_use is not None, "rows are of designs"
    anywhere = space.decode(problem.in_use.as_designs(np.full((1, len(space.names)), 0.5))[0])
    usual = {name: anywhere[name] for name in space.in_use}
    places = read_each(rows, lambda row: _whole(reading, {**usual, **row}))
    model = DesignsModel(problem, problem.in_use, told.measured(None), told.failed(len(space.names)))
    value = model.expected(np.array([place.point for place in places]))
    given = [space.given(place.parameters) for place in places]
    designs = [{name: own for name, own in one.items() if name not in space.in_use} for one in given]
    return InRows(
        Predicted(copied(designs[row]), _at(value, row), satisfied=0.0 if place.broken else 1.0)
        for row, place in enumerate(places)
    )


def _beside(best: Values | None, reading: Reading) -> Values:
    """What is taken for what a mapping leaves out."""
    space = reading.space
    full = {} if reading.fidelity is None else {reading.fidelity.name: reading.fidelity.full}
    counted = {} if best is None else space.counted(best)
    # What is computed follows from what a mapping says, too.
    chosen = {name: value for name, value in counted.items() if name in (*space.names, *space.fixed)}
    return {**full, **chosen, **_usual_condition(reading)}


def _usual_condition(reading: Reading) -> Values:
    """Where each condition has its own best settings: the one that is nearest to the middle of them."""
    in_use, parameters = reading.problem.in_use, reading.space.parameters
    if in_use is None or not in_use.over.each:
        return {}
    usual = zip(in_use.coordinates, in_use.usual.tolist(), strict=True)
    return {parameters[j].name: parameters[j].decode(x) for j, x in usual}


def _whole(reading: Reading, row: Mapping[str, object]) -> Place:
    """Of a row that nothing can be added to. Raises as `Reading.place`."""
    lacking = [name for name in reading.space.mistakes(reading.plain(row)) if name not in row]
    if lacking:
        raise UsageError(
            f"parameter `{lacking[0]}`: expected a value, but it is missing, and there is no best result to"
            " take it from"
        )
    return reading.place(row)


def _at(expected: Expected, row: int) -> Expectation:
    return Expectation(
        float(expected.mean[row]),
        float(expected.deviation[row]),
        float(expected.low[row]),
        float(expected.high[row]),
    )
