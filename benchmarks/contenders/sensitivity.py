"""Who says how much each parameter matters, on the same results, and how much of that is wrong.

Notation: D parameters, n results.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from benchmarks.contenders.numbered_from_nought import numbered_from_nought
from benchmarks.functions.sensitivity import MEASURABLE, Measurable
from orchestrator import Optimiser, Plan
from orchestrator.algorithms.base import Noise, Problem
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain

OURS = ("alone", "in all")
THEIRS = {
    "optuna fanova": "FanovaImportanceEvaluator",
    "optuna mdi": "MeanDecreaseImpurityImportanceEvaluator",
}
CHOOSERS = ("sobol", "auto")


@dataclass(frozen=True, slots=True)
class Row:
    """A function, who chose the points, a seed; what each evaluator ascribes wrongly, and its seconds."""

    function: str
    chooser: str
    seed: int
    wrong: Mapping[str, float]
    seconds: Mapping[str, float]


def names_of(function: Measurable) -> list[str]:
    """Of its parameters."""
    return [f"x{i}" for i in range(function.dimension)]


def results_of(function: Measurable, chooser: str, trials: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """(n, D) points that an algorithm chose to minimise a function, and (n,) values."""
    names = names_of(function)
    optimiser = numbered_from_nought(
        Optimiser(
            dict.fromkeys(names, (0.0, 1.0)),
            goal="minimise",
            algorithm=chooser,
            seed=seed,
            noise=0.0,
            plan=Plan(trials=trials),
        )
    )
    points = np.empty((trials, function.dimension))
    values = np.empty(trials)
    for row in range(trials):
        (asked,) = optimiser.ask()
        points[row] = [asked.parameters[name] for name in names]
        values[row] = function(points[[row]])[0]
        optimiser.tell(asked.trial, float(values[row]))
    return points, values


@dataclass(frozen=True, eq=False, slots=True)
class Search:
    """What a chooser came to of a function of some ``name`` under a seed: as of `results_of`."""

    name: str
    function: Measurable
    chooser: str
    seed: int
    points: FloatArray
    values: FloatArray


def searches(trials: int, seeds: int, choosers: Sequence[str] = CHOOSERS) -> Iterator[Search]:
    """One of each function, chooser and seed, in this order, each made when it is asked for."""
    for name, function in MEASURABLE.items():
        for chooser in choosers:
            for seed in range(seeds):
                yield Search(name, function, chooser, seed, *results_of(function, chooser, trials, seed))


def wrongly_ascribed(shares: FloatArray, truth: FloatArray) -> float:
    """Of shares made to sum to 1, how much would have to go to other parameters; from 0 to 1."""
    told = shares / total if (total := shares.sum()) > 0.0 else np.full(len(shares), 1.0 / len(shares))
    return float(0.5 * np.abs(told - truth / truth.sum()).sum())


def judged(
    function: Measurable, points: FloatArray, values: FloatArray, seed: int
) -> Iterator[tuple[str, float, float]]:
    """Each evaluator's name, what it ascribes wrongly and its seconds. Of ours each share is held against the
    index that it estimates, of others their one against that of the two which is nearer.
    """
    # SciPy's statistics take a second to import, and who asks for help measures nothing.
    from orchestrator.sensitivity.analysis import analyse
    from orchestrator.sensitivity.measured import Measured

    truth = function.true_shares()
    problem = Problem(Domain.continuous(function.dimension), seed, noise=Noise("known", 0.0))
    measured = Measured(points, values, np.zeros(len(values)), -1.0)
    begun = time.process_time()
    found = analyse(problem, names_of(function), measured, points[values.argmin()])
    taken = time.process_time() - begun
    for name, shares, true in zip(
        OURS,
        np.array([(one.alone, one.in_all) for one in found.influences.values()]).T,
        truth,
        strict=True,
    ):
        yield name, wrongly_ascribed(shares, true), taken
    if find_spec("optuna") is None:
        return
    for name, evaluator in THEIRS.items():
        begun = time.process_time()
        shares = _optunas(points, values, evaluator, seed)
        taken = time.process_time() - begun
        yield name, min(wrongly_ascribed(shares, true) for true in truth), taken


def _optunas(points: FloatArray, values: FloatArray, evaluator: str, seed: int) -> FloatArray:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(direction="minimize")
    distributions = {
        f"x{i}": optuna.distributions.FloatDistribution(0.0, 1.0) for i in range(points.shape[1])
    }
    for point, value in zip(points, values, strict=True):
        told = dict(zip(distributions, point.tolist(), strict=True))
        study.add_trial(
            optuna.trial.create_trial(params=told, distributions=distributions, value=float(value))
        )
    chosen = getattr(optuna.importance, evaluator)(seed=seed)
    found = optuna.importance.get_param_importances(study, evaluator=chosen)
    return np.array([found[name] for name in distributions])


def rows(trials: int, seeds: int, say: Callable[[str], None]) -> list[Row]:
    """One for each function, chooser and seed, in this order."""
    made = []
    for one in searches(trials, seeds):
        told = list(judged(one.function, one.points, one.values, one.seed))
        row = Row(
            one.name,
            one.chooser,
            one.seed,
            {evaluator: wrong for evaluator, wrong, _ in told},
            {evaluator: seconds for evaluator, _, seconds in told},
        )
        wrong = ", ".join(f"{k} {v:.3f}" for k, v in row.wrong.items())
        say(f"{one.name} {one.chooser} {one.seed}: {wrong}")
        made.append(row)
    return made
