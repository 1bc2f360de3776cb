"""Arguments that nothing here takes, as users of other optimisers type them, and where that is said here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from inspect import Parameter, signature
from typing import ParamSpec, TypeVar

from orchestrator.errors import UsageError
from orchestrator.spelling import did_you_mean, listed

P = ParamSpec("P")
R = TypeVar("R")

SAID_OTHERWISE: Mapping[str, str] = {
    **dict.fromkeys(
        ("sampler", "strategy", "generation_strategy", "generator", "method", "search_alg"),
        '; `algorithm` names one, as "sobol", and where none is named `auto` chooses',
    ),
    **dict.fromkeys(("random_state", "random_seed", "rng"), "; `seed` is a whole number, from 0 on"),
    **dict.fromkeys(
        ("storage", "study_name", "load_if_exists", "experiment_name", "dump_file"),
        "; `store` names a file that keeps it",
    ),
    **dict.fromkeys(
        ("pruner", "scheduler", "early_stopping_strategy"),
        '; `stop_when` says so, as {"quantity": "loss", "chance_below": 0.1}',
    ),
    **dict.fromkeys(
        ("bounds", "variables", "vocs", "space", "search_space", "param_space", "dimensions"),
        '; parameters are the first that is told, by name, as {"x": (0.0, 1.0)}',
    ),
    **dict.fromkeys(
        ("parameter_constraints", "outcome_constraints", "constraints_func"),
        '; `constraints` are inequalities, as ["x + y <= 1"], and may name `outcomes`',
    ),
    **dict.fromkeys(
        ("tracking_metrics", "tracking_metric_names", "observables"),
        "; what else an evaluation finds is told beside its value, in one mapping, and kept",
    ),
    "directions": "; `goal` is that of the value, and `objectives` has those of others by their names",
    "constants": '; a parameter may be fixed: {"type": "fixed", "value": 3}',
    **dict.fromkeys(
        ("fixed_parameters", "fixed_features"),
        "; an Optimiser holds them as it is asked: ask(held={...})",
    ),
    **dict.fromkeys(
        ("n_startup_trials", "n_initial_points", "num_initialization_trials", "initialization_budget"),
        "; `auto` knows how many to begin with",
    ),
    **dict.fromkeys(
        ("x0", "points_to_evaluate", "initial_points"),
        "; an Optimiser takes points: attach(parameters), and learn(parameters, value) of what is known",
    ),
}
"""By names that are no near miss of anything."""
OF_AN_OPTIMISER: Mapping[str, str] = {
    **SAID_OTHERWISE,
    **dict.fromkeys(("minimize", "maximize"), "; `goal` is `maximise`, unless it is said to be `minimise`"),
    **dict.fromkeys(
        ("trials", "n_trials", "num_trials", "max_trials", "n_calls", "max_evaluations", "num_samples"),
        "; a loop of your own says when it is over, and `plan` what is to be expected, as Plan(trials=40)",
    ),
    **dict.fromkeys(
        ("parallel", "n_jobs", "max_parallelism", "max_concurrent_trials", "executor"),
        "; a loop of your own asks for several at a time, as ask(4), beside `plan`, as Plan(parallel=4)",
    ),
    "cost": "; `plan` says what all may cost, as Plan(cost=40)",
    **dict.fromkeys(
        ("timeout", "callback", "callbacks", "until", "function", "objective", "evaluator"),
        "; a loop of your own asks and tells, and `minimise` and `maximise` call a function",
    ),
}


def refuse_unknown(
    what: str, told: Iterable[str], known: Iterable[str], beside: Iterable[str], said: Mapping[str, str]
) -> None:
    """Raises UsageError for the first name that is not ``known``, with where else that is ``said``, or which
    of those and of ``beside`` was probably meant.
    """
    known = list(known)
    for name in told:
        if name not in known:
            near = said.get(name) or did_you_mean(name, [*known, *beside])
            raise UsageError(f"expected {what} ({listed(known)}), got `{name}`{near}")


def says_what_is_meant(said: Mapping[str, str]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Of a function, the same, which raises UsageError for arguments by names that it does not know."""

    def saying(make: Callable[P, R]) -> Callable[P, R]:
        told = signature(make).parameters.values()
        known = [one.name for one in told if one.kind is Parameter.KEYWORD_ONLY]
        beside = [one.name for one in told if one.kind is Parameter.POSITIONAL_OR_KEYWORD]

        @wraps(make)
        def made(*args: P.args, **kwargs: P.kwargs) -> R:
            own = [name for name in kwargs if name not in beside]
            refuse_unknown("an argument", own, known, beside, said)
            return make(*args, **kwargs)

        return made

    return saying
