"""The settings believed best for conditions of a run in which each has its own, and what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from orchestrator.algorithms.base import Prediction, Problem
from orchestrator.errors import UsageError
from orchestrator.parameters.space import Space
from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.models.measured_results import measured_of, points_of_failures, trials_with
from orchestrator.report.models.predictions import usual_in_use
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.scheduler.corrections import trial_of
from orchestrator.scheduler.trial import Trial
from orchestrator.sensitivity.analysis import FEWEST_RESULTS
from orchestrator.sensitivity.settings_for_each import SettingsForEach
from orchestrator.spec.begun.asked_points import typed_point
from orchestrator.spec.build import build_problem, build_space
from orchestrator.spec.model import Spec
from orchestrator.spelling import listed
from orchestrator.system.blas_threads import one_thread
from orchestrator.values.named import Values
from orchestrator.values.typed_pairs import name_and_value

LISTED = 16
"""Conditions of which so few come up are all shown."""
OF_EACH = (7, 4, 3, 2)
"""Else so many values of one condition, of two, of three and of more."""
DRAWN_OF_EACH = (25, 4, 3, 2)
"""And on charts."""
MOST = 10_000
NEAR = 0.1
"""By so much of the range of each condition a trial may be off that was measured near by."""


@dataclass(frozen=True, slots=True)
class ForOne:
    """Of a ``condition`` the ``settings`` believed best, what is ``expected`` of them without noise, and the
    ``trial`` that was measured near by with the settings that are believed to do best in the condition, if
    any was.
    """

    condition: Values
    settings: Values
    expected: Prediction
    trial: Trial | None


@dataclass(frozen=True, eq=False, slots=True)
class ForEach:
    """What was ``found``, by so many ``results``, in conditions of the ``space`` of a run; ``empty`` are
    those in which no settings satisfy the constraints.
    """

    space: Space
    found: Sequence[ForOne]
    empty: Sequence[Values]
    results: int


def settings_for_each(
    run: RunSoFar, at: Sequence[str] = (), values: int | None = None, of_each: Sequence[int] = OF_EACH
) -> ForEach:
    """In the condition ``at`` settings ``load=3``, one of each that varies in use; else in so many ``values``
    of each, evenly over its range; or in all where these are few, and else in as many ``of_each`` as there
    are conditions for. Takes some seconds.

    Raises SpecError for what is wrong, UsageError for too many, or where a run is of another kind, and
    OrchestratorError where results are too few.
    """
    if not run.state.policy.sought.for_each:
        raise UsageError(
            "expected a run whose objective says `over: each`, as others have no best settings for each"
            f" condition, got {run.folder.path}"
        )
    spec = amended(run.spec, run.state)
    space, problem, name = build_space(spec), build_problem(spec), spec.objective.name
    conditions = [_typed(spec, space, at)] if at else _over_the_range(space, problem, values, of_each)
    told = trials_with(run, name)
    measured = measured_of(run, space, name, told)
    found, empty = list[ForOne](), list[Values]()
    with one_thread():
        model = SettingsForEach(problem, measured, points_of_failures(run, space))
        near = _Near(space, model, [trial for trial, _ in told])
        for condition in conditions:
            positions = {space.index(n): _position(space, n, value) for n, value in condition.items()}
            best = model.best(positions)
            if best is None:
                empty.append(condition)
                continue
            given = space.given(space.suggested(best.point))
            settings = {n: value for n, value in given.items() if n not in {*condition, *space.fixed}}
            trial = near.best(positions)
            trial = None if trial is None else trial_of(run.state, trial)
            found.append(ForOne(condition, settings, best.predicted, trial))
    return ForEach(space, found, empty, len(measured))


def may_be_asked(run: RunSoFar) -> bool:
    """Whether a run is of that kind, and has results enough."""
    valued = [one for one in run.state.observed if one.value is not None and run.state.counts(one)]
    return run.state.policy.sought.for_each and len(valued) >= FEWEST_RESULTS


@dataclass(frozen=True, eq=False, slots=True)
class _Near:
    """``trials`` that were measured, which a ``model`` was told of, in their order."""

    space: Space
    model: SettingsForEach
    trials: Sequence[Trial]

    def best(self, positions: dict[int, float]) -> Trial | None:
        """Of those near a condition, by settings: a value may be good because the condition is another."""
        coordinates, points = list(positions), self.model.measured.points
        off = np.abs(points[:, coordinates] - np.array(list(positions.values())))
        choices = self.space.domain.is_categorical[coordinates]
        rows = np.flatnonzero(np.where(choices, off == 0.0, off <= NEAR + 1e-9).all(axis=1))
        return self.trials[rows[self.model.best_of(points[rows], positions)]] if len(rows) else None


def _typed(spec: Spec, space: Space, at: Sequence[str]) -> Values:
    """Raises SpecError, and UsageError where a condition is missing, or something else is told."""
    told = [name_and_value(text, spec.parameters)[0] for text in at]
    wanted = ", ".join(f"{name}=…" for name in space.in_use)
    others = [name for name in told if name in spec.parameters and name not in space.in_use]
    missing = [name for name in space.in_use if name not in told]
    # What has a wrong name is said below, with what was probably meant.
    if others or (missing and all(name in spec.parameters for name in told)):
        came = f"`{others[0]}`, which is a setting" if others else f"nothing of {listed(missing)}"
        raise UsageError(f"expected --at {wanted}, and no more, got {came}")
    settings = {name: _any_value(space, name) for name in space.names if name not in space.in_use}
    point = typed_point(spec, at, {**usual_in_use(spec), **settings})
    return {name: point[name] for name in space.in_use}


def _any_value(space: Space, name: str) -> object:
    return space.parameters[space.index(name)].decode(0.5)


def _position(space: Space, name: str, value: object) -> float:
    return float(space.parameters[space.index(name)].encode(value))


def _over_the_range(
    space: Space, problem: Problem, values: int | None, of_each: Sequence[int]
) -> list[Values]:
    in_use = problem.in_use
    assert in_use is not None
    names = [space.names[j] for j in in_use.coordinates]
    if values is None and len(in_use.points) <= LISTED:
        rows = sorted(in_use.points.tolist())
        return [dict(zip(names, _decoded(space, names, row), strict=True)) for row in rows]
    count = values or of_each[min(len(names), len(of_each)) - 1]
    each = [list(_spread(space, name, count)) for name in names]
    if np.prod([len(one) for one in each], dtype=float) > MOST:
        raise UsageError(f"expected at most {MOST:,} conditions, got {values} values of {listed(names)}")
    return [dict(zip(names, row, strict=True)) for row in product(*each)]


def _decoded(space: Space, names: Sequence[str], row: Sequence[float]) -> list[object]:
    return [space.parameters[space.index(name)].decode(x) for name, x in zip(names, row, strict=True)]


def _spread(space: Space, name: str, count: int) -> Iterator[object]:
    """So many values, from one end to the other, each once; of values without an order all."""
    parameter = space.parameters[space.index(name)]
    if parameter.coordinate.kind == "categorical":
        places = list(parameter.coordinate.positions)
    else:
        # The upper end of what comes round is its lower one.
        comes_round = parameter.coordinate.comes_round
        places = [0.5] if count == 1 else np.linspace(0.0, 1.0, count, endpoint=not comes_round).tolist()
    yield from dict.fromkeys(parameter.decode(x) for x in places)
