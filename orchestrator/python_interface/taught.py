"""What an Optimiser is told: what came of its trials, results known from elsewhere, and points of the
caller's own.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, SupportsFloat

import numpy as np

from orchestrator.algorithms.base import Algorithm
from orchestrator.algorithms.points_left import is_tried_once, points_left
from orchestrator.errors import SpecError, UsageError
from orchestrator.parameters.space import MissingValue
from orchestrator.python_interface.answers import Asked
from orchestrator.python_interface.asking import EVERY_ONE, NothingSure, within_of
from orchestrator.python_interface.findings import Findings
from orchestrator.python_interface.of_all_results import with_what_all_had
from orchestrator.python_interface.outcomes import foreseen_of
from orchestrator.python_interface.reference import judged_anew, learn_levels
from orchestrator.python_interface.results import Place, Result, Telling
from orchestrator.python_interface.shown import InRows
from orchestrator.python_interface.table import Rows, points_of, results_of, rows_of
from orchestrator.python_interface.travel import refuse_to_attach
from orchestrator.python_interface.unknown_arguments import OF_A_POINT_TOLD, OF_TELLING, says_what_is_meant
from orchestrator.python_interface.watch import Reported, Stopping, Watch, watch_of
from orchestrator.runtime.evaluations.seed import evaluation_seed
from orchestrator.system.held_interrupt import interrupt_held
from orchestrator.values.plain import copied

CHOSEN_BESIDE = 'where the rest is to be chosen, attach that one alone: attach({"x": 0.5})'


class Taught(Findings):
    """The part of an `Optimiser` that learns. Threads may share one: their calls take turns."""

    _stopping: Stopping | None
    _reference_times: int
    """So many of the first trials are of the reference."""
    _limits_moved = False
    """Since results were judged, by one of the reference."""

    @abstractmethod
    def _built(self) -> Algorithm:
        """An algorithm that was told nothing."""

    @says_what_is_meant(OF_TELLING)
    def tell(
        self,
        trial: int,
        value: SupportsFloat | Mapping[str, Any] | None = None,
        variance: SupportsFloat | None = None,
        factors: Sequence[SupportsFloat] | None = None,
        outcomes: Mapping[str, SupportsFloat] | None = None,
        *,
        derivatives: Mapping[str, SupportsFloat | None] | None = None,
        foreseen: bool = False,
        seconds: SupportsFloat | None = None,
        block: str | float | date | None = None,
        reason: str | None = None,
        watch: Watch | None = None,
    ) -> None:
        """A trial's value, perhaps with its noise variance and one value a factor, and with all ``outcomes``
        that there are; where it is computed, these alone. None, and no outcomes: it failed for good, for a
        ``reason`` that is kept in a line. A mapping in the place of the value has all of these, as what the
        function of a search returns: ``{"value": 1.2, "heat": 75.0}``; what else is in it is kept with the
        trial. ``foreseen``: its evaluation was stopped, and the value and its
        variance are what it would probably have come to; it is learned from, and is no best. ``seconds``:
        what the evaluation took, which an algorithm may weigh.
        ``derivatives``: of the value, by parameters, in their own units, as far as they are known: None and
        NaN are not. ``block``: of which it is, where there are ``blocks``; those that say none are of one
        block more, or of the day. ``watch``: what it reported on its way; of one that was stopped by it, what
        is foreseen is told in the place of the value: or, by a limit, that it failed.

        Raises UsageError for a trial that was never asked or is told already, for values that are not
        finite numbers, or not one a factor or outcome, and for what is foreseen of more than the one value;
        the trial is then still to be told.
        """
        with self._calculating():
            number = self._trials.waiting(trial)
            told = value, variance, factors, outcomes, foreseen_of(foreseen)
            telling = Telling(*told, seconds=seconds, block=block, reason=reason, derivatives=derivatives)
            telling = self._reading.taken_apart(telling)
            if watch is not None:
                telling = watch_of(watch).telling(number, telling)
            result = self._trials.result(number, telling, self._reading)
            with interrupt_held():
                self._record.told(result, watch)
                self._learn(result, None if watch is None else watch.reported)
                self._relate()
                self._trials.settle(number, "told")

    def abandon(self, trial: int) -> None:
        """A trial that will not be told, for a reason that says nothing of its point, which may be asked for
        again. Raises UsageError for one that is not pending.
        """
        with self._calculating(), interrupt_held():
            number = self._trials.waiting(trial)
            self._record.abandoned(number)
            self._trials.settle(number, "abandoned")

    def watch(self, trial: int) -> Watch:
        """What an evaluation reports to while it runs, here or in another process, and which says when it is
        to be stopped; its curve is learned from where it is told with the value. By how others ended none is
        stopped that was asked for while parameters were held: other values are good there. Raises UsageError
        for a trial that is not pending.
        """
        with self._turn:
            number = self._trials.waiting(trial)
            seed, alike = evaluation_seed(self._problem.seed, number), number not in self._trials.held
            return Watch(number, self._stopping, seed=seed, alike=alike)

    @says_what_is_meant(OF_A_POINT_TOLD)
    def learn(
        self,
        parameters: Mapping[str, object],
        value: SupportsFloat | None = None,
        variance: SupportsFloat | None = None,
        factors: Sequence[SupportsFloat] | None = None,
        outcomes: Mapping[str, SupportsFloat] | None = None,
        *,
        block: str | float | date | None = None,
        derivatives: Mapping[str, SupportsFloat | None] | None = None,
        seconds: SupportsFloat | None = None,
    ) -> None:
        """A result known from elsewhere, which need not satisfy the constraints, lie on steps, nor bring all
        outcomes: it is still learned from. ``seconds``: what its evaluation took, from nothing on, which
        counts as on one machine of all that is known so. Raises SpecError for parameters that are wrong, else
        as `tell`.
        """
        with self._calculating():
            told = value, variance, factors, outcomes
            telling = Telling(*told, seconds=seconds, block=block, derivatives=derivatives)
            result = self._reading.known(parameters, telling)
            with interrupt_held():
                self._record.learned([result])
                self._learn(result)
                self._relate()

    def learn_all(
        self, results: Rows, *, value: str = "value", where: Mapping[str, object] | None = None
    ) -> int:
        """Many results known from elsewhere, in order, each as `learn` takes it: a data frame, columns by
        name, or mappings, as `csv.DictReader` has them: there numbers are texts. Names are the parameters'
        (or Optuna's ``params_x``), ``value`` (or what that argument says), and perhaps ``variance``,
        ``factor_1`` and so on, the outcomes', ``held`` of what was asked for while parameters were, ``block``
        where there are blocks, and ``seconds`` where how long evaluations take is learned, each the whole of
        it; others are left alone. A row without a value, None or NaN, failed,
        unless its ``state`` says otherwise, as `orchestrator export` writes it, and is left out then.
        ``where``: what all of them had in parameters that have no column, as those that nobody varied then.

        Returns how many were learned. Raises UsageError, having learned none, that says of rows, counted from
        0, what is wrong with them.
        """
        columns = with_what_all_had(self._columns(value), where, self._reading)
        rows = rows_of(results, columns)
        with self._calculating():
            read = results_of(rows, columns, self._reading)
            with interrupt_held():
                self._record.learned(read)
                for result in read:
                    self._learn(result)
                self._relate()
        return len(read)

    def attach(self, parameters: Mapping[str, object]) -> Asked:
        """A trial at a point of the caller's own, told as those that are asked for; until then it counts as
        one that runs. Where settings may travel only so far, it says where the machine stands now. Raises
        SpecError for parameters that are wrong or do not satisfy the constraints, and UsageError where they
        may travel only so far and trials are left to be asked for, as the reference is.

        Of a part of a point the rest is chosen now, to be best beside it, as by `ask` of what is ``held``,
        which says what is raised then.
        """
        with self._calculating():
            part = self._reading.is_part(parameters)
        return self._asked(1, parameters, again=True)[0] if part else self.attach_all([parameters])[0]

    def _reference_left(self) -> list[Asked]:
        """The trials of the reference that are still to be handed out: from then on they run."""
        with self._calculating():
            times = self._reference_times
            left = [one.asked for one in self._trials.left.values() if one.asked.trial <= times]
            self._trials.hand_out(left)
            return left

    def parts_among(self, points: Iterable[Mapping[str, Any]], *, again: bool = True) -> list[int]:
        """Which of the points, from 0, are parts, to be attached one by one as their turns come; where
        not ``again``, without those of which that was done and more came, as where a search goes on in its
        file. Raises as `attach`.
        """
        with self._calculating():
            listed = points_of(points)
            parts = [number for number, one in enumerate(listed) if self._reading.is_part(one)]
            for number in parts:
                self._asking.require_that_some_is_held(listed[number])
            if again:
                return parts
            held = [self._asking.told_of(listed[number]) for number in parts]
            return [parts[one] for one in self._record.not_asked(held, self._trials.pending)]

    def attach_all(self, points: Iterable[Mapping[str, Any]], *, again: bool = True) -> list[Asked]:
        """Such a trial at each of the points, or none at all. Where not ``again``, those are left out at
        which there is one already, as where a search goes on in its file. Raises as `attach`.
        """
        with self._calculating():
            try:
                places = [self._reading.allowed_place(one) for one in points_of(points)]
            except MissingValue as error:
                raise SpecError(f"{error}; {CHOSEN_BESIDE}") from None
            if not again:
                places = self._record.not_attached(places)
            if places:
                refuse_to_attach(self._space, self._trials)
            with interrupt_held():
                return [self._attached(place) for place in places]

    @property
    def tried_once(self) -> bool:
        """Whether a second value at a point tells nothing: values are exact, and come of the point alone."""
        return is_tried_once(self._problem, self.outcomes)

    @property
    def untried(self) -> int | None:
        """How many of the candidates may still be asked for, or points of a finite space with exact values
        are not tried: a search ends with the last of them. None where another value may tell something.
        """
        if self.tried_once:
            left = self._points_left(None)
            return None if math.isinf(left) else int(left)
        rows, table = self._space.domain.rows, self._space.candidates
        if rows is None or table is None or table.again:
            return None
        points = [*self._trials.pending.values()]
        points += [
            self._space.encode(self._space.nearest(one.parameters)) for one in self._told_results.results
        ]
        used = {int(rows.numbers(point[None, :])[0]) for point in points} - {-1}
        return len(rows) - len(used)

    def _points_left(self, held: Mapping[str, object] | None) -> float:
        """How many may still be asked for where parameters are held; infinite where any may be again."""
        if not self.tried_once:
            return math.inf
        domain = within_of(self._reading, held) or self._space.domain
        if domain.is_continuous.any():
            return math.inf
        told = [one.observation for one in self._told_results.results]
        tried = [*self._trials.pending.values(), *(one.point for one in told if not one.foreseen)]
        return points_left(domain, np.array(tried).reshape(-1, domain.dimension))

    def _asked(
        self, n: int, held: Mapping[str, object] | None, sharing: Sequence[str] = (), *, again: bool = False
    ) -> InRows[Asked]:
        with self._calculating():
            most = math.inf if again else self._points_left(held)
            try:
                asked = self._asking.trials_for(n, held, self._told_results, sharing, most=most)
            except NothingSure:
                if self._space.candidates is not None and self.untried == 0:
                    raise UsageError(EVERY_ONE) from None
                raise
            if self._problem.blocks or self._problem.threshold is not None:
                self._asking.stock_taken(self._told_results)
            return InRows(asked)

    def _attached(self, place: Place) -> Asked:
        given, cost = copied(self._space.given(place.parameters)), self._reading.cost(place.parameters)
        asked = Asked(self._trials.following, given, None, {"source": "caller"}, cost)
        self._record.attached(asked.trial, place.parameters, cost)
        self._trials.begin(place.point, place.parameters)
        self._trials.priced([asked])
        return asked

    def _learn(self, result: Result, reported: Reported | None = None) -> None:
        if reported is not None and self._stopping is not None and not result.observation.held:
            self._stopping.learn(result.value, reported)
        cost = None if result.trial is None else self._trials.costs.get(result.trial)
        continues = None if result.trial is None else self._trials.continues.get(result.trial)
        observation = self._reading.learn(result, cost, continues)
        if self._space.changes and result.trial is not None:
            seconds = self._trials.machine.tell(result.parameters, observation.seconds)
            observation = replace(observation, seconds=seconds)
        if self._problem.blocks and result.trial is None:
            # One that is believed best is to be found again.
            observation = replace(observation, trial=-1 - len(self._told_results.results))
        if self._reading.relative:
            # It may have to be told again.
            result = replace(result, observation=observation)
        self._told_results.add(result)
        there = None if self._reading.reference is None else self._reading.reference.parameters
        if result.parameters == there and learn_levels(self._reading, self._told_results.results, there):
            self._limits_moved = True
        if not self._limits_moved:
            self._algorithm.tell([observation])
            self._find(result)

    def _find(self, result: Result) -> None:
        cost = 1.0 if result.trial is None else self._trials.costs.get(result.trial, 1.0)
        self._found.add(result, self._space.given(result.parameters), cost)

    def _relate(self) -> None:
        """Once all is learned that came at once: where the limits moved that are relative to the reference,
        all results are judged anew, and an algorithm that knows of none is told all of them.
        """
        if not self._limits_moved:
            return
        self._limits_moved = False
        results = [judged_anew(self._reading, one) for one in self._told_results.results]
        self._algorithm = self._built()
        for one in results:
            self._algorithm.tell([one.observation])
        self._told_results.put_in_place(results)
        self._found = replace(self._found, best=None, front=[], since=0.0)
        for one in results:
            self._find(one)
