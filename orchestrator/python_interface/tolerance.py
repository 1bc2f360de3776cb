"""How good the best points that an Optimiser knows of are where settings are a little off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from orchestrator.algorithms.base import Problem
from orchestrator.errors import UsageError
from orchestrator.parameters.space import Space
from orchestrator.python_interface.in_use import NO_BEST, NO_BEST_FOR_EACH
from orchestrator.python_interface.sensitivity import ToldResults
from orchestrator.python_interface.shown import settings
from orchestrator.python_interface.threshold import NO_BEST as NO_BEST_ABOVE
from orchestrator.values.finite import in_short, is_number
from orchestrator.values.foreign import single_number
from orchestrator.values.named import Values
from orchestrator.wanted_outcomes import WantedOutcomes

if TYPE_CHECKING:
    from orchestrator.sensitivity.tolerated import Behaviour


@dataclass(frozen=True, slots=True)
class AsMade:
    """What is expected of ``parameters``: the value ``as_set``; its ``average`` where they are a little off,
    and the ``poor`` value that one in twenty is poorer than; and how likely the constraints on outcomes are
    to be ``satisfied`` then, 1 where there are none. ``succeeds``: how likely an evaluation is to give a
    value then, 1 where none has failed.
    """

    parameters: Mapping[str, Any]
    as_set: float
    average: float
    poor: float
    satisfied: float
    succeeds: float = 1.0


@dataclass(frozen=True, slots=True, repr=False)
class Tolerance:
    """Of the ``best`` point as set, of that of all ``tried`` which is best where it is a little off, and of
    the one that the models hold best so ``anywhere``.
    """

    best: AsMade
    tried: AsMade
    anywhere: AsMade

    def __repr__(self) -> str:
        """A table, a line for each of them, and their parameters below it."""
        each = {name: getattr(self, name) for name in ("best", "tried", "anywhere")}
        lines = [f"{'':8}  {'as set':>11}  {'average':>11}  {'poor':>11}  satisfied  succeeds"]
        for name, one in each.items():
            values = "  ".join(f"{value:11.5g}" for value in (one.as_set, one.average, one.poor))
            lines.append(f"{name:8}  {values}  {100 * one.satisfied:7.1f} %  {100 * one.succeeds:6.1f} %")
        return "\n".join([*lines, *(f"{name}: {settings(one.parameters)}" for name, one in each.items())])


def tolerance_of(
    problem: Problem,
    space: Space,
    wanted: WantedOutcomes | None,
    told: ToldResults,
    off: Mapping[str, object],
    now: Values,
) -> Tolerance:
    """By all that was ``told``; parameters may be ``off`` by so much. ``now`` is what a clock shows, if there
    is one: then what was tried is taken as it would be now.

    Raises UsageError where ``off`` is wrong, of several objectives, and where results are too few or none
    is the best.
    """
    # SciPy's statistics take a second to import.
    from orchestrator.sensitivity.analysis import FEWEST_RESULTS
    from orchestrator.sensitivity.tolerance_analysis import Evaluated, analyse_tolerances, named_outcomes
    from orchestrator.sensitivity.tolerances import Tolerances

    if problem.further_objectives:
        raise UsageError("expected one objective, got several: of those no point is the best")
    if problem.in_use is not None:
        why = NO_BEST_FOR_EACH if problem.in_use.over.each else NO_BEST
        raise UsageError(f"expected no `tolerance()` beside `in_use`: {why}")
    if problem.threshold is not None:
        raise UsageError(f"expected no `tolerance()` beside `threshold`: {NO_BEST_ABOVE}")
    if not isinstance(off, Mapping):
        raise UsageError(f'expected by how much parameters may be off, as {{"span": 0.5}}, got {off!r}')
    tolerances = Tolerances(space, {name: _width(name, told) for name, told in off.items()}, now)
    seen = told.seen
    standing = [i for i, one in enumerate(seen) if one.stands]
    if len(seen) < FEWEST_RESULTS or not standing:
        raise UsageError(
            f"expected {FEWEST_RESULTS} results with a value or more, and one that may be the best, got "
            f"{len(seen)}, of which {len(standing)} may"
        )
    value = told.measured(None)
    best = None if now else max(standing, key=lambda i: value.sign * value.values[i])
    constraints = () if wanted is None else wanted.settled
    known = () if wanted is None else wanted.outcomes
    outcomes = {name: told.measured(name) for name in named_outcomes(constraints, known)}
    model = None if problem.composite is None else told.composed(problem)
    evaluated = Evaluated(value, outcomes, told.failed(len(space.names)), best, model)
    found = analyse_tolerances(problem, tolerances, constraints, evaluated, told.models).found
    return Tolerance(*(_as_made(space, one) for one in (found.as_set, found.of_tried, found.anywhere)))


def _width(name: object, told: object) -> float:
    if not isinstance(name, str):
        raise UsageError(f"expected names of parameters that may be off, as text, got {name!r}")
    width = single_number(told)
    if not is_number(width):
        raise UsageError(f"expected a number by how much `{name}` may be off, got {in_short(told)}")
    return float(width)


def _as_made(space: Space, behaviour: Behaviour) -> AsMade:
    return AsMade(
        space.decode(behaviour.point),
        behaviour.as_set,
        behaviour.average,
        behaviour.poor,
        behaviour.satisfied,
        behaviour.succeeds,
    )
