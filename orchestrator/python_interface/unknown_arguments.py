"""Arguments that nothing here takes, as users of other optimisers type them, and where that is said here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from inspect import signature
from typing import ParamSpec, TypeVar

from orchestrator.errors import UsageError
from orchestrator.spelling import did_you_mean, listed
from orchestrator.values.quoted import quoted

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

HOW_MANY = ("trials", "n_trials", "num_trials", "max_trials", "n_calls", "max_evaluations", "num_samples")
AT_A_TIME = ("parallel", "n_jobs", "n_workers", "max_parallelism", "max_concurrent_trials", "executor")
THE_POINT = ("params", "parameters", "parameterization", "point", "x", "config", "candidate", "suggestion")
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
    **dict.fromkeys(("status_quo", "baseline"), '; `reference` has today\'s settings, as {"x": 3}'),
    "directions": "; `goal` is that of the value, and `objectives` has those of others by their names",
    "constants": '; a parameter may be fixed: {"type": "fixed", "value": 3}',
    **dict.fromkeys(
        ("fixed_parameters", "fixed_features"),
        "; an Optimiser holds them as it is asked: ask(held={...})",
    ),
    **dict.fromkeys(
        ("n_startup_trials", "n_initial_points", "num_initialization_trials", "initialization_budget"),
        '; `auto` knows how many to begin with, and `options` may say so, as {"start_points": 10}',
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
        HOW_MANY,
        "; a loop of your own says when it is over, and `plan` what is to be expected, as Plan(trials=40)",
    ),
    **dict.fromkeys(
        AT_A_TIME,
        "; a loop of your own asks for several at a time, as ask(4), beside `plan`, as Plan(parallel=4)",
    ),
    "cost": "; `plan` says what all may cost, as Plan(cost=40)",
    **dict.fromkeys(
        ("timeout", "callback", "callbacks", "until", "function", "objective", "evaluator"),
        "; a loop of your own asks and tells, and `minimise` and `maximise` call a function",
    ),
}
OF_A_PLAN: Mapping[str, str] = {
    **dict.fromkeys(HOW_MANY, "; `trials` says how many there will be in all, as Plan(trials=40)"),
    **dict.fromkeys(AT_A_TIME, "; `parallel` says how many run at a time, as Plan(parallel=4)"),
    **dict.fromkeys(
        ("budget", "total_budget", "max_cost", "n_fevals"),
        "; `trials` says how many there will be, and `cost` what all cost together, where that differs",
    ),
    **dict.fromkeys(
        ("timeout", "max_time", "time_budget_s", "seconds", "until"),
        "; a plan is in trials, or in what they cost, and a loop of your own looks at the time",
    ),
}
OF_ENOUGH: Mapping[str, str] = {
    **dict.fromkeys(HOW_MANY, "; the search is told how many there may be, as minimise(f, {...}, 40)"),
    **dict.fromkeys(
        ("timeout", "max_time", "time_budget_s", "seconds", "walltime_limit"),
        '; `time` is how long it may take, as Enough(time="1 h")',
    ),
    **dict.fromkeys(
        ("value", "threshold", "loss_threshold", "stop_val", "termination_cost_threshold"),
        "; `target` is a value that is good enough, as Enough(target=0.1)",
    ),
}
OF_ASKING: Mapping[str, str] = {
    **dict.fromkeys(
        (*HOW_MANY, *AT_A_TIME, "n_points", "num_points", "batch_size", "q", "count", "num_suggestions"),
        "; `n` says how many at a time, as ask(4)",
    ),
    **dict.fromkeys(
        (*THE_POINT, "fixed_features", "fixed_parameters", "fixed_params", "fixed", "context", "given"),
        '; `held` has what is not to be chosen this time, as ask(held={"x": 0.5}), and attach(parameters)'
        " takes a point of your own",
    ),
    **dict.fromkeys(
        ("fixed_distributions", "search_space", "bounds"),
        "; the Optimiser was told its parameters where it was made",
    ),
    **dict.fromkeys(("strategy", "sampler"), "; what is pending is known, and another is chosen beside it"),
    "study": "; an Optimiser is a study itself",
    "timeout": "; choosing takes what it takes, and a loop of your own says when it is over",
}
OF_A_POINT_TOLD: Mapping[str, str] = {
    **dict.fromkeys(
        ("values", "y", "raw_data", "score", "loss", "result", "objective", "target", "fitness"),
        '; `value` is what was found, or a mapping, as {"value": 1.2, "heat": 75.0}',
    ),
    **dict.fromkeys(
        ("sem", "std", "yerr", "noise", "noise_std", "sd", "standard_deviation"),
        "; `variance` is that of the noise of a value: its standard deviation, squared",
    ),
    "study": "; an Optimiser is a study itself",
    **dict.fromkeys(("grad", "gradient", "jac"), '; `derivatives` are told by parameters, as {"x": -0.4}'),
}
OF_TELLING: Mapping[str, str] = {
    **OF_A_POINT_TOLD,
    **dict.fromkeys(
        THE_POINT,
        "; `trial` is the number of what was asked, and learn(parameters, value) takes what was not asked",
    ),
    **dict.fromkeys(
        ("state", "status", "failed", "error"),
        '; of one that failed no value is told, and perhaps a `reason`: tell(trial, reason="diverged")',
    ),
    **dict.fromkeys(
        ("intermediate_values", "reported", "step"),
        "; `watch` has what was reported on the way: watch(trial)",
    ),
    **dict.fromkeys(("duration", "elapsed", "time", "runtime"), "; `seconds` are what the evaluation took"),
    "skip_if_finished": "; what is told already is not told again: `pending` has what is still to be told",
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
            raise UsageError(f"expected {what} ({listed(known)}), got {quoted(name)}{near}")


def says_what_is_meant(said: Mapping[str, str]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Of a method, the same, which raises UsageError for arguments by names that it does not know."""

    def saying(make: Callable[P, R]) -> Callable[P, R]:
        known = list(signature(make).parameters)[1:]

        @wraps(make)
        def made(*args: P.args, **kwargs: P.kwargs) -> R:
            refuse_unknown("an argument", kwargs, known, (), said)
            return make(*args, **kwargs)

        return made

    return saying


def is_made_of_what_is_meant(said: Mapping[str, str]) -> Callable[[type[T]], type[T]]:
    """Of a dataclass, the same, which raises UsageError for fields that it does not have."""

    def saying(made: type[T]) -> type[T]:
        made.__init__ = says_what_is_meant(said)(made.__init__)  # type: ignore[method-assign]
        return made

    return saying
