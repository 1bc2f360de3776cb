"""A whole search of a function in one call: an `Optimiser` is asked and told until its trials are spent."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass
from inspect import Parameter, signature
from queue import SimpleQueue
from typing import Any, TypeAlias, TypeVar, Unpack

from orchestrator.errors import UsageError
from orchestrator.objectives import Goal
from orchestrator.parameters.space import Space
from orchestrator.python_interface.answers import Asked
from orchestrator.python_interface.asking import NothingSure
from orchestrator.python_interface.enough import Enough
from orchestrator.python_interface.first_points import FirstPoints
from orchestrator.python_interface.hands import (
    Function,
    Hands,
    HandsGone,
    hands_of,
    refuse_what_takes_no_mapping,
    takes_context,
)
from orchestrator.python_interface.optimiser import Optimiser
from orchestrator.python_interface.outcomes import refuse_names_of_the_value
from orchestrator.python_interface.plan import Plan
from orchestrator.python_interface.returned import Returned
from orchestrator.python_interface.settings import Settings, refuse_what_is_no_setting
from orchestrator.python_interface.table import Points, points_of
from orchestrator.python_interface.watch import Watch
from orchestrator.scheduler.standing import ROUNDING
from orchestrator.spelling import listed
from orchestrator.values.printable import printable_lines

AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Optimiser])
Until: TypeAlias = Callable[[Optimiser], object]
Described: TypeAlias = Mapping[str, Any] | Space | Optimiser
OF_PROCESSES = (
    "Processes import the function from its module: what a notebook, or another function, defines is in none,"
    ' and a script searches under `if __name__ == "__main__":`. Threads take any function.'
)
OF_PICKLING = ("pickle", "local object")
"""What Python says of a function that cannot be sent to a process: before 3.14, of some, the latter alone."""
OF_SUGGESTIONS = "attribute 'suggest"
STATED_BEFOREHAND = (
    'Parameters are stated beforehand, as {"x": (0.0, 1.0)}, and the function is given a mapping of them:'
    ' parameters["x"]. What counts only beside some values of another one has a `when`.'
)
"""Of a function whose parameter is a trial of Optuna's."""
OF_CALLER = 4
"""Whose line a warning names: above `_Search.run`, `_searched` and `minimise`."""


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
    enough = terms.until if isinstance(terms.until, Enough) else None
    if terms.trials is None and terms.cost is None and enough is None:
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
        if enough is not None and enough(optimiser):
            # What a file has, or who hands an Optimiser over, may have come to that before.
            return optimiser
        first = FirstPoints.of(optimiser, points, again=not kept)
        _Search(optimiser, function, hands, plan, terms.until, first, kept=kept).run()
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


class _Search:
    """One that goes on, with the caller's own trials ``first``. ``kept``: a file has it, what was told before
    counts, and what is not told is left to the next one.
    """

    def __init__(
        self,
        optimiser: Optimiser,
        function: Function,
        hands: Hands,
        plan: Plan,
        until: Until | None,
        first: FirstPoints,
        *,
        kept: bool,
    ) -> None:
        self._kept = kept
        self._before = optimiser.told if kept else 0
        self._optimiser = optimiser
        self._function = function
        self._hands = hands
        self._plan = plan
        self._until = until
        self._first = first
        self._begun: list[int] = []
        self._done = 0
        self._spent = optimiser.spent if kept else 0.0
        self._succeeded = False
        self._over = False
        self._reported: set[str] = set()

    def run(self) -> None:
        """Until the trials are spent, or something ends it before."""
        running: dict[Future[Any], Asked] = {}
        # Of what is cancelled `concurrent.futures.wait` hears nothing.
        ended: SimpleQueue[Future[Any]] = SimpleQueue()
        try:
            while running or self._wanted:
                free = min(self._plan.parallel - len(running), self._wanted)
                following = self._following(free, bool(running)) if free else []
                if not (running or following):
                    break
                self._begun += [asked.trial for asked in following]
                self._spent += sum(asked.cost for asked in following)
                for asked in following:
                    watch = self._optimiser.watch(asked.trial)
                    submitted = self._hands.begin(self._function, dict(asked.parameters), watch)
                    running[submitted] = asked
                    submitted.add_done_callback(ended.put)
                while ended.get() not in running:
                    # It was told with another.
                    pass
                for asked, error in self._told(running):
                    self._fail(asked, error)
                if self._until is not None and self._until(self._optimiser):
                    if not isinstance(self._until, Enough):
                        break
                    # As at the end of a run, what has begun ends, and counts.
                    self._over = True
            self._say_what_was_never_reported()
        except (KeyboardInterrupt, BrokenExecutor) as error:
            self._told(running)
            interrupted = isinstance(error, KeyboardInterrupt)
            if not self._succeeded and not (interrupted and self._before):
                if isinstance(error, BrokenExecutor) and not isinstance(error, HandsGone):
                    error.add_note(OF_PROCESSES)
                raise
            why = "interrupted" if interrupted else "ended"
            because = f": {error}" if str(error) else ""
            of = "" if self._plan.trials is None else f" of {self._plan.trials}"
            warnings.warn(
                f"{why} after {self._before + self._done}{of} trials{because}",
                RuntimeWarning,
                stacklevel=OF_CALLER,
            )
        finally:
            for future in running:
                future.cancel()
            if not self._kept:
                begun = {*self._begun, *(one.trial for one in self._first.attached)}
                for trial in begun.intersection(self._optimiser.pending):
                    self._optimiser.abandon(trial)
            # Last: it waits for what is cancelled, for which who interrupts again does not.
            self._hands.let_go()

    def _following(self, free: int, others_run: bool) -> Sequence[Asked]:
        """As many as are free, the caller's own first; fewer, or none, where no more are sure to keep limits.
        Of what runs something may be learned that makes others sure; else that ends the search, unless it is
        to begin.
        """
        own = self._first.attached_next(free)
        try:
            while self._first.parts and len(own) < free:
                own.append(self._first.part_completed(self._optimiser))
            return own + self._optimiser.ask(free - len(own)) if len(own) < free else own
        except NothingSure as nothing:
            if own:
                return own
            if not (others_run or self._done):
                raise
            if not others_run:
                done = self._before + self._done
                warnings.warn(
                    f"ended after {done} trials: {nothing}", RuntimeWarning, stacklevel=OF_CALLER + 1
                )
            return []

    def _say_what_was_never_reported(self) -> None:
        quantity = self._optimiser.stops_by
        if quantity is not None and self._done and quantity not in self._reported:
            came = f"got {listed(sorted(self._reported), 'and')}" if self._reported else "got none"
            words = (
                f"nothing was stopped: expected reports of `{quantity}`, by which `stop_when` goes, {came}"
            )
            warnings.warn(words, RuntimeWarning, stacklevel=OF_CALLER + 1)

    @property
    def _wanted(self) -> int:
        """How many more trials may be begun, of those that there is room for: a trial costs as much as one at
        full fidelity, at most.
        """
        if self._over:
            return 0
        trials, cost = self._plan.trials, self._plan.cost
        by_trials = math.inf if trials is None else trials - self._before - len(self._begun)
        by_cost = math.inf if cost is None else math.ceil(cost - self._spent - ROUNDING)
        untried = self._optimiser.untried
        by_rows = math.inf if untried is None else untried + len(self._first.attached)
        return int(max(0, min(self._plan.parallel, by_trials, by_cost, by_rows)))

    def _told(self, running: dict[Future[Any], Asked]) -> list[tuple[Asked, BaseException]]:
        """Of what runs, what ended is told, and what failed is returned: that comes last, lest it takes what
        succeeded with it.
        """
        failed: list[tuple[Asked, BaseException]] = []
        ended = [future for future in running if future.done()]
        for future in sorted(ended, key=lambda one: running[one].trial):
            asked = running.pop(future)
            error = (
                HandsGone(f"trial {asked.trial} was cancelled") if future.cancelled() else future.exception()
            )
            if isinstance(error, SystemExit):
                # It was to end another thread or process, and neither this one nor the search.
                error = UsageError(f"the function ended with sys.exit({error.code!r}), and gave no value")
            if error is None:
                try:
                    self._tell(asked.trial, *future.result())
                except UsageError as refusal:
                    error = refusal
            if error is None:
                self._done += 1
            else:
                failed.append((asked, error))
        return failed

    def _fail(self, asked: Asked, error: BaseException) -> None:
        if isinstance(error, BrokenExecutor) or not isinstance(error, Exception):
            raise error
        if not self._succeeded:
            error.add_note(
                "Raised because no evaluation has succeeded yet; where a point has no value, return None. The"
                f" function was given {asked.parameters}."
            )
            if any(words in str(error) for words in OF_PICKLING):
                error.add_note(OF_PROCESSES)
            if OF_SUGGESTIONS in str(error):
                error.add_note(STATED_BEFOREHAND)
            raise error
        why = f"{type(error).__name__}: {error}"
        self._optimiser.tell(asked.trial, None, reason=why)
        self._done += 1
        words = printable_lines(f"trial {asked.trial} failed: {why}")
        warnings.warn(words, RuntimeWarning, stacklevel=OF_CALLER + 1)

    def _tell(self, trial: int, returned: object, seconds: float, watch: Watch) -> None:
        self._reported |= watch.quantities
        if watch.stopped:
            self._optimiser.tell(trial, None, watch=watch)
            self._succeeded = True
            return
        if returned is None and not (self._succeeded or self._done):
            warnings.warn(
                f"trial {trial} returned None, which says that it has no value: is a `return` missing?",
                RuntimeWarning,
                stacklevel=OF_CALLER + 2,
            )
        named = self._optimiser.outcomes
        if self._optimiser.is_computed:
            came = Returned.to_compute_from(returned, named)
        else:
            came = Returned.of(returned, named, derivatives=self._optimiser.derivatives_by)
        told = {"value": returned} if isinstance(returned, Mapping) else came.told
        self._optimiser.tell(trial, **told, seconds=seconds, reason=came.reason, watch=watch)
        self._succeeded |= came.succeeded
