"""One algorithm on one synthetic function, in this process: its regrets and the seconds it took to choose.

`run` is pure but for the clock: a `Job` holds everything that its points depend on.

Notation: D parameters, F factors, n evaluations.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np

from benchmarks.functions.workloads import MeasuredFunction, workload_function
from evaluators.synthetic import SyntheticFunction, noisy, shifted_and_permuted, synthetic
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Algorithm, AskKey, Noise, Observation, Problem
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import derive_seed, stream
from orchestrator.parameters.space import ChoiceParameter, FloatParameter, IntParameter, Parameter, Space

Structure = Literal["hidden", "known", "observed"]
Clock = Callable[[], float]

FEW_PARAMETERS = 10


@dataclass(frozen=True)
class Crew:
    """``parallel`` evaluations at a time: all told together before more are asked for, or each as it ends.

    Without ``synchronous`` an evaluation lasts between a half and one and a half, at random.
    """

    parallel: int = 1
    synchronous: bool = False


@dataclass(frozen=True)
class Case:
    """What is optimised, and what is told of it.

    Attributes:
        function: a name of `evaluators.synthetic`, or of `workload_functions`.
        shifted: its `shifted_and_permuted` copy, another for each seed, instead of itself.
        noise: standard deviation of Gaussian noise on the values.
        noise_told: whether the algorithm is told that deviation (0 included), or has to infer it.
        structure: whether the function's factors are hidden, known, or their values observed as well.
        start_points: the start design of all algorithms; None: 10 for up to 10 parameters, 20 above.
        crew: how many evaluations run at a time.
    """

    function: str
    shifted: bool = False
    noise: float = 0.0
    noise_told: bool = True
    structure: Structure = "hidden"
    start_points: int | None = None
    crew: Crew = field(default_factory=Crew)

    @property
    def slug(self) -> str:
        """A name for files."""
        parts = [self.function]
        if self.shifted:
            parts.append("shifted")
        if self.noise:
            parts.append(f"noise-{self.noise:g}")
        return "_".join(parts)

    def instance(self, seed: int) -> SyntheticFunction:
        """The function that this seed sees. Raises UsageError for a name that does not exist."""
        if (workload := workload_function(self.function, seed, self.shifted)) is not None:
            return workload
        function = synthetic(self.function)
        return shifted_and_permuted(function, seed) if self.shifted else function


@dataclass(frozen=True)
class Contender:
    """An algorithm with its options, as a spec has them. ``label`` is for tables and changes nothing."""

    algorithm: str
    options: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""

    @property
    def title(self) -> str:
        """The label, or the name with the options."""
        return self.label or self.algorithm + (f" {json.dumps(dict(self.options))}" if self.options else "")


@dataclass(frozen=True)
class Job:
    """One run: ``budget`` evaluations of a case by a contender, under one seed."""

    case: Case
    contender: Contender
    budget: int
    seed: int

    @property
    def key(self) -> str:
        """Everything that the points depend on, in one line."""
        told = asdict(self)
        del told["contender"]["label"]
        return json.dumps(told, sort_keys=True)


@dataclass(frozen=True)
class Record:
    """What a job gave.

    Attributes:
        job: the job.
        regrets: (n,) optimum minus noiseless value of each evaluation, in the order told.
        seconds: (n,) what the optimiser took for each suggestion: telling it the results that came before,
            refits and the ask. A batch's is shared among its points.
        start_points: how many of the suggestions come from the start design.
        cap_s: the cap on the sum of ``seconds`` that ended the run before its budget; None: it was not.
        date: when it was kept, as year-month-day; empty where nobody said.
    """

    job: Job
    regrets: tuple[float, ...]
    seconds: tuple[float, ...]
    start_points: int
    cap_s: float | None = None
    date: str = ""

    @property
    def curve(self) -> FloatArray:
        """(n,) simple regret: the least of the regrets so far."""
        return np.minimum.accumulate(np.array(self.regrets))

    def simple_regret(self, evaluations: int) -> float:
        """The curve's value after so many evaluations (>= 1), or its last if it was capped before."""
        return float(self.curve[min(evaluations, len(self.regrets)) - 1])

    @property
    def mean_ask_s(self) -> float:
        """Mean seconds for a suggestion after the start design; NaN if there was none."""
        later = self.seconds[self.start_points :]
        return float(np.mean(later)) if later else float("nan")


def run(job: Job, cap_s: float | None = None, clock: Clock = time.perf_counter) -> Record:
    """Spend the budget, or stop once the optimiser has taken ``cap_s`` seconds of the ``clock``.

    Raises SpecError for an algorithm or options that do not exist, UsageError for such a function.
    """
    laboratory = _Laboratory(job, clock)
    case, budget = job.case, job.budget
    parallel = case.crew.parallel
    running: dict[int, tuple[float, FloatArray]] = {}
    regrets: list[float] = []
    seconds: list[float] = []
    now = 0.0
    while len(regrets) < budget:
        wanted = min(parallel - len(running), budget - len(seconds))
        if wanted and not (case.crew.synchronous and running):
            for trial, point in laboratory.ask(wanted, [point for _, point in running.values()], seconds):
                running[trial] = now + laboratory.duration(trial), point
        order = sorted(running, key=lambda trial: (running[trial][0], trial))
        done = sorted(order) if case.crew.synchronous else order[:1]
        now = max(running[trial][0] for trial in done)
        regrets += laboratory.tell([(trial, running.pop(trial)[1]) for trial in done])
        if cap_s is not None and sum(seconds) > cap_s:
            break
    capped = len(regrets) < budget
    return Record(
        job,
        tuple(regrets),
        tuple(seconds[: len(regrets)]),
        laboratory.start_points,
        cap_s if capped else None,
    )


def space_of(function: SyntheticFunction) -> Space:
    """The function's box as parameters x1 to xD."""
    parameters: list[Parameter] = []
    for i, (kind, (low, high)) in enumerate(zip(function.box.kinds, function.box.bounds, strict=True)):
        name = f"x{i + 1}"
        if kind == "float":
            parameters.append(FloatParameter(name, float(low), float(high)))
        elif kind == "int":
            parameters.append(IntParameter(name, int(low), int(high)))
        else:
            parameters.append(ChoiceParameter(name, tuple(range(int(low), int(high) + 1))))
    return Space(tuple(parameters))


class _Laboratory:
    """The function, and the algorithm with a stopwatch."""

    def __init__(self, job: Job, clock: Clock) -> None:
        self._job = job
        self._clock = clock
        self._function = job.case.instance(job.seed)
        self._space = space_of(self._function)
        self._sign = 1.0 if self._function.goal == "maximise" else -1.0
        few = self._function.dimension <= FEW_PARAMETERS
        self.start_points = job.case.start_points or (10 if few else 20)
        self._algorithm = self._built()
        self._asks = 0
        self._trials = 0
        self._unaccounted = 0.0

    def ask(
        self, n: int, running: Sequence[FloatArray], seconds: list[float]
    ) -> list[tuple[int, FloatArray]]:
        """n trials and their (D,) points; the seconds of each are appended."""
        begun = self._clock()
        if (number := self._algorithm.refit_due()) is not None:
            self._algorithm.adopt(self._algorithm.compute_refit(number))
        suggestions = self._algorithm.ask(n, running, AskKey(self._asks, self._trials))
        taken = self._unaccounted + self._clock() - begun
        self._unaccounted = 0.0
        seconds += [taken / n] * n
        trials = range(self._trials, self._trials + n)
        self._asks += 1
        self._trials += n
        # As in a run, where points are written down as parameters before anybody evaluates them.
        points = [self._space.encode(self._space.decode(suggestion.point)) for suggestion in suggestions]
        return list(zip(trials, points, strict=True))

    def tell(self, finished: Sequence[tuple[int, FloatArray]]) -> list[float]:
        """The regrets of trials at (D,) points of the cube, whose values the algorithm learns."""
        observations, regrets = [], []
        for trial, point in finished:
            place = np.array([list(self._space.decode(point).values())], dtype=float)
            regrets.append(float(self._function.regret(self._function.evaluate(place))[0]))
            observations.append(self._observed(trial, point, place))
        begun = self._clock()
        self._algorithm.tell(observations)
        self._unaccounted += self._clock() - begun
        return regrets

    def duration(self, trial: int) -> float:
        """How long an evaluation lasts."""
        return 0.5 + float(stream(self._job.seed, "benchmark duration", trial).random())

    def _observed(self, trial: int, point: FloatArray, place: FloatArray) -> Observation:
        if isinstance(self._function, MeasuredFunction):
            value = self._function.observe(place, derive_seed(self._job.seed, "benchmark noise", trial))
            return Observation(trial, point, self._sign * value)
        observed = noisy(self._function, self._job.case.noise)
        rng = stream(self._job.seed, "benchmark noise", trial)
        if self._job.case.structure == "observed":
            factors = self._sign * observed.factor_values(place, rng)[0]
            return Observation(trial, point, float(factors.sum()), factors=factors)
        return Observation(trial, point, self._sign * float(observed.evaluate(place, rng)[0]))

    def _built(self) -> Algorithm:
        case, contender = self._job.case, self._job.contender
        problem = Problem(
            domain=self._space.domain,
            seed=self._job.seed,
            factors=None if case.structure == "hidden" else self._function.factors,
            noise=Noise("known", case.noise) if case.noise_told else Noise(),
            start_points=self.start_points,
            trials=self._job.budget,
            parallel=case.crew.parallel,
        )
        return registry.build(contender.algorithm, problem, contender.options)
