"""The core as a Python object where nobody can measure: ask for points, say which of two trials is better.

For a loop of one's own, as `Optimiser` is for values.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Comparison, Observation, Problem
from orchestrator.algorithms.by_comparison import ByComparison
from orchestrator.algorithms.insight import Insight
from orchestrator.arrays import FloatArray
from orchestrator.errors import UsageError
from orchestrator.numerics.floating_errors import numpys_own_errors
from orchestrator.parameters.space import Space
from orchestrator.python_interface.answers import Asked, Preferred
from orchestrator.python_interface.asking import answered, trials_wanted
from orchestrator.python_interface.kept import reduced
from orchestrator.python_interface.outcomes import reason_of, seed_of
from orchestrator.python_interface.plan import Plan
from orchestrator.python_interface.reading import Reading
from orchestrator.python_interface.record import record_of, replay_begun
from orchestrator.python_interface.shown import InRows
from orchestrator.python_interface.trials import Trials
from orchestrator.python_interface.unknown_arguments import says_what_is_meant
from orchestrator.search_files.events import (
    ComparisonsTakenBack,
    Event,
    TrialFailed,
    TrialsCompared,
)
from orchestrator.search_files.problem import constraints_in_words
from orchestrator.system.blas_threads import one_thread
from orchestrator.system.held_interrupt import interrupt_held
from orchestrator.values.plain import copied, whole_number
from orchestrator.wanted_outcomes import described

OF_ANY_POINT = "`attach(parameters)` has a trial of any point"


class Preferences:
    """Asks for points, is told which of two trials is better, and asks better.

    The same calls with the same ``seed`` give the same points: those of a run whose objective is told by
    comparison, where that has one trial at a time. Threads may share one, and it can be pickled, as an
    `Optimiser`.

    Args:
        parameters: as an `Optimiser` takes them, but for ``travel``, ``change``, ``tolerance``,
            ``in_use``, ``prior`` and ``promising``.
        seed: 0 or more; all that is random follows from it.
        constraints: inequalities, as ``["inner < outer"]``, that hold of every trial, and linear equalities,
            by each of which a parameter is computed.
        store: the path of a file that keeps all that is asked and said, as that of an `Optimiser`.

    Raises SpecError or UsageError for anything in these that is wrong, and StoreError for a file that cannot
    be gone on with, as whatever is to be kept and cannot be.
    """

    @says_what_is_meant({})
    def __init__(
        self,
        parameters: Mapping[str, object] | Space,
        *,
        seed: int = 0,
        constraints: Sequence[str] | None = None,
        store: str | PathLike[str] | None = None,
    ) -> None:
        with numpys_own_errors():
            self._space, _ = described(parameters, constraints, None, ())
        own = self._space
        unheeded = {
            "travel": own.travel,
            "change": own.changes,
            "tolerance": own.tolerances,
            "in_use": own.in_use,
            "prior": own.priors,
            "promising": own.hunches,
        }
        for what, named in unheeded.items():
            if named:
                raise UsageError(
                    f"expected parameters without `{what}`, which the search by comparisons does not heed,"
                    f" got one of `{next(iter(named))}`"
                )
        self._problem = Problem(self._space.domain, seed=seed_of(seed), compared=True)
        self._trials = Trials()
        self._places: dict[int, FloatArray] = {}
        self._failed: dict[int, FloatArray] = {}
        self._compared: list[Comparison] = []
        self._algorithm = self._anew()
        self._reading = Reading(self._problem, self._space, None, 1.0, ByComparison)
        self._turn = threading.Lock()
        told = constraints_in_words(parameters, constraints)
        said = {"seed": self._problem.seed, "constraints": told, "compared": True}
        self._record, kept = record_of(store, self._space, said, Plan())
        with self._calculating():
            for event in kept:
                self._replay(event)

    def __repr__(self) -> str:
        told, pending = len(self._compared), len(self._trials.pending)
        count = len(self._space.names)
        over = f"over {count} parameter{'' if count == 1 else 's'}"
        return f"<Preferences: {over}; {told} comparisons told, {pending} trials pending>"

    def __getstate__(self) -> dict[str, Any]:
        with self._turn:
            left_out = ("_turn", "_algorithm")
            held = {name: value for name, value in vars(self).items() if name not in left_out}
            # Other threads go on with these, while what this returns is being written.
            return held | {
                "_trials": self._trials.copied(),
                "_places": dict(self._places),
                "_failed": dict(self._failed),
                "_compared": list(self._compared),
                "_record": self._record.unkept(),
            }

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _turn=threading.Lock())
        self._algorithm = self._told_again()

    @contextmanager
    def _calculating(self) -> Iterator[None]:
        with self._turn, one_thread(), numpys_own_errors():
            yield

    @property
    def pending(self) -> tuple[int, ...]:
        """The trials asked, and neither compared yet, nor failed or abandoned."""
        with self._turn:
            return tuple(self._trials.pending)

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """All that was told and not taken back, in order: which trial is ``better``, which ``worse``, and
        whether they are ``alike`` instead.
        """
        with self._turn:
            return tuple(self._compared)

    @property
    def store(self) -> Path | None:
        """The file that keeps it, if there is one."""
        return self._record.path

    def close(self) -> None:
        """Let others have the file that keeps it: nothing more can be asked or said here."""
        with self._turn:
            self._record.close()

    @says_what_is_meant({})
    def ask(self, n: int = 1) -> InRows[Asked]:
        """The next n trials, beside those that are pending: first those that an earlier process asked for,
        where a file has them. Raises UsageError for an n that is not a whole number above 0.
        """
        wanted = trials_wanted(n)
        with self._calculating():
            left = self._trials.fitting(wanted, {})
            if len(left) == wanted:
                self._trials.hand_out(left)
                return InRows(left)
            pending = list(self._trials.pending.values())
            suggestions = self._algorithm.ask(wanted - len(left), pending, self._trials.key)
            decoded = [self._space.suggested(suggestion.point) for suggestion in suggestions]
            asked = answered(self._trials.following, suggestions, decoded, self._reading)
            points = [self._space.encode(parameters) for parameters in decoded]
            # Last of all: an interrupt before this leaves no trials that nobody was given.
            aside = [False] * len(points)
            with interrupt_held():
                self._record.asked({}, asked, decoded, aside)
                self._trials.answered(points, decoded, aside)
                self._trials.hand_out(left)
            return InRows([*left, *asked])

    def attach(self, parameters: Mapping[str, object]) -> Asked:
        """A trial at a point of the caller's own, compared as those that are asked for. Raises SpecError for
        parameters that are wrong or do not satisfy the constraints.
        """
        with self._calculating():
            place = self._reading.allowed_place(parameters)
            given = copied(self._space.given(place.parameters))
            asked = Asked(self._trials.following, given, None, {"source": "caller"})
            with interrupt_held():
                self._record.attached(asked.trial, place.parameters, asked.cost)
                self._trials.begin(place.point, place.parameters)
            return asked

    def prefer(self, trial: int, over: int) -> None:
        """A trial was found better than another one. Any two may be compared, as often as one likes: what is
        said twice is surer, and who contradicts is believed half. Raises UsageError for trials that were
        never asked, or failed or were abandoned, and for one twice.
        """
        self._compare(trial, over, alike=False)

    def like(self, trial: int, other: int) -> None:
        """Nobody can tell which of two trials is better. Raises as `prefer`."""
        self._compare(trial, other, alike=True)

    def take_back(self, trial: int, other: int) -> None:
        """All that was said of how two trials compare, in either order, does not hold. Raises UsageError
        where nothing was.
        """
        with self._calculating():
            numbers = whole_number(trial), whole_number(other)
            both = set(numbers)
            if all({one.better, one.worse} != both for one in self._compared):
                hint = _hint(trial, other)
                raise UsageError(f"expected trials that were compared, got {trial!r} and {other!r}{hint}")
            with interrupt_held():
                self._record.taken_back(*numbers)
                self._forget(both)

    def fail(self, trial: int, *, reason: str | None = None) -> None:
        """A trial could not be made, for a ``reason`` that is kept in a line, and its point is not tried
        again. Raises UsageError for one that is not pending.
        """
        said = reason_of(reason, None)
        with self._calculating(), interrupt_held():
            number = self._trials.waiting(trial, OF_ANY_POINT)
            self._record.failed(number, said)
            self._learn_failure(number)

    def abandon(self, trial: int) -> None:
        """A trial that will not be compared, for a reason that says nothing of its point, which may be asked
        for again. Raises UsageError for one that is not pending.
        """
        with self._calculating(), interrupt_held():
            number = self._trials.waiting(trial, OF_ANY_POINT)
            self._record.abandoned(number)
            self._trials.settle(number, "abandoned")

    def best(self) -> Preferred:
        """The trial that is believed best. Raises UsageError before a comparison."""
        with self._calculating():
            found = self._algorithm.insight().preferred
            if found is None:
                raise UsageError("there is no best yet: no comparison has been told; ask and prefer first")
            told = self._space.decode(self._places[found.trial])
            return Preferred(found.trial, copied(self._space.given(told)), found.next, found.chance)

    def chance(self, parameters: Mapping[str, object], over: int) -> float:
        """How likely a point is truly better than a trial that was compared, by all that was told. Raises
        UsageError for a trial that was not, and SpecError for parameters that are wrong.
        """
        with self._calculating():
            told = {number for one in self._compared for number in (one.better, one.worse)}
            number = whole_number(over)
            if number not in told:
                raise UsageError(f"expected a trial that was compared, got {over!r}{_hint(over)}")
            return self._algorithm.chance(self._reading.place(parameters).point, self._places[number])

    def insight(self) -> Insight:
        """What the search believes now: the utility's hyperparameters, and which trial is preferred."""
        with self._calculating():
            return self._algorithm.insight()

    def _compare(self, trial: int, other: int, alike: bool) -> None:
        with self._calculating():
            if trial == other:
                raise UsageError(f"expected two trials, got {trial!r} twice")
            numbers = [self._comparable(one) for one in (trial, other)]
            told = Comparison(numbers[0], numbers[1], alike)
            with interrupt_held():
                self._record.compared(told)
                self._learn(told)

    def _replay(self, event: Event) -> None:
        replay_begun(event, self._reading, self._trials)
        match event:
            case TrialsCompared(better, worse, alike):
                self._learn(Comparison(better, worse, alike))
            case ComparisonsTakenBack(trial, other):
                self._forget({trial, other})
            case TrialFailed(trial):
                self._learn_failure(trial)

    def _learn(self, told: Comparison) -> None:
        for number in (told.better, told.worse):
            self._place(number)
        self._algorithm.compare([told])
        self._compared.append(told)

    def _learn_failure(self, number: int) -> None:
        self._failed[number] = self._trials.pending[number]
        self._algorithm.tell([Observation(number, self._failed[number], None)])
        self._trials.settle(number, "failed")

    def _forget(self, both: Set[int | None]) -> None:
        self._compared = [one for one in self._compared if {one.better, one.worse} != both]
        self._algorithm = self._told_again()

    def _comparable(self, trial: int) -> int:
        """Raises UsageError for a trial that is neither pending nor compared before."""
        number = whole_number(trial)
        if number in self._trials.pending or number in self._places:
            assert number is not None
            return number
        how = None if number is None else self._trials.settled.get(number)
        came = ", which was never asked" if how is None else f", which is {how} already"
        came = _hint(trial) or came
        raise UsageError(f"expected the number of a trial that was asked, and made, got {trial!r}{came}")

    def _place(self, number: int) -> None:
        if number not in self._places:
            self._places[number] = self._trials.pending[number]
            self._algorithm.tell([Observation(number, self._places[number], None)])
            self._trials.settle(number, "compared")

    def _anew(self) -> ByComparison:
        built = registry.build("auto", self._problem)
        assert isinstance(built, ByComparison)
        return built

    def _told_again(self) -> ByComparison:
        algorithm = self._anew()
        for number, point in sorted({**self._places, **self._failed}.items()):
            algorithm.tell([Observation(number, point, None)])
        algorithm.compare(self._compared)
        return algorithm


def _hint(*told: object) -> str:
    """What to say in the place of a trial itself."""
    is_whole = any(isinstance(one, Asked | Preferred) for one in told)
    return "; a trial's number is its `.trial`" if is_whole else ""
