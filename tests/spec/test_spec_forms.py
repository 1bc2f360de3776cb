"""The ways of writing one thing, and the defaults of what is not written."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.spec.load import load_spec, load_spec_text
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.parameters import FixedParameter
from orchestrator.spelling import american, british, near_miss

QUICKSTART = Path(__file__).parents[2] / "configs" / "quickstart.yaml"


def test_what_is_not_written_has_its_default() -> None:
    spec = spec_with(algorithm=None)
    assert (spec.algorithm.name, spec.algorithm.options) == ("auto", {})
    assert (spec.workers.local, spec.workers.listen) == (1, "tcp://127.0.0.1:*")
    assert (spec.mode.kind, spec.mode.batch) == ("asynchronous", None)
    assert (spec.evaluation.timeout_s, spec.evaluation.attempts, spec.evaluation.command) == (None, 3, None)
    assert (spec.objective.noise, spec.seed, spec.factors) == ("unknown", 0, None)
    assert (spec.initial.count, spec.initial.points, spec.initial.results) == (None, [], [])


def test_the_quickstart_reads_as_the_readme_shows_it() -> None:
    loaded = load_spec(QUICKSTART)
    assert loaded.text == QUICKSTART.read_text()
    spec = loaded.spec
    assert list(spec.parameters) == ["neurons_1", "neurons_2", "learning_rate", "batch_size", "activation"]
    assert spec.parameters["learning_rate"].model_dump(exclude_unset=True) == {
        "type": "float", "bounds": (1e-6, 0.1), "scale": "log"
    }  # fmt: skip
    assert spec.evaluation.timeout_s == 60.0
    assert spec.evaluation.options == {"dataset": "breast_cancer"}
    assert spec.workers.local == 4


@pytest.mark.parametrize(
    "lines",
    [
        {},
        {"mode": "mode: {synchronous: 4}", "initial": "initial: {points: [{x: 0.5, n: 3}]}"},
        {
            "evaluation": "evaluation: {command: [sim, '{x}', '{n}'], timeout: 5 min}",
            "fixed": "fixed: {c: 3}",
        },
        {"budget": "budget: {time: 2 h}", "initial": "initial: {results: [{x: 0.5, n: 3, drag: 2}]}"},
    ],
)
def test_a_spec_survives_being_written_as_json_and_read(lines: dict[str, str]) -> None:
    spec = spec_with(**lines)
    assert Spec.model_validate_json(spec.model_dump_json()) == spec
    assert Spec.model_validate_json(spec.model_dump_json(by_alias=True)) == spec


def test_american_spellings_of_keys_and_values() -> None:
    spec = spec_with(
        objective="objective: {name: drag, goal: maximize}", algorithm="optimizer: {name: random}"
    )
    assert spec.objective.goal == "maximise"
    assert spec.algorithm.name == "random"
    assert spec_with(objective="objective: {name: drag, goal: minimize}").objective.goal == "minimise"


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("maximize", "maximise"),
        ("normalization", "normalisation"),
        ("neighbors", "neighbours"),
        ("size", "size"),
        ("center", "centre"),
        ("optimizer", "optimiser"),
    ],
)
def test_spellings_there_and_back(word: str, form: str) -> None:
    assert british(word) == form
    assert american(form) == word


def test_near_misses() -> None:
    known = ["trials", "time", "target", "patience"]
    assert near_miss("trails", known) == "trials"
    assert near_miss("Time", known) == "time"
    assert near_miss("patiance", known) == "patience"
    assert near_miss("iterations", known) == "trials"
    assert near_miss("colour", known) is None


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("60 s", 60),
        ("5 min", 300),
        ("2 h", 7200),
        ("1 d", 86400),
        ("90", 90),
        ("0.5", 0.5),
        ("1 h 30 min", 5400),
        ("1 hr", 3600),
        ("2 hrs 1 hour", 10800),
        ("250ms", 0.25),
        ("1.5 hours", 5400),
        ("2 days", 172800),
        ("1 minute", 60),
    ],
)
def test_durations_in_seconds(written: str, seconds: float) -> None:
    assert spec_with(budget=f"budget: {{time: {written}}}").budget.time_s == seconds


@pytest.mark.parametrize("written", ["0", "-3", "5 fortnights", ".inf", "''", "true", "1 h 30", "s"])
def test_what_is_no_duration(written: str) -> None:
    with pytest.raises(Exception, match="expected a duration above 0"):
        spec_with(budget=f"budget: {{time: {written}}}")


def test_numbers_as_people_write_them() -> None:
    parameters = "parameters: {x: {type: float, bounds: [1e-6, 1E+2]}, n: {type: int, bounds: [1.0, 1e3]}}"
    spec = spec_with(parameters=parameters)
    assert spec.parameters["x"].model_dump()["bounds"] == (1e-6, 100.0)
    assert spec.parameters["n"].model_dump()["bounds"] == (1, 1000)


def test_words_stay_words_that_yaml_1_1_would_read_as_truth_or_time() -> None:
    spec = spec_with(parameters="parameters: {x: {type: choice, values: [no, on, 1:30, 2024-01-01]}}")
    assert spec.parameters["x"].model_dump()["values"] == ["no", "on", "1:30", "2024-01-01"]


def test_a_budget_of_trials_or_of_time_alone() -> None:
    assert spec_with(budget="budget: 30").budget.trials == 30
    assert spec_with(budget="budget: 2 h").budget.time_s == 7200.0
    assert "budget" in str(refusal_with(budget="budget: true"))
    assert "whole number" in str(refusal_with(budget="budget: 3.5"))
    assert "`soon`" in str(refusal_with(budget="budget: soon"))


def test_modes() -> None:
    modes = [spec_with(mode=f"mode: {m}").mode for m in ("asynchronous", "sequential", "{synchronous: 4}")]
    assert [(m.kind, m.batch) for m in modes] == [
        ("asynchronous", None),
        ("sequential", None),
        ("synchronous", 4),
    ]


def test_three_ways_to_fix_a_parameter() -> None:
    parameters = "parameters: {x: {type: float, bounds: [0, 1]}, a: 3, b: {type: fixed, value: on}}"
    spec = spec_with(parameters=parameters, fixed="fixed: {c: true, d: {type: fixed, value: 2, unit: m}}")
    fixed = {n: p.value for n, p in spec.parameters.items() if isinstance(p, FixedParameter)}
    assert fixed == {"a": 3, "b": "on", "c": True, "d": 2}


def test_noise() -> None:
    noises = [spec_with(objective=f"objective: {{name: a, goal: minimise, noise: {n}}}").objective.noise
              for n in ("unknown", "reported", "0.25", "0")]  # fmt: skip
    assert noises == ["unknown", "reported", 0.25, 0]


def test_listening_elsewhere_at_the_top_or_among_the_workers() -> None:
    assert spec_with(listen="listen: tcp://[::1]:5555").workers.listen == "tcp://[::1]:5555"
    assert spec_with(workers="workers: {listen: ipc:///tmp/wing, local: 2}").workers.local == 2
    open_to_all = spec_with(workers="workers: {insecure: true}", listen="listen: tcp://0.0.0.0:5555")
    assert open_to_all.workers.listen == "tcp://0.0.0.0:5555"
    assert spec_with(workers="workers: 3").workers.local == 3


def test_a_command_is_an_evaluator_with_options() -> None:
    spec = spec_with(
        evaluation="evaluation: {command: [./sim, --x, '{x}', 3], output: 'drag = (\\S+)', input: in.json}"
    )
    assert spec.evaluation.evaluator == "evaluators.command:run"
    assert spec.evaluation.command == ["./sim", "--x", "{x}", "3"]
    assert spec.evaluation.options == {
        "command": ["./sim", "--x", "{x}", "3"],
        "output": {"pattern": "drag = (\\S+)"},
        "input": {"file": "in.json"},
    }


def test_what_is_said_of_a_command_holds_for_those_that_workers_bring_along() -> None:
    said = "output: 'drag = (\\S+)', input: in.json, progress: json"
    spec = spec_with(
        evaluation=f"evaluation: {{evaluator: 'evaluators.command:run', {said}}}",
        workers="workers: {local: 0}",
    )
    assert spec.evaluation.options == {
        "output": {"pattern": "drag = (\\S+)"},
        "input": {"file": "in.json"},
        "progress": "json",
    }


def test_remote_workers_may_have_an_evaluator_that_is_not_here() -> None:
    evaluation = "evaluation: {evaluator: 'their_lab.robot:push'}"
    assert spec_with(evaluation=evaluation, workers="workers: {local: 0}").evaluation.evaluator.startswith(
        "their"
    )


def test_an_evaluator_beside_the_person_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_wing.py").write_text("import not_installed_anywhere\ndef drag(parameters): ...\n")
    monkeypatch.chdir(tmp_path)
    assert (
        spec_with(evaluation="evaluation: {evaluator: 'my_wing:drag'}").evaluation.evaluator == "my_wing:drag"
    )
    with pytest.raises(Exception, match=r"got `lift`, which is not there"):
        spec_with(evaluation="evaluation: {evaluator: 'my_wing:lift'}")


def test_the_spec_of_a_run_is_read_without_looking_at_the_world() -> None:
    text = text_with(
        evaluation="evaluation: {evaluator: 'gone_since:f'}",
        algorithm="algorithm: {name: uninstalled-since, options: {a: 1}}",
        initial="initial: {results: gone-since.csv, points: [{x: 1, n: 2}]}",
    )
    spec = load_spec_text(text, "logs/wing/spec.yaml", None).spec
    assert spec.initial.points == [{"x": 1.0, "n": 2}]
    assert spec.initial.results == []


def test_anchors_aliases_and_merge_keys() -> None:
    spec = spec_with(
        parameters="parameters: {x: &x {type: float, bounds: [1, 2]}, n: *x, m: {<<: *x, scale: log}}"
    )
    assert spec.parameters["x"] == spec.parameters["n"]
    assert spec.parameters["m"].model_dump()["scale"] == "log"


@pytest.mark.parametrize("written", ["", "3", "[span]"])
def test_what_is_fixed_is_a_mapping(written: str) -> None:
    refusal = refusal_with(fixed=f"fixed: {written}")
    said = "expected parameters at constant values, as `fixed: {span: 3}`, got another value"
    assert sentences(refusal) == [said]
    assert spec_with(fixed="fixed: {}") == spec_with()


@pytest.mark.parametrize("merged", ["x", "[*x, x]", "", "[]"])
def test_a_merge_key_of_what_is_no_mapping_is_not_passed_over(merged: str) -> None:
    first = "&x {type: float, bounds: [1, 2]}"
    refusal = refusal_with(
        parameters=f"parameters: {{x: {first}, n: {{<<: {merged}, type: fixed, value: 1}}}}"
    )
    assert sentences(refusal) == [
        "expected `<<: *name`, with `&name` before a mapping, or a list of such, got another value"
    ]
    assert under_caret(refusal)[0].startswith("<<")


def test_a_command_takes_parameters_of_any_name_and_leaves_other_braces_alone() -> None:
    spec = spec_with(
        parameters="parameters: {step-size: {type: float, bounds: [0, 1]}, wing span: 3}",
        evaluation="evaluation: {command: [./sim, '{step-size}', '--span={wing span}', 'awk {print $1}']}",
    )
    assert spec.evaluation.options["command"][1:] == ["{step-size}", "--span={wing span}", "awk {print $1}"]
    refusal = refusal_with(
        parameters="parameters: {step-size: {type: float, bounds: [0, 1]}}",
        evaluation="evaluation: {command: [./sim, '{step-sze}', '{parameters_file}']}",
    )
    assert "got `{step-sze}` (did you mean `step-size`?)" in refusal


@pytest.mark.parametrize(
    ("written", "read"), [("e\u0301te\u0301 2", "\u00e9t\u00e9 2"), ("प्रयोग", "प्रयोग"), ("नी-2", "नी-2")]
)
def test_the_name_of_an_experiment_is_in_any_script_and_composed(written: str, read: str) -> None:
    assert spec_with(experiment=f'experiment: "{written}"').experiment == read
