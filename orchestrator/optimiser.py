"""The core as a Python object: ask for points, tell their values, in the parameters' own units.

For a loop of one's own. The command line's runs have workers, a journal and recovery besides.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import (
    AskKey,
    Insight,
    Noise,
    Prediction,
    Problem,
    in_own_terms,
    reasons,
)
from orchestrator.algorithms.faults import refuse_what_is_no_answer, refuse_what_is_no_refit
from orchestrator.algorithms.observed import observed, with_outcomes
from orchestrator.arrays import FloatArray
from orchestrator.blas_threads import one_thread
from orchestrator.errors import SpecError, UsageError
from orchestrator.held_interrupt import interrupt_held
from orchestrator.named_factors import numbered
from orchestrator.objectives import as_good
from orchestrator.parameter_kinds import FloatParameter
from orchestrator.python_answers import Asked, Best
from orchestrator.python_options import options_of
from orchestrator.python_outcomes import (
    factors_of,
    further_of,
    noise_of,
    outcomes_of,
    sign_of,
    value_of,
    variance_of,
)
from orchestrator.python_sensitivity import ToldResults
from orchestrator.python_values import copied, scalar, whole_number
from orchestrator.spelling import did_you_mean, listed
from orchestrator.wanted_outcomes import Judged, described

if TYPE_CHECKING:
    from orchestrator.sensitivity.analysis import Sensitivity


OF_ANY_POINT = "`learn(parameters, value)` takes a result of any point, as after a restart"


def numpys_own_errors() -> np.errstate:
    """Whatever a program has numpy raise, inside it is as numpy comes: what is too small for a float is 0."""
    return np.errstate(divide="warn", over="warn", under="ignore", invalid="warn")


@dataclass(frozen=True, slots=True)
class Plan:
    """What is planned: how many ``trials`` there will be in all (>= 1; None: nobody knows), and how many of
    them run at a time, ``parallel`` (>= 1). Algorithms that look at it explore while there is time to, and
    do not wait for what still runs; more or fewer may come all the same.
    """

    trials: int | None = None
    parallel: int = 1

    def __post_init__(self) -> None:
        for name, told in (("trials", self.trials), ("parallel", self.parallel)):
            if name == "trials" and told is None:
                continue
            number = whole_number(told)
            if number is None or number < 1:
                raise UsageError(f"expected a plan whose `{name}` is a whole number above 0, got {told!r}")
            object.__setattr__(self, name, number)


class Optimiser:
    """Ask and tell.

    ``parameters`` is described in `Space.from_description`; ``algorithm`` and its ``options`` as in a spec;
    ``factors`` is known additive structure, lists of parameter names; ``noise`` is ``unknown``, the standard
    deviation of an evaluation (0 for none), or ``reported`` with every value; ``constraints`` hold of every
    trial, inequalities as ``["inner < outer"]``, or of the best one, where they name one of the ``outcomes``,
    which are told beside the value. ``objectives`` are outcomes that are optimised too, each with its goal:
    then there is a `front`, and no `best`. The same calls with the same ``seed`` and ``plan`` give the same
    answers: those of a run of such a spec, where that has one trial at a time. Trials are numbered from 1.
    Threads may share one: their calls take turns. A pickled one goes on as this one would, except for the
    tree searches, which raise UsageError. One that is interrupted, as by Ctrl-C, can be asked and told on.
    While a call takes, the process's linear algebra has one thread, unless the environment says how many, as
    by ``OMP_NUM_THREADS``.

    Raises SpecError or UsageError for anything in these that is wrong.
    """

    def __init__(
        self,
        parameters: Mapping[str, Any],
        goal: Literal["maximise", "minimise"] = "maximise",
        algorithm: str = "auto",
        options: Mapping[str, Any] | None = None,
        factors: Sequence[Sequence[str]] | None = None,
        seed: int = 0,
        noise: Noise | float | Literal["unknown", "reported"] = "unknown",
        plan: Plan | None = None,
        constraints: Sequence[str] = (),
        outcomes: Sequence[str] = (),
        objectives: Mapping[str, Literal["maximise", "minimise"]] | None = None,
    ) -> None:
        self._sign = sign_of(goal)
        if not isinstance(algorithm, str):
            raise UsageError(f"expected the name of an algorithm, as text, got {algorithm!r}")
        if options is not None and not isinstance(options, Mapping):
            raise UsageError(f"expected options as a mapping of their names to values, got {options!r}")
        if plan is not None and not isinstance(plan, Plan):
            raise UsageError(f"expected a Plan, as Plan(trials=80, parallel=4), got {plan!r}")
        root = whole_number(seed)
        if root is None or root < 0:
            raise UsageError(f"expected a seed that is a whole number, 0 or more, got {seed!r}")
        further = further_of(objectives)
        with numpys_own_errors():
            self._space, self._outcomes = described(parameters, constraints, outcomes, further)
        problem = Problem(
            self._space.domain,
            seed=root,
            factors=None if factors is None else numbered(factors, self._space),
            noise=noise_of(noise),
            trials=None if plan is None else plan.trials,
            parallel=1 if plan is None else plan.parallel,
            outcome_constraints=0 if self._outcomes is None else self._outcomes.count,
            further_objectives=len(further),
        )
        self._problem = problem
        self._name = algorithm
        with numpys_own_errors():
            self._algorithm = registry.build(algorithm, problem, options_of(algorithm, options or {}))
        self._asks = 0
        # As in a run, where the first ask and the first trial are number 1.
        self._next_trial = 1
        self._pending: dict[int, FloatArray] = {}
        self._attached: dict[int, Mapping[str, Any]] = {}
        self._settled: dict[int, str] = {}
        self._best: Best | None = None
        self._front: list[tuple[tuple[float, ...], Best]] = []
        self._told_results = ToldResults(self._sign, dict(further))
        self._turn = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        with self._turn:
            try:
                algorithm = pickle.dumps(self._algorithm)
            except (TypeError, AttributeError, pickle.PicklingError) as error:
                raise UsageError(
                    f"the algorithm `{self._name}` cannot be pickled ({error}); keep what it was told, and"
                    " tell it to a new Optimiser with `learn`"
                ) from None
            held = {name: value for name, value in vars(self).items() if name != "_turn"}
            return held | {
                "_algorithm": algorithm,
                "_pending": dict(self._pending),
                "_attached": dict(self._attached),
                "_settled": dict(self._settled),
            }

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _algorithm=pickle.loads(state["_algorithm"]), _turn=threading.Lock())

    @contextmanager
    def _calculating(self) -> Iterator[None]:
        """The turn of one call, with the circumstances that its calculations need."""
        with self._turn, one_thread(), numpys_own_errors():
            yield

    @property
    def pending(self) -> tuple[int, ...]:
        """The trials asked and not yet told."""
        with self._turn:
            return tuple(self._pending)

    def ask(self, n: int = 1) -> list[Asked]:
        """The next n trials. A refit that is due is computed first, here, which can take seconds.

        Raises UsageError for an n that is not a whole number above 0, and OptimiserError for what an
        algorithm of one's own suggests that is no point.
        """
        wanted = whole_number(n)
        if wanted is None or wanted < 1:
            raise UsageError(f"expected the number of trials to ask for, 1 or more, got {n!r}")
        with self._calculating():
            return self._ask(wanted)

    def _ask(self, n: int) -> list[Asked]:
        while (number := self._algorithm.refit_due()) is not None:
            refit = self._algorithm.compute_refit(number)
            refuse_what_is_no_refit(refit, self._algorithm, number)
            with interrupt_held():
                self._algorithm.adopt(refit)
        key = AskKey(self._asks + 1, self._next_trial)
        suggestions = self._algorithm.ask(n, list(self._pending.values()), key)
        refuse_what_is_no_answer(suggestions, self._algorithm, self._space.domain.dimension, n)
        decoded = [self._space.suggested(suggestion.point) for suggestion in suggestions]
        self._asks += 1
        asked = []
        for suggestion, parameters in zip(suggestions, decoded, strict=True):
            # What is evaluated is the decoded point, so that is what the algorithm learns about.
            self._pending[self._next_trial] = self._space.encode(parameters)
            predicted = suggestion.predicted
            if predicted is not None:
                predicted = Prediction(self._sign * predicted.mean, predicted.deviation)
            signs = () if self._outcomes is None else self._outcomes.signs
            why = reasons(suggestion, self._sign, signs)
            given = copied(self._space.given(parameters))
            asked.append(Asked(self._next_trial, given, predicted, why))
            self._next_trial += 1
        return asked

    def tell(
        self,
        trial: int,
        value: float | None,
        variance: float | None = None,
        factors: Sequence[float] | None = None,
        outcomes: Mapping[str, float] | None = None,
        *,
        foreseen: bool = False,
    ) -> None:
        """A trial's value, perhaps with its noise variance and one value a factor, and with all ``outcomes``
        that there are. None: it failed for good. ``foreseen``: its evaluation was stopped, and the value and
        its variance are what it would probably have come to; it is learned from, and is no best.

        Raises UsageError for a trial that was never asked or is told already, for values that are not
        finite numbers, or not one a factor or outcome, and for what is foreseen of more than the one value;
        the trial is then still to be told.
        """
        with self._calculating():
            number = self._waiting(trial)
            if foreseen and (value is None or variance is None or self._outcomes is not None):
                raise UsageError(
                    "expected a value and its variance of what is foreseen, where there are neither outcomes"
                    f" nor several objectives, got {value!r} and {variance!r}"
                )
            point = self._pending[number]
            parameters = self._attached.get(number) or self._space.decode(point)
            told = self._told(outcomes)
            judged = self._judged(parameters, value, told)
            outcome = (value, variance, factors)
            with interrupt_held():
                self._learn(number, point, parameters, outcome, judged, told, foreseen=foreseen)
                self._settle(number, "told")

    def abandon(self, trial: int) -> None:
        """A trial that will not be told, for a reason that says nothing of its point, which may be asked for
        again. Raises UsageError for one that is not pending.
        """
        with self._calculating(), interrupt_held():
            self._settle(self._waiting(trial), "abandoned")

    def _settle(self, number: int, how: str) -> None:
        del self._pending[number]
        self._attached.pop(number, None)
        self._settled[number] = how

    def _waiting(self, trial: object) -> int:
        """The number of a trial that is pending. Raises UsageError."""
        number = whole_number(trial)
        if number is not None and number in self._pending:
            return number
        waiting = f"pending ({', '.join(map(str, self._pending)) or 'none'})"
        if number is None:
            hint = ", as in tell(suggestion.trial, ...)" if isinstance(trial, Asked) else ""
            advice = f"; {OF_ANY_POINT}" if isinstance(trial, Mapping) else ""
            raise UsageError(f"expected the number of a trial that is {waiting}{hint}, got {trial!r}{advice}")
        how = self._settled.get(number)
        state = "was never asked" if how is None else f"is {how} already"
        advice = "" if how == "told" else f"; {OF_ANY_POINT}"
        raise UsageError(f"expected a trial that is {waiting}, got {trial!r}, which {state}{advice}")

    def learn(
        self,
        parameters: Mapping[str, Any],
        value: float | None,
        variance: float | None = None,
        factors: Sequence[float] | None = None,
        outcomes: Mapping[str, float] | None = None,
    ) -> None:
        """A result known from elsewhere, which need not satisfy the constraints, nor bring all outcomes: it
        is learned from all the same. Raises SpecError for parameters that are wrong, else as `tell`.
        """
        with self._calculating():
            point, own, broken = self._read(parameters)
            told = self._told(outcomes)
            judged = self._judged(own, None, told)
            outcome = (value, variance, factors)
            with interrupt_held():
                self._learn(None, point, own, outcome, judged, told, allowed=not broken)

    def attach(self, parameters: Mapping[str, Any]) -> Asked:
        """A trial at a point of the caller's own, told as those that are asked for; until then it counts as
        one that runs. Raises SpecError for parameters that are wrong or do not satisfy the constraints.
        """
        with self._calculating():
            point, own, broken = self._read(parameters)
            if broken:
                raise SpecError(f"expected parameters that satisfy `{'`, `'.join(broken)}`, got {own}")
            number = self._next_trial
            self._pending[number] = point
            self._attached[number] = own
            self._next_trial += 1
            return Asked(number, copied(self._space.given(own)), None, {"source": "caller"})

    def _read(self, parameters: Mapping[str, Any]) -> tuple[FloatArray, dict[str, Any], tuple[str, ...]]:
        """Parameters as a point; those that count there, of the right kinds, floats to the last digit, as the
        point is rounded and may lie beyond a constraint; and the constraints that they break.
        """
        if isinstance(parameters, Mapping):
            parameters = {name: scalar(value) for name, value in parameters.items()}
        point = self._space.encode(parameters)
        floats = {p.name for p in self._space.parameters if isinstance(p, FloatParameter)}
        decoded = self._space.decode(point)
        own = {name: float(parameters[name]) if name in floats else decoded[name] for name in decoded}
        return point, own, self._space.broken_by(parameters)

    def _told(self, outcomes: Mapping[str, float] | None) -> dict[str, float]:
        return outcomes_of(outcomes, () if self._outcomes is None else self._outcomes.outcomes)

    def _judged(
        self, parameters: Mapping[str, Any], value: float | None, told: Mapping[str, float]
    ) -> Judged | None:
        """By what is wanted of outcomes, if there are any. With a ``value`` all of them have to be told."""
        if self._outcomes is None:
            return None
        if value is not None and (complaint := self._outcomes.missing(told)):
            example = dict.fromkeys(self._outcomes.outcomes, 0.5)
            raise UsageError(f"{complaint}; as in tell(trial, 1.5, outcomes={example})")
        return self._outcomes.judged(parameters, told)

    def best(self) -> Best:
        """The best value told of what satisfies the constraints. Raises UsageError while there is none, and
        where there are several objectives.
        """
        if self._outcomes is not None and self._outcomes.further:
            raise UsageError("there is no best of several objectives; `front()` has those that none beats")
        if self._best is None:
            constrained = self._space.constraints or self._outcomes is not None
            allowed = " of what satisfies the constraints" if constrained else ""
            raise UsageError(
                f"there is no best yet: no value has been told{allowed}; ask, evaluate and tell first"
            )
        return self._best.handed_out()

    def front(self) -> list[Best]:
        """Of several objectives: what satisfies the constraints and is not beaten in all objectives by any
        other result, in the order told. Of one, the best, as far as there is one.
        """
        if self._outcomes is None or not self._outcomes.further:
            return [] if self._best is None else [self._best.handed_out()]
        return [best.handed_out() for _, best in self._front]

    def insight(self) -> Insight:
        """What the algorithm believes now: weights, decomposition, hyperparameters, and, where values are
        noisy, which trial is best (-1: of what was known from elsewhere).
        """
        with self._calculating():
            return in_own_terms(self._algorithm.insight(), self._sign)

    def sensitivity(self, outcome: str | None = None) -> Sensitivity:
        """Which parameters matter for the value, or for an ``outcome``, by a model of all that was told, and
        how far to believe it; as `orchestrator sensitivity` says it of a run. Profiles run through the best
        result. Takes seconds, and more in many parameters.

        Raises UsageError for an outcome that there is not, and where fewer than four results have it.
        """
        known = () if self._outcomes is None else self._outcomes.outcomes
        if outcome is not None and outcome not in known:
            among = f"one of {listed(known)}" if known else "none, as there are none"
            near = did_you_mean(str(outcome), known)
            raise UsageError(f"expected an outcome, {among}; got `{outcome}`{near}")
        with self._calculating():
            centre = None if self._best is None else self._space.encode(self._best.parameters)
            return self._told_results.sensitivity(self._problem, self._space.names, outcome, centre)

    def _learn(
        self,
        trial: int | None,
        point: FloatArray,
        parameters: Mapping[str, Any],
        outcome: tuple[float | None, float | None, Sequence[float] | None],
        judged: Judged | None,
        outcomes: Mapping[str, float],
        *,
        allowed: bool = True,
        foreseen: bool = False,
    ) -> None:
        """A value, its variance and its factors; ``allowed``: the parameters satisfy the constraints."""
        value, variance, factors = outcome
        told = None if value is None else value_of(value)
        spread = None if variance is None else variance_of(variance)
        parts = None if factors is None else factors_of(factors, self._problem.factors)
        number = -1 if trial is None else trial
        observation = observed(number, point, (told, spread, parts), self._sign, foreseen=foreseen)
        if judged is not None:
            observation = with_outcomes(observation, judged, type(self._algorithm))
        self._algorithm.tell([observation])
        if told is not None and not foreseen:
            self._told_results.add(point, told, spread, outcomes)
        if told is None or foreseen or not allowed or (judged is not None and judged.broken):
            return
        best = Best(trial, self._space.given(parameters), told, outcomes)
        if judged is not None and judged.further:
            self._join(best, (self._sign * told, *judged.further))
        elif self._best is None or self._sign * (told - self._best.value) > 0:
            self._best = best

    def _join(self, best: Best, own: tuple[float, ...]) -> None:
        """The front with another result, each objective of it the more the better, if it is a trade-off."""
        if np.isnan(own).any() or any(as_good(theirs, own) for theirs, _ in self._front):
            return
        kept = [(theirs, one) for theirs, one in self._front if not as_good(own, theirs)]
        self._front = [*kept, (own, best)]
