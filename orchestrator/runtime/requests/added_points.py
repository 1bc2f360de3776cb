"""Points that a person will have evaluated next: whether the run would do so, and as what they are added."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from orchestrator.errors import UsageError
from orchestrator.expressions.counts import in_words
from orchestrator.runtime.requests.spent_budgets import what_to_amend
from orchestrator.runtime.results.counted_parameters import costs_of
from orchestrator.scheduler.rules.places import away, away_words, place_words
from orchestrator.scheduler.standing import ROUNDING, why_ends
from orchestrator.scheduler.state import State
from orchestrator.spec.model import Spec
from orchestrator.values.counts import MOST_TIMES
from orchestrator.values.finite import written
from orchestrator.values.named import Values
from orchestrator.values.travel import too_far_words

if TYPE_CHECKING:
    from orchestrator.parameters.space import Space

NO_UNITS: Mapping[str, str] = MappingProxyType({})
_REPEATED = "to have it repeated, add it again once that is done"


def points_words(points: Sequence[Values], times: int, units: Mapping[str, str] = NO_UNITS) -> str:
    """``x = 1 m; x = 2 m, 3 times each``: what is to be tried, with the repetitions or without."""
    distinct = [point for number, point in enumerate(points) if point not in points[:number]]
    each = "" if times == 1 else f", {times} times" if len(distinct) == 1 else f", {times} times each"
    said = [
        _settings(point, units) + (f", {count} times" if (count := points.count(point)) > 1 else "")
        for point in distinct
    ]
    return f"{'; '.join(said)}{each}"


def _settings(point: Values, units: Mapping[str, str]) -> str:
    """In as many digits as `try` says a point."""
    told = {
        name: float(f"{value:.8g}") if isinstance(value, float) else value for name, value in point.items()
    }
    return ", ".join(
        f"{place_words({name: value})} {units.get(name, '')}".rstrip() for name, value in told.items()
    )


def checked_points(
    points: Sequence[Values], spec: Spec, state: State, times: int = 1, forgotten: Collection[int] = ()
) -> tuple[tuple[Values, ...], tuple[float, ...]]:
    """The points with the parameters that count there, and what they cost, as in `PointsAdded`: all of them,
    one after another, so many ``times``.

    ``spec`` and ``state`` have all else that is to be amended, but for which trials are to be ``forgotten``.
    Raises `UsageError` where the run would not evaluate them, or evaluates them already, and `SpecError` for
    one outside of its space.
    """
    # Imported here because it is numpy: whoever resumes a run must not wait for it.
    from orchestrator.spec.build import build_space

    if over := why_ends(state):
        raise UsageError(
            f"expected a run that goes on or can, got one that has ended: {over}. For it to go on, besides:"
            f" {what_to_amend(state)}"
        )
    space, by_now = build_space(spec), state.shown_by_clock(state.at)
    counted = tuple(space.counted({**point, **by_now}) for point in points)
    # Of replicates that failed each may be evaluated again.
    anew = [state.trials[number].parameters for number in forgotten if number in state.trials]
    if twice := [point for point in counted if counted.count(point) > max(1, anew.count(point))]:
        raise UsageError(
            f"expected each point once, got {place_words(twice[0])} twice; to have all of them repeated:"
            " --times N"
        )
    if not 1 <= times <= MOST_TIMES:
        raise UsageError(f"expected --times from 1 to {MOST_TIMES:,}, got {times}")
    if times > 1 and space.rows is not None and not space.rows.candidates.again:
        raise UsageError(
            "expected candidates that may be tried more than once, as by `again: true`, beside"
            f" --times {times}"
        )
    counted *= times
    stands = state.will_stand
    for point in counted:
        _check_row(point, space, state, forgotten)
        _check_point(point, space.broken_by(point), state)
        if words := too_far_words(state.policy.where.travel, stands, point):
            raise UsageError(
                f"expected a point within reach of where the machine stands by then, got one where {words};"
                " have others on the way tried first"
            )
        stands = point
    costs = costs_of(spec, counted, state.optimiser.insight)
    _check_budget(len(counted), costs, state)
    return counted, costs


def _check_row(point: Values, space: Space, state: State, forgotten: Collection[int]) -> None:
    if sentence := space.no_row(point):
        raise UsageError(sentence)
    if space.rows is None or space.rows.candidates.again:
        return
    number = space.row_of(point)
    counted = (one for one in state.observed if not one.forgotten and one.number not in forgotten)
    for trial in (*state.unsettled.values(), *counted):
        if space.row_of(trial.parameters) == number:
            raise UsageError(
                f"expected a candidate that is not tried yet, got that of trial {trial.number}: each may be"
                " tried once, as `again: true` is not said"
            )


def _check_point(point: Values, broken: Sequence[str], state: State) -> None:
    if broken:
        texts = "`, `".join(map(in_words, broken))
        raise UsageError(f"expected a point that satisfies `{texts}`, got {place_words(point)}")
    if others := away(state.policy.where.held, point):
        settings = " ".join(f"--held {name}={point[name]}" for name in others if name in point)
        raise UsageError(
            "expected a point where parameters are held,"
            f" got one {away_words(state.policy.where.held, point)};"
            f" to hold it there from now on, besides: {settings or f'--free {others[0]}'}"
        )
    needed = state.policy.evaluations.slots
    if needed is not None and (why := needed.why_not(needed.of(point))):
        raise UsageError(f"expected a point that some worker can have, got {place_words(point)}: {why}")
    for trial in state.unsettled.values():
        if trial.parameters == point:
            raise UsageError(
                f"expected a point that is not in hand, got that of trial {trial.number}, {trial.state} now; "
                f"{_REPEATED}"
            )


def _check_budget(count: int, costs: Sequence[float], state: State) -> None:
    budget, asked = state.policy.budget, state.optimiser.asking or 0
    # What the optimiser was asked for may come before them.
    beside = f", beside the {asked} that the optimiser is asked for" if asked else ""
    if budget.trials is not None and (left := budget.trials - state.budgeted - asked) < count:
        raise UsageError(
            f"expected as many points as the budget of {budget.trials} trials pays for, {max(0, left)} more"
            f"{beside}, got {count}; raise it as well: --trials {budget.trials + count - left}"
        )
    before = state.tally.spent + asked + sum(costs[:-1] or [1.0] * (count - 1))
    if budget.cost is not None and before >= budget.cost - ROUNDING:
        raise UsageError(
            f"expected points that the budget of a cost of {written(budget.cost)} pays for, of which"
            f" {state.tally.spent:.4g} is spent{beside}, got {count}; raise it as well: --cost N"
        )
