"""A spec whose program reads input files: what is wrong with their templates is said when it is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.spec.load import load_spec_text


@pytest.fixture(autouse=True)
def _started_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("both.template").write_text('{"x": {x}, "n": {"is": {n}}}')
    Path("slip.template").write_text("x = {x}\nn = {n}\ns = {sedd}\n")
    Path("only-x.template").write_text("x = {x}\n")
    Path("none.template").write_text("x = 3\n")
    Path("mesh.dat").write_text("1 2\n")
    Path("empty").mkdir()
    Path("case/0").mkdir(parents=True)
    Path("case/in.dat").write_text("x = {x}\n")
    Path("case/0/U").write_text("n = {n}\n")
    Path("case/mesh.dat").write_text("1 2\n")


def _evaluation(templates: str, arguments: str = "in.dat") -> str:
    return f"evaluation: {{command: [sim, {arguments}], input: {{templates: {templates}}}}}"


def test_templates_are_an_option_of_the_command() -> None:
    spec = spec_with(evaluation=_evaluation("{in.dat: both.template}"))
    assert spec.evaluation.options == {
        "command": ["sim", "in.dat"],
        "output": "json",
        "input": {"templates": {"in.dat": "both.template"}},
    }


def test_what_is_discarded_lies_in_the_folder_of_an_attempt() -> None:
    told = _evaluation("{in.dat: both.template}").removesuffix("}")
    spec = spec_with(evaluation=told + ", discard: '*.frd'}")
    assert spec.evaluation.options["discard"] == ["*.frd"]
    for beyond in ("../old", "/tmp/x", "**.frd", ".", ""):
        refusal = refusal_with(evaluation=told + f", discard: ['{beyond}']}}")
        assert "names of files inside the attempt's folder" in refusal
    without = "evaluation: {command: [sim, '{x}', '{n}'], discard: [scratch]}"
    assert "expected `{directory}` in the command, or `input" in refusal_with(evaluation=without)
    told_where = without.replace("'{n}'", "'{n}', -o, '{directory}/out.264'")
    assert spec_with(evaluation=told_where).evaluation.options["discard"] == ["scratch"]


@pytest.mark.parametrize(
    ("templates", "arguments"),
    [
        ("{in.dat: only-x.template}", "in.dat, '{n}'"),
        ("{in.dat: only-x.template, case/b.dat: both.template}", "in.dat"),
        ("{in.dat: both.template}", "'{started_in}/mesh.dat', '{directory}/mesh.dat'"),
        ("{in.dat: both.template, mesh.dat: mesh.dat}", "in.dat, mesh.dat"),
        ("{.: case}", "in.dat"),
        ("{cases/one: case, cases/one/0/U: both.template}", "cases/one"),
    ],
)
def test_every_parameter_is_named_somewhere(templates: str, arguments: str) -> None:
    assert spec_with(evaluation=_evaluation(templates, arguments)).evaluation.command is not None


@pytest.mark.parametrize(
    ("templates", "arguments", "said", "at"),
    [
        (
            "{in.dat: boht.template}",
            "in.dat",
            "expected a template, found no `boht.template` in ",
            "boht.template",
        ),
        (
            "{in.dat: slip.template}",
            "in.dat",
            "line 3 of the template `slip.template` has {sedd}, which names no parameter; did you mean {seed",
            "slip.template",
        ),
        (
            "{in.dat: none.template}",
            "in.dat",
            "expected `{x}` in a template or among the arguments, but none names `x` and `n`",
            "{in.dat: none.template}",
        ),
        (
            "{.: both.template}",
            "in.dat",
            "expected a folder as the template of `.`, the evaluation's own, got a file",
            "{.: both.template}",
        ),
        (
            "{.: .}",
            "in.dat",
            "expected the template `.` as a folder of its own, which ",
            "{.: .}",
        ),
        (
            "{.: empty}",
            "in.dat",
            "expected files in the template `empty`, got an empty folder",
            "{.: empty}",
        ),
        (
            "{.: case, in.dat/too: both.template}",
            "in.dat",
            "expected files that can lie beside each other, got `in.dat` and `in.dat/too`",
            "{.: case, in.dat/too: both.template}",
        ),
        (
            "{in.dat: only-x.template}",
            "in.dat",
            "expected `{n}` in a template or among the arguments, but none names `n`",
            "{in.dat: only-x.template}",
        ),
        (
            "{in.dat: both.template}",
            "mesh.dat",
            "the argument `mesh.dat` is a file in ",
            "mesh.dat], input: {templates: {in.dat: both.template}",
        ),
        (
            "{../in.dat: both.template}",
            "in.dat",
            "expected the name of a file inside the evaluation's folder, got `../in.dat`",
            "input: {templates: {../in.dat: both.template}",
        ),
        (
            "both.template",
            "in.dat",
            "expected files to be written and the templates that they are made of, as in `{templates",
            "input: {templates: both.template",
        ),
    ],
)
def test_a_wrong_template_is_refused_where_it_stands(
    templates: str, arguments: str, said: str, at: str
) -> None:
    refusal = refusal_with(evaluation=_evaluation(templates, arguments))
    assert [s[: len(said)] for s in sentences(refusal)] == [said]
    assert [under.startswith(at) for under in under_caret(refusal)] == [True], refusal


def test_templates_of_workers_elsewhere_need_not_be_here_and_are_read_where_they_are() -> None:
    evaluation = _evaluation("{in.dat: there.template}")
    assert spec_with(evaluation=evaluation, workers="workers: 0").workers.local == 0
    evaluation = _evaluation("{in.dat: slip.template}")
    (said,) = sentences(refusal_with(evaluation=evaluation, workers="workers: 0"))
    assert "has {sedd}" in said


def test_a_run_that_was_begun_is_read_wherever_its_templates_are() -> None:
    text = text_with(evaluation=_evaluation("{in.dat: gone.template}"))
    spec = load_spec_text(text, "spec.yaml", None).spec
    assert spec.evaluation.input == {"templates": {"in.dat": "gone.template"}}


def test_templates_belong_to_a_command() -> None:
    evaluation = "evaluation: {evaluator: 'json:dumps', input: {templates: {a: both.template}}}"
    (said,) = sentences(refusal_with(evaluation=evaluation))
    assert said == "`input` belongs to a `command`, but `evaluator` is a Python function"
