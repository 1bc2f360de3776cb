"""What each local worker has of its own: read as it is meant, and each mistake said where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.spec.load import load_spec_text


def _evaluation(*arguments: str, more: str = "") -> str:
    return f"evaluation: {{command: [sim, '{{x}}', '{{n}}', {', '.join(arguments)}]{more}}}"


def test_each_local_worker_has_its_own_by_its_name() -> None:
    each = "{CUDA_VISIBLE_DEVICES: ['0,1', '2,3'], PORT: [5001, 5002], _share: [0.5, '']}"
    workers = spec_with(workers=f"workers: {{local: 2, each: {each}}}").workers
    assert workers.own == {
        "local-1": {"CUDA_VISIBLE_DEVICES": "0,1", "PORT": "5001", "_share": "0.5"},
        "local-2": {"CUDA_VISIBLE_DEVICES": "2,3", "PORT": "5002", "_share": ""},
    }
    assert spec_with(workers="workers: 2").workers.own == {"local-1": {}, "local-2": {}}


def test_two_workers_may_share_a_thing_on_purpose() -> None:
    assert spec_with(workers="workers: {local: 3, each: {GPU: [0, 0, 1]}}").workers.own["local-2"] == {
        "GPU": "0"
    }


@pytest.mark.parametrize(
    ("workers", "said", "at"),
    [
        (
            "{local: 4, each: {GPU: [0, 1, 2]}}",
            "expected as many values as local workers, 4, got 3",
            "[0, 1, 2]",
        ),
        (
            "{local: 2, each: {GPU: [0, 1, 2]}}",
            "expected as many values as local workers, 2, got 3",
            "[0, 1, 2]",
        ),
        (
            "{each: {GPU: [0, 1]}}",
            "expected as many values as local workers, 1, got 2; say `local: 2`",
            "[0, 1]",
        ),
        (
            "{local: 0, each: {GPU: [0, 1]}}",
            "expected local workers, of which each has a value of its own, got none; workers elsewhere are"
            " told theirs where they are started: --each NAME=VALUE",
            "each: ",
        ),
        ("{local: 0, each: {GPU: []}}", "expected local workers, of which each has", "each: "),
        (
            "{local: 2, each: {GPU 1: [0, 1]}}",
            "expected the name of an environment variable, of letters, `_` and, not first, digits, got"
            " `GPU 1`",
            "GPU 1: ",
        ),
        ("{local: 2, each: {2: [0, 1]}}", "expected the name of an environment variable, of letters", "2: "),
        (
            "{local: 2, each: {ORCHESTRATOR_EVALUATION: [0, 1]}}",
            "expected a name that does not begin with `ORCHESTRATOR_`, as those of the orchestrator do, got"
            " `ORCHESTRATOR_EVALUATION`",
            "ORCHESTRATOR_EVALUATION: ",
        ),
        (
            "{local: 2, each: {trial: [0, 1]}}",
            "expected another name, as `{trial}` in a command stands for something else, got `trial`",
            "trial: ",
        ),
        (
            "{local: 2, each: {PATH: [/a, /b]}}",
            "expected another name, as a command's program is looked for on the worker's own `PATH`, got"
            " `PATH`",
            "PATH: ",
        ),
        (
            "{local: 2, each: {x: [0, 1]}}",
            "expected a name that no parameter has, got `x`: `{x}` would stand for both",
            "x: ",
        ),
        (
            "{local: 1, each: {GPU: [[0, 1]]}}",
            'expected text or a number, got [0, 1]; several as one value are one text, such as `"0,1"`',
            "[0, 1]]",
        ),
        ("{local: 1, each: {GPU: [true]}}", "expected text or a number, got `true`", "true"),
        ("{local: 1, each: {GPU: [~]}}", "expected text or a number, got nothing", "~"),
        ('{local: 1, each: {GPU: ["a\\0"]}}', "expected text without a zero byte", '"a'),
        ("{local: 1, each: {GPU: '0'}}", "expected a list, got `0`", "'0'"),
        ("{local: 1, each: [GPU]}", "expected a mapping, got [GPU]", "[GPU]"),
    ],
)
def test_a_mistake_is_said_where_it_stands(workers: str, said: str, at: str) -> None:
    refusal = refusal_with(workers=f"workers: {workers}")
    assert [sentence[: len(said)] for sentence in sentences(refusal)] == [said]
    (under,) = under_caret(refusal)
    assert under.startswith(at), refusal


def test_nobody_gives_it_to_a_person() -> None:
    workers = "workers: {local: 2, each: {ARM: [left, right]}}"
    (said,) = sentences(refusal_with(evaluation="evaluation: {evaluator: person}", workers=workers))
    assert said == "expected no `each` where a person evaluates, for there are no processes to have it"


def test_a_command_and_its_templates_may_name_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.template").write_text("port {PORT}\n")
    workers = "workers: {local: 2, each: {GPU: [0, 1], PORT: [5001, 5002]}}"
    evaluation = _evaluation("'{GPU}'", more=", input: {templates: {sim.in: own.template}}")
    assert spec_with(evaluation=evaluation, workers=workers).evaluation.command == [
        "sim",
        "{x}",
        "{n}",
        "{GPU}",
    ]
    for others in ("workers: {local: 2, remote: 1}", None):
        (said,) = sentences(refusal_with(evaluation=_evaluation("'{local}'", "seed"), workers=others))
        assert said == "expected `{...}` about a parameter, got `{local}`"
    Path("own.template").write_text("port {PORTT}\n")
    (said,) = sentences(refusal_with(evaluation=evaluation, workers=workers))
    assert "has {PORTT}, which names no parameter; did you mean {PORT}?" in said
    (said,) = sentences(refusal_with(evaluation=_evaluation("'{GPV}'"), workers=workers))
    assert said == "expected `{...}` about a parameter, got `{GPV}` (did you mean `GPU`?)"


@pytest.mark.parametrize(
    ("workers", "how"),
    [
        (None, "if it is an environment variable of each worker's own, say `workers: {each: {GPU: [...]}}`"),
        (
            "workers: {local: 0}",
            "no worker is local: those elsewhere that have it of their own bring the command along,"
            " `orchestrator worker --each GPU=VALUE --command PROGRAM ...`, where this says `evaluator:"
            " evaluators.command:run` in its place",
        ),
    ],
)
def test_where_no_worker_is_said_to_have_it_what_to_do_is_said(workers: str | None, how: str) -> None:
    (said,) = sentences(refusal_with(evaluation=_evaluation("'{GPU}'"), workers=workers))
    assert said == "expected `{...}` about a parameter, got `{GPU}`; " + how


def test_it_does_not_stand_for_a_parameter_that_nothing_names() -> None:
    evaluation = "evaluation: {command: [sim, '{x}', '{GPU}']}"
    (said,) = sentences(refusal_with(evaluation=evaluation, workers="workers: {local: 1, each: {GPU: [0]}}"))
    assert said.startswith("expected `{n}` among the arguments, but none names `n`")


def test_a_wrong_value_is_the_only_mistake_where_the_command_names_it() -> None:
    workers = "workers: {local: 1, each: {GPU: [true]}}"
    assert len(sentences(refusal_with(evaluation=_evaluation("'{GPU}'"), workers=workers))) == 1


def test_a_number_that_is_given_otherwise_than_it_is_written_is_remarked_on() -> None:
    text = text_with(workers="workers: {local: 2, each: {BUS: [007, '007']}}")
    (said,) = load_spec_text(text, "wing.yaml", Path()).remarks
    assert ": evaluations are given `7`: if `007` is no number, put quotation marks about it\n" in said
