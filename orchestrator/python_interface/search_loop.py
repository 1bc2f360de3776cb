"""The loop of a search in one call: who is free is given points, what ended is told, until all are spent."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Future
from queue import SimpleQueue
from typing import Any, TypeAlias

from orchestrator.errors import UsageError
from orchestrator.python_interface.answers import Asked
from orchestrator.python_interface.asking import NothingSure
from orchestrator.python_interface.enough import Enough
from orchestrator.python_interface.failures_explained import (
    explain_that_none_succeeded,
    explain_that_processes_ended,
)
from orchestrator.python_interface.first_points import FirstPoints, asked_at_most
from orchestrator.python_interface.hands import Function, Hands, HandsGone
from orchestrator.python_interface.optimiser import Optimiser
from orchestrator.python_interface.plan import Plan
from orchestrator.python_interface.returned import Returned
from orchestrator.python_interface.watch import Watch
from orchestrator.scheduler.standing import ROUNDING
from orchestrator.spelling import listed
from orchestrator.values.printable import printable_lines

Until: TypeAlias = Callable[[Optimiser], object]
EVERY_POINT = (
    "ended after {0} trials: every point was tried, and with `noise=0` a second value at one tells nothing"
)
OF_CALLER = 4
"""Whose line a warning names: above `SearchLoop.run`, and the two of `search` that lead here."""


class SearchLoop:
    """A search that goes on, with the caller's own trials ``first``. ``kept``: a file has it, what was told
    before counts, and what is not told is left to the next one.
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
            else:
                self._say_that_every_point_was_tried()
            self._say_what_was_never_reported()
        except (KeyboardInterrupt, BrokenExecutor) as error:
            self._told(running)
            interrupted = isinstance(error, KeyboardInterrupt)
            if not self._succeeded and not (interrupted and self._before):
                if isinstance(error, BrokenExecutor) and not isinstance(error, HandsGone):
                    explain_that_processes_ended(error)
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
            return own + asked_at_most(self._optimiser, free - len(own))
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

    def _say_that_every_point_was_tried(self) -> None:
        if self._paid_for > 0 and self._optimiser.untried == 0 and self._optimiser.tried_once:
            words = EVERY_POINT.format(self._before + self._done)
            warnings.warn(words, RuntimeWarning, stacklevel=OF_CALLER + 1)

    @property
    def _wanted(self) -> int:
        """How many more trials may be begun, of those that there is room for."""
        untried = self._optimiser.untried
        by_points = (
            math.inf if untried is None else untried + len(self._first.attached) + len(self._first.parts)
        )
        return int(max(0, min(self._plan.parallel, self._paid_for, by_points)))

    @property
    def _paid_for(self) -> float:
        """How many more trials may be begun: one costs as much as one at full fidelity, at most."""
        if self._over:
            return 0
        trials, cost = self._plan.trials, self._plan.cost
        by_trials = math.inf if trials is None else trials - self._before - len(self._begun)
        by_cost = math.inf if cost is None else math.ceil(cost - self._spent - ROUNDING)
        return min(by_trials, by_cost)

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
            explain_that_none_succeeded(error, asked.parameters)
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
