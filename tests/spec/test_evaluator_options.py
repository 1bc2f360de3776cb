"""Options of evaluators: what cannot be is said before anything runs."""

from __future__ import annotations

import importlib
import inspect
import math
from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from evaluators.readiness.catalogue import WORKLOADS
from orchestrator.spec.checks.evaluator_options import declared_options
from orchestrator.spec.load import load_spec_text

NETWORK = "evaluators.learning:network"


def evaluation(evaluator: str, options: str) -> str:
    return f"evaluation: {{evaluator: '{evaluator}', options: {options}}}"


@pytest.mark.parametrize(
    ("evaluator", "options", "said", "at"),
    [
        (
            NETWORK,
            "{datset: wine}",
            f"expected one of the options `dataset`, `repeats` or `epochs` of `{NETWORK}`, got `datset`"
            " (did you mean `dataset`?)",
            "datset: wine}}",
        ),
        (
            NETWORK,
            "{repeats: 2}",
            f"expected the option `dataset`, which `{NETWORK}` needs, but it is missing",
            "options: {repeats: 2}}",
        ),
        (
            NETWORK,
            "{dataset: wines}",
            "expected `iris`, `wine`, `breast_cancer` or `digits`, got `wines` (did you mean `wine`?)",
            "wines}}",
        ),
        (
            NETWORK,
            "{dataset: wine, repeats: often}",
            "expected a whole number as the option `repeats`, got `often`",
            "often}}",
        ),
        (
            NETWORK,
            "{dataset: wine, context: 1}",
            f"expected one of the options `dataset`, `repeats` or `epochs` of `{NETWORK}`, got `context`",
            "context: 1}}",
        ),
        (
            "evaluators.robots:push",
            "{engine: box3d}",
            "expected `box2d` or `mujoco`, got `box3d` (did you mean `box2d`?)",
            "box3d}}",
        ),
        (
            "evaluators.robots:push",
            "{noise: true}",
            "expected a number as the option `noise`, got `true`",
            "true}}",
        ),
        (
            "evaluators.learning:pic",
            "{data: 7}",
            "expected text as the option `data`, got 7",
            "7}}",
        ),
        (
            "evaluators.rover:rover",
            "{goal: 3}",
            "expected no options of `evaluators.rover:rover`, which takes none, got `goal`",
            "goal: 3}}",
        ),
    ],
)
def test_an_option_that_cannot_be_is_shown_at_its_place(
    evaluator: str, options: str, said: str, at: str
) -> None:
    refusal = refusal_with(evaluation=evaluation(evaluator, options))
    assert sentences(refusal) == [said]
    assert under_caret(refusal) == [at]


NOT_FINITE = """\
evaluation:
  evaluator: 'json:dumps'
  options:
    skipkeys: .inf
    indent: {deep: [1, -.inf, {deeper: .nan}], fine: 1e300}
    sort_keys: 2"""


def test_options_that_json_cannot_carry_are_refused_each_at_its_line() -> None:
    refusal = refusal_with(evaluation=NOT_FINITE, budget="budget: {trials: none}")
    said = [sentence for sentence in sentences(refusal) if "finite" in sentence]
    assert [sentence.partition(";")[0] for sentence in said] == [
        "expected finite numbers in the option `skipkeys`, got inf",
        "expected finite numbers in the option `indent`, got -inf",
        "expected finite numbers in the option `indent`, got nan",
    ]
    assert "wing.yaml:9:15" in refusal
    assert len(sentences(refusal)) == len(said) + 1, "with whatever else is wrong"


def test_an_option_that_is_not_finite_is_said_once() -> None:
    refusal = refusal_with(evaluation=evaluation(NETWORK, "{dataset: wine, repeats: .inf}"))
    assert len(sentences(refusal)) == 1
    assert under_caret(refusal) == [".inf}}"]


def test_the_spec_of_a_run_that_began_with_one_is_read_still() -> None:
    text = text_with(evaluation=evaluation("json:dumps", "{a: .inf}"))
    assert load_spec_text(text, "spec.yaml", None).spec.evaluation.options == {"a": math.inf}


def test_without_any_options_the_one_that_is_needed_is_asked_for_at_the_evaluator() -> None:
    refusal = refusal_with(evaluation="evaluation: {evaluator: 'evaluators.learning:pic'}")
    assert "expected the option `data`" in refusal
    assert under_caret(refusal) == ["'evaluators.learning:pic'}"]


def test_workers_elsewhere_take_the_same_options() -> None:
    refusal = refusal_with(evaluation=evaluation(NETWORK, "{datset: wine}"), workers="workers: {local: 0}")
    assert "did you mean `dataset`?" in refusal


@pytest.mark.parametrize(
    ("evaluator", "options"),
    [
        ("evaluators.synthetic:function", "{name: camel, noise: 1, shift_seed: null, factors: true}"),
        (NETWORK, "{dataset: wine, repeats: 2}"),
        ("evaluators.wlan:network", "{duration: 2}"),
        ("evaluators.wlan.network:network", "{duration: 0.5}"),
    ],
)
def test_options_that_can_be_are_taken(evaluator: str, options: str) -> None:
    assert spec_with(evaluation=evaluation(evaluator, options)).evaluation.evaluator == evaluator


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            "def f(parameters, *, colour):\n    return 1\n",
            "expected one of the options `colour` of `theirs:f`, got `color` (did you mean `colour`?)",
        ),
        (
            "def f(parameters, context):\n    return 1\n",
            "expected no options of `theirs:f`, which takes none, got `color`",
        ),
        (
            "def f(parameters, color: float):\n    return 1\n",
            "expected a number as the option `color`, got `red`",
        ),
        (
            "def f(parameters, *, color, size: int):\n    return 1\n",
            "expected the option `size`, which `theirs:f` needs, but it is missing",
        ),
    ],
)
def test_somebodys_own_evaluator_is_read_where_this_machines_workers_run_it(
    source: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("theirs.py").write_text(source)
    assert sentences(refusal_with(evaluation=evaluation("theirs:f", "{color: red}"))) == [said]


def test_a_function_of_the_parameters_by_their_names_is_told_how_to_be_given_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("theirs.py").write_text("def train(z, x, n, size):\n    return 1\n")
    assert sentences(refusal_with(evaluation="evaluation: {evaluator: 'theirs:train'}")) == [
        "expected a function of one mapping of the parameters, got `theirs:train`, which takes `x` and `n` "
        "by name; in its place: def evaluate(parameters): return train(**parameters)",
        "expected the option `size`, which `theirs:train` needs, but it is missing",
    ]


def test_workers_elsewhere_may_have_another_one_of_the_same_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("theirs.py").write_text("def f(parameters, *, colour):\n    return 1\n")
    spec = spec_with(evaluation=evaluation("theirs:f", "{color: red}"), workers="workers: {local: 0}")
    assert spec.evaluation.options == {"color": "red"}


@pytest.mark.parametrize(
    "source",
    [
        "def f(parameters, **options):\n    return 1\n",
        "from functools import cache\n@cache\ndef f(parameters):\n    return 1\n",
        "if 1:\n    def f(parameters): return 1\nelse:\n    def f(parameters, color): return 1\n",
    ],
)
def test_where_the_source_does_not_tell_nothing_is_presumed(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("theirs.py").write_text(source)
    assert spec_with(evaluation=evaluation("theirs:f", "{color: red}")).evaluation.options == {"color": "red"}


def test_a_module_that_is_no_python_is_refused_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.py").write_text("def f(parameters):\n    return 1 +\n")
    (sentence,) = sentences(refusal_with(evaluation="evaluation: {evaluator: 'broken:f'}"))
    assert sentence.startswith(
        "expected a module that can be imported, got `broken`: invalid syntax, in line 2"
    )


@pytest.mark.filterwarnings("error")
def test_what_python_warns_of_in_a_module_is_said_where_it_is_imported_and_not_where_it_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From 3.12 on it shows what it says of such a backslash, with no name of the file."""
    monkeypatch.chdir(tmp_path)
    Path("digits.py").write_text("import re\n\ndef first(text):\n    return re.search('\\d', text)\n")
    (sentence,) = sentences(refusal_with(evaluation=evaluation("digits:first", "{width: 2}")))
    assert "got `width`" in sentence


def test_the_spec_of_a_run_is_read_whatever_its_evaluator_takes_by_now() -> None:
    text = text_with(evaluation=evaluation(NETWORK, "{datset: wine}"))
    assert load_spec_text(text, "spec.yaml", None).spec.evaluation.options == {"datset": "wine"}


@pytest.mark.parametrize("evaluator", sorted({workload.evaluator for workload in WORKLOADS}))
def test_what_is_read_of_the_source_is_what_the_function_takes(evaluator: str) -> None:
    module, _, name = evaluator.partition(":")
    signature = inspect.signature(getattr(importlib.import_module(module), name))
    taken = [p for p in list(signature.parameters.values())[1:] if p.name != "context"]

    declared = declared_options(evaluator)
    assert declared is not None
    assert {option.name: option.required for option in declared} == {
        p.name: p.default is inspect.Parameter.empty for p in taken
    }
    assert all(option.takes is not None for option in declared), "each is of a type that can be checked"
