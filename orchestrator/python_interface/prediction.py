"""What a model of all that an Optimiser was told expects at points of the caller's choosing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from orchestrator.errors import UsageError
from orchestrator.numerics.rng import stream
from orchestrator.python_interface.results import Place, Reading
from orchestrator.python_interface.sensitivity import ToldResults
from orchestrator.python_interface.table import Rows, points_in, read_each
from orchestrator.values.named import Values
from orchestrator.values.plain import copied

if TYPE_CHECKING:
    from orchestrator.sensitivity.prediction import Expected


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is expected of one quantity, in its own units and without noise: its ``mean``, the ``deviation``
    of that, and ``low`` and ``high``, between which it is believed to lie nine times out of ten.
    """

    mean: float
    deviation: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Predicted:
    """What is expected at ``parameters``: of the ``value``, or of the outcome that was asked about; of other
    objectives and of constrained ``outcomes``, by name; and how likely all constraints are to be
    ``satisfied``: 0 where parameters break one, 1 where there are none. ``succeeds``: how likely an
    evaluation is to give a value, 1 where none has failed, or where an outcome was asked about.
    """

    parameters: Values
    value: Expectation
    outcomes: Mapping[str, Expectation] = field(default_factory=dict)
    satisfied: float = 1.0
    succeeds: float = 1.0


def predicted_at(
    points: Rows, best: Values | None, reading: Reading, told: ToldResults, outcome: str | None
) -> list[Predicted]:
    """By all that was ``told``, in the order of the points; what mappings leave out is as in the ``best``.

    Raises UsageError for points that are wrong, and where results are too few.
    """
    rows, whole = points_in(points, reading.space)
    beside = {} if whole or best is None else reading.space.counted(best)
    if whole:
        # As in a table of results.
        rows = [reading.space.as_meant(reading.plain(row)) for row in rows]
    alone = best is None and not whole
    places = read_each(rows, lambda row: _whole(row, reading) if alone else reading.place({**beside, **row}))
    if not places:
        return []
    # SciPy's statistics take a second to import.
    from orchestrator.sensitivity.analysis import problem_of_one
    from orchestrator.sensitivity.prediction import predict
    from orchestrator.sensitivity.success import believed_success, failed_among
    from orchestrator.sensitivity.tolerated import OutcomeModels

    wanted = None if outcome is not None else reading.wanted
    names = () if wanted is None else tuple(name for name in wanted.outcomes if wanted.names(name))
    problem, measured = reading.problem, told.measured(outcome)
    checked = told.models.checked
    model = checked(problem_of_one(problem, first=outcome is None), measured)
    constraints = () if wanted is None else wanted.constraints
    models = OutcomeModels.fitted(
        problem, reading.space, constraints, {name: told.measured(name) for name in names}, checked
    )
    settings = [place.parameters for place in places]
    tried, failed = failed_among(problem, measured, told.failed(len(reading.space.names)))
    success = None if outcome is not None else believed_success(problem, tried, failed)
    rng = stream(problem.seed, "predictions", len(measured))
    found = predict(model, models, settings, rng, success)
    return [
        Predicted(
            copied(reading.space.given(settings[row])),
            _at(found.value, row),
            {name: _at(one, row) for name, one in found.outcomes.items()},
            float(found.satisfied[row]),
            float(found.succeeds[row]),
        )
        for row in range(len(places))
    ]


def _whole(row: Mapping[str, object], reading: Reading) -> Place:
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
