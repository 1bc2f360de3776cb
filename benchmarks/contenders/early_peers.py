"""Optuna's samplers with Optuna's pruners, each as it comes, on evaluations that say how they stand."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

import optuna
from optuna.distributions import BaseDistribution, FloatDistribution, IntDistribution
from optuna.pruners import BasePruner, HyperbandPruner, MedianPruner, NopPruner, SuccessiveHalvingPruner
from optuna.samplers import BaseSampler, GPSampler, RandomSampler, TPESampler

from benchmarks.contenders.early_bench import NEVER, Bench, Run

optuna.logging.set_verbosity(optuna.logging.WARNING)

SAMPLERS: dict[str, Callable[[int], BaseSampler]] = {
    "optuna-tpe": lambda seed: TPESampler(seed=seed),
    "optuna-gp": lambda seed: GPSampler(seed=seed),
    "random": lambda seed: RandomSampler(seed=seed),
}
PRUNERS: dict[str, Callable[[int], BasePruner]] = {
    NEVER: lambda _: NopPruner(),
    "median": lambda _: MedianPruner(),
    "halving": lambda _: SuccessiveHalvingPruner(),
    "hyperband": lambda steps: HyperbandPruner(min_resource=1, max_resource=steps),
}


def run_peer(bench: Bench) -> Run:
    """One evaluation at a time, until the steps are spent."""
    job = bench.job
    study = optuna.create_study(
        direction="minimize",
        sampler=SAMPLERS[job.algorithm](job.seed),
        pruner=PRUNERS[job.rule](bench.function.steps),
    )
    distributions = {name: _distribution(told) for name, told in bench.function.description.items()}
    begun, evaluating = time.process_time(), 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while bench.left > 0:
            trial = study.ask(distributions)
            before = time.process_time()

            def go_on(step: int, value: float, trial: optuna.Trial = trial) -> bool:
                trial.report(value, step)
                return not trial.should_prune()

            value = bench.evaluate(trial.params, go_on)
            evaluating += time.process_time() - before
            if value is None:
                study.tell(trial, state=optuna.trial.TrialState.PRUNED)
            else:
                study.tell(trial, value)
    return bench.run(time.process_time() - begun - evaluating)


def _distribution(told: dict[str, Any]) -> BaseDistribution:
    low, high = told["bounds"]
    log = told.get("scale") == "log"
    return (IntDistribution if told["type"] == "int" else FloatDistribution)(low, high, log=log)
