"""A whole search of a function in one call: an `Optimiser` is asked and told until its trials are spent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Any, TypeAlias, TypeVar, Unpack

from orchestrator.errors import UsageError
from orchestrator.objectives import Goal
from orchestrator.parameters.space import Space
from orchestrator.python_interface.enough import Enough
from orchestrator.python_interface.first_points import FirstPoints
from orchestrator.python_interface.hands import (
    Function,
    hands_of,
    refuse_what_takes_no_mapping,
    takes_context,
)
from orchestrator.python_interface.optimiser import Optimiser
from orchestrator.python_interface.outcomes import refuse_names_of_the_value
from orchestrator.python_interface.plan import Plan
from orchestrator.python_interface.search_loop import SearchLoop, Until
from orchestrator.python_interface.settings import Settings, refuse_what_is_no_setting
from orchestrator.python_interface.table import Points, points_of

AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Optimiser])
Described: TypeAlias = Mapping[str, Any] | Space | Optimiser


def _names_settings(function: AnyFunction) -> AnyFunction:
    """The same, whose signature names each of the settings, which `help` shows and notebooks complete."""
    own = [one for one in signature(function).parameters.values() if one.kind is not Parameter.VAR_KEYWORD]
    told = signature(Optimiser).parameters
    named = [told[name] for name in Settings.__annotations__]
    function.__signature__ = signature(function).replace(parameters=[*own, *named])  # type: ignore[attr-defined]
    return function


@_names_settings
def minimise(
    function: Function,
    parameters: Described,
    trials: int | None = None,
    *,
    cost: float | None = None,
    executor: Executor | None = None,
    parallel: int | None = None,
    until: Until | None = None,
    points: Points | None = None,
    **settings: Unpack[Settings],
) -> Optimiser:
    """Evaluates a function ``trials`` times, or until that costs as much, where it is expected to be least.

    It is given a mapping of the parameters, and returns a number, or a mapping with it as ``value``, perhaps
    with a ``variance``, ``factors``, ``derivatives`` and the outcomes; or None where there is none. As long
    as no evaluation has succeeded, what it raises is raised, as it may be the function that is wrong; later,
    that is a warning and a trial that failed, and so is what is no number. Ctrl-C, or an executor that
    breaks, ends the search with a warning, unless nothing has been found yet.

    With ``store="search.jsonl"`` the file keeps it, and the same call goes on there, whatever ended the one
    before: ``trials`` are then all those that the file has. What was being evaluated is begun again first.

    Args:
        function: of one mapping, and perhaps a ``context``, by that name: ``context.report(3, loss=0.7)``
            says how it stands, and ends it where ``stop_when`` says that it is not worth its end. With an
            executor of processes it has to be importable. What is `async def`
            is awaited, in an event loop of the search's own; by an executor, in one of each evaluation's.
        parameters: as an `Optimiser` takes them; or an Optimiser, which goes on.
        trials: how many evaluations.
        cost: beside ``fidelity``, what they may cost together, in evaluations at full fidelity; the one that
            reaches it is the last. With both, whichever is reached first.
        executor: evaluates, as those of `concurrent.futures`; without one, evaluations are done here, one
            after the other, those of an `async def` function ``parallel`` at a time.
        parallel: how many it does at a time; as many as it has threads or processes, where it says.
        until: called with the Optimiser whenever evaluations have ended and were told; the search ends before
            its trials are spent where what that returns is true. It may show how it stands, or keep results.
            `Enough` is one that ends it by a time, a target or a patience: what runs by then still counts,
            and there need be no ``trials``.
        points: what is evaluated first, each a mapping of the parameters, as today's settings; they are among
            the ``trials``. Of one that leaves parameters out the rest is chosen, once its turn has come,
            after those that are whole. Beside a ``store``, those alone that are not in the file already.
        settings: ``seed``, ``constraints``, ``stop_when``, ``store`` and all else that an `Optimiser` takes.

    Returns:
        The Optimiser: its `best` or `front`, its `results`, and all that can be asked of it.

    Raises UsageError or SpecError for arguments that are wrong, and StoreError where a file cannot keep it.
    """
    terms = _Terms(trials, cost, executor, parallel, until, points)
    return _searched(function, parameters, "minimise", terms, settings)


@_names_settings
def maximise(
    function: Function,
    parameters: Described,
    trials: int | None = None,
    *,
    cost: float | None = None,
    executor: Executor | None = None,
    parallel: int | None = None,
    until: Until | None = None,
    points: Points | None = None,
    **settings: Unpack[Settings],
) -> Optimiser:
    """As `minimise`, where the function is expected to be most."""
    terms = _Terms(trials, cost, executor, parallel, until, points)
    return _searched(function, parameters, "maximise", terms, settings)


@dataclass(frozen=True, slots=True)
class _Terms:
    """How many evaluations there may be, what they may cost, who does them, how many at a time, what may end
    the search before, and which points are the caller's.
    """

    trials: int | None
    cost: float | None
    executor: Executor | None
    parallel: int | None
    until: Until | None
    points: Points | None


def _searched(
    function: Function, parameters: Described, goal: Goal, terms: _Terms, settings: Settings
) -> Optimiser:
    refuse_what_takes_no_mapping(function)
    refuse_what_is_no_setting(settings)
    if terms.until is not None and not callable(terms.until):
        raise UsageError(f"expected as `until` a function of the Optimiser, got {terms.until!r}")
    if terms.trials is None and terms.cost is None and not isinstance(terms.until, Enough):
        raise UsageError(
            "expected a number of trials, 1 or more, or a cost beside `fidelity`, got neither; what else ends"
            ' one is said by until=Enough(time="1 h")'
        )
    points = () if terms.points is None else points_of(terms.points)
    hands = hands_of(function, terms.executor, terms.parallel)
    plan = Plan(terms.trials, hands.parallel, terms.cost)
    optimiser = _optimiser(parameters, goal, plan, settings)
    kept = settings.get("store") is not None
    try:
        _refuse_what_is_no_search(optimiser, function)
        until = terms.until
        if isinstance(until, Enough):
            until = until.of_search(optimiser)
            if until(optimiser):
                # What a file has, or who hands an Optimiser over, may have come to that before.
                return optimiser
        first = FirstPoints.of(optimiser, points, again=not kept)
        SearchLoop(optimiser, function, hands, plan, until, first, kept=kept).run()
    finally:
        if kept:
            optimiser.close()
    return optimiser


def _refuse_what_is_no_search(optimiser: Optimiser, function: Function) -> None:
    if optimiser.stops_by and not takes_context(function):
        raise UsageError(
            "expected beside `stop_when` a function that reports how it stands, as"
            " `def f(parameters, context)`, which calls context.report(step, loss=0.7), got one without a"
            " `context`"
        )
    if optimiser.continues:
        raise UsageError(
            "expected a fidelity that does not continue, got one: the function is not told what it goes on"
            " from; ask and tell an Optimiser in a loop of your own"
        )
    if optimiser.clock is not None:
        raise UsageError(
            "expected an Optimiser without a clock, got one that is told the time with each ask: that takes a"
            " loop of your own"
        )
    if optimiser.blocks:
        raise UsageError(
            "expected an Optimiser without blocks, got one that is told of which block each value is: that"
            " takes a loop of your own"
        )
    refuse_names_of_the_value(optimiser.outcomes)


def _optimiser(parameters: Described, goal: Goal, plan: Plan, settings: Settings) -> Optimiser:
    """A new one, or the one that is handed over, to go on."""
    if not isinstance(parameters, Optimiser):
        return Optimiser(parameters, goal=goal, plan=plan, **settings)
    if settings:
        named = ", ".join(f"`{name}`" for name in settings)
        raise UsageError(
            f"expected no settings, which are told to the Optimiser that is handed over, got {named}"
        )
    if parameters.goal != goal:
        raise UsageError(f"expected an Optimiser that is to {goal}, got one to {parameters.goal}")
    return parameters
