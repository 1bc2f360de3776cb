"""Who writes a spec in the words of another optimiser is told what would be written here."""

from __future__ import annotations

import pytest
import yaml
from spec_texts import refusal_of, refusal_with, sentences

from orchestrator.spec.document.keys_of_others import of_others
from orchestrator.spec.document.sentences import known_keys
from orchestrator.spec.model import Spec

STUDY = """\
study: wing
direction: minimize
n_trials: 50
sampler: TPESampler
n_jobs: 4
parameters: {x: {type: float, bounds: [0, 1]}}
evaluation: {evaluator: "json:dumps"}
"""
CAMPAIGN = """\
experiment: wing
vocs: {variables: {x: [0, 1]}, objectives: {y: MINIMIZE}}
objective: {metric: y, mode: min}
exit_criteria: {sim_max: 100}
sim_specs: {sim_f: wing.drag}
constants: {mach: 0.7}
observables: [lift]
storage: wing.db
"""


def said(refusal: str) -> list[str]:
    """Of each sentence what comes after what was expected."""
    return [sentence.rpartition(", got ")[2] for sentence in sentences(refusal)]


def test_what_is_said_in_other_words_is_not_called_missing_besides() -> None:
    assert said(refusal_of(STUDY)) == [
        "`study` (here that is `experiment: drag-of-a-wing`)",
        "`direction` (here that is `objective: {name: y, goal: minimise}`)",
        "`n_trials` (here that is `budget: {trials: 100}`)",
        "`sampler` (here that is `algorithm: {name: auto}`)",
        "`n_jobs` (here that is `workers: {local: 4}`)",
    ]
    assert said(refusal_of(CAMPAIGN)) == [
        "`vocs` (here that is `parameters: {x: {type: float, bounds: [0, 1]}}`, with `objective`, `outcomes`"
        " and `constraints`)",
        "`metric` (here that is `name: y`)",
        "`mode` (here that is `goal: minimise`)",
        "`exit_criteria` (here that is `budget: {trials: 100}`)",
        '`sim_specs` (here that is `evaluation: {evaluator: "module:function"}`)',
        "`constants` (here that is `parameters: {x: {type: fixed, value: 3}}`)",
        "`observables`; what else an evaluation returns is kept as it comes, and need not be named",
        "`storage`; a run is always kept, in a folder under logs, and `orchestrator resume` goes on",
    ]


@pytest.mark.parametrize(
    ("path", "written"),
    [
        (("maxTrialNumber",), "budget: {trials: 100}"),
        (("max-concurrent-trials",), "workers: {local: 4}"),
        (("early_stopping_strategy",), "evaluation: {stop_when: {quantity: loss, chance_below: 0.1}}"),
        (("optimize_mode",), "objective: {name: y, goal: minimise}"),
        (("status_quo",), "initial: {reference: {x: 0.3}}"),
        (("budget", "wallclock_max"), "time: 1 h"),
        (("budget", "stop_val"), "target: 0.95"),
        (("evaluation", "trainable"), 'evaluator: "module:function"'),
        (("evaluation", "max_failures"), "attempts: 3"),
        (("initial", "points_to_evaluate"), "points: [{x: 0.3}]"),
        (("workers", "max_workers"), "local: 4"),
        (("num_procs",), "evaluation: {slots: 4}"),
        (("evaluation", "num_cores"), "slots: 4"),
        (("workers", "slots"), "local: 4"),
        (("workers", "gpus"), "each: {CUDA_VISIBLE_DEVICES: [0, 1]}"),
        (("run_cap",), "budget: {trials: 100}"),
        (("early_terminate",), "evaluation: {stop_when: {quantity: loss, chance_below: 0.1}}"),
        (("hyperparameters",), "parameters: {x: {type: float, bounds: [0, 1]}}"),
        (("instances",), "parameters: {case: {type: choice, values: [a, b], in_use: evenly}}"),
        (("budget", "walltime_limit"), "time: 1 h"),
        (("budget", "max_capital"), "trials: 100"),
        (("budget", "termination_cost_threshold"), "target: 0.95"),
        (("evaluation", "trial_walltime_limit"), "timeout: 10 min"),
        (("evaluation", "memory_limit"), "command: [prlimit, --as=4000000000, ./program]"),
        (("evaluation", "env"), 'command: [env, A=1, ./program, "{x}"]'),
    ],
)
def test_what_would_be_written_here_is_a_key_of_that_place(path: tuple[str, ...], written: str) -> None:
    assert of_others(path) == written
    assert yaml.safe_load(written).keys() <= set(known_keys(Spec, path[:-1]))


def test_constraints_by_name_are_told_how_they_are_written() -> None:
    (told,) = sentences(refusal_with(constraints="constraints: {heat: [LESS_THAN, 80]}"))
    assert told == "expected a list of inequalities, as `[heat <= 80, a + b <= 1]`, got a mapping"


def test_words_of_this_project_stay_what_they_are() -> None:
    assert of_others(("budget", "trials")) is None
    assert of_others(("parameters", "n_trials", "low")) is None
    assert said(refusal_with(objective="objective: {name: y, goal: minimise, trials: 3}")) == [
        "`trials`, which is a key of `budget`: write it there"
    ]
    assert said(refusal_with(objective="objective: {name: y, goal: minimise, target: 0.1}")) == [
        "`target`, which is a key of `budget`: write it there"
    ]


def test_what_is_good_enough_of_an_objective_is_a_target_and_no_constraint() -> None:
    for key in ("at_most", "reference_point", "target_value"):
        (told,) = said(refusal_with(objective=f"objective: {{name: y, goal: minimise, {key}: 0.1}}"))
        assert told == f"`{key}` (here that is `budget: {{target: 0.4}}`)"


@pytest.mark.parametrize(
    ("parameter", "hint"),
    [
        ("[0, 3.5]", "; is it `{type: float, bounds: [0, 3.5]}`?"),
        ("[2, 9]", "; is it `{type: int, bounds: [2, 9]}`?"),
        ("[relu, tanh]", "; is it `{type: choice, values: [relu, tanh]}`?"),
        ("[1, 2, 4]", "; is it `{type: choice, values: [1, 2, 4]}`?"),
        ("[a, b, c, d, e, f, g]", "; is it `{type: choice, values: [a, b, c, d, e, ...]}`?"),
        ("[true, false]", "; is it `{type: choice, values: [true, false]}`?"),
        ("[[0, 1]]", ""),
        ("{type: float, bounds: (0, 1)}", "; lists are written in square brackets; is it `bounds: [0, 1]`?"),
        ("{type: float, lb: 0, bounds: [0, 1]}", " (did you mean `bounds`?)"),
        ("{type: float, bounds: [0, 1], q: 0.5}", " (did you mean `step`?)"),
        (
            "{type: float, bounds: [0, 1], shape: 3}",
            "; several that are alike are parameters by names of their own, as x1 and x2",
        ),
        (
            "{type: float, bounds: [0, 1], mu: 0.3}",
            "; where the best is believed to lie is a point to try first, among the `points`",
        ),
        ("{type: float, bounds: [0, 1], condition: x > 0}", " (did you mean `when`?)"),
        (
            "{type: float, bounds: [0, 1], default: 0.5}",
            "; what is tried first is a point of all parameters, among the `points`",
        ),
        (
            "{type: choice, values: [1, 2], is_ordered: true}",
            "; `type: ordered` is of values whose order means something",
        ),
        ("{type: qrandint, bounds: [2, 8]}", " (here that is `{type: int, step: 2}`)"),
        ("{type: uniform_float}", " (here that is `type: float`)"),
        ("{type: log-uniform, low: 1, high: 2}", " (here that is `{type: float, scale: log}`)"),
        ("{type: sample_from}", " (here that is `{type: computed, value: 2 * x}`)"),
        ("{type: bool}", " (here that is `{type: choice, values: [false, true]}`)"),
    ],
)
def test_parameters_in_other_words(parameter: str, hint: str) -> None:
    refusal = refusal_with(parameters=f"parameters:\n  x: {{type: float, bounds: [0, 1]}}\n  n: {parameter}")
    first = sentences(refusal)[0]
    assert first.endswith(hint)
    assert first.partition(", got ")[2].count("; ") == hint.count("; ")
