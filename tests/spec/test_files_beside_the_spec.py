"""What a run looks for where it is started, and its author put beside the spec: where to start it is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences

from orchestrator import cli

COMMAND = "evaluation: {command: [sim, in.dat], input: {templates: {in.dat: wing.template}}}"


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a spec, from whose parent the run is to be started."""
    folder = tmp_path / "my lab"
    folder.mkdir()
    monkeypatch.chdir(tmp_path)
    return Path(folder.name)


@pytest.mark.parametrize(
    ("evaluation", "file"),
    [
        (COMMAND, "wing.template"),
        ("evaluation: {evaluator: 'beside_wing:drag'}", "beside_wing.py"),
        ("evaluation: {evaluator: 'beside_wings.steady:drag'}", "beside_wings"),
    ],
)
def test_what_lies_beside_the_spec_is_said_to(lab: Path, evaluation: str, file: str) -> None:
    (absent,) = sentences(refusal_with(lab, evaluation=evaluation))
    assert "lies beside the spec" not in absent
    (lab / file).touch()
    (said,) = sentences(refusal_with(lab, evaluation=evaluation))
    assert said == f"{absent}; `{file}` lies beside the spec: first cd 'my lab'"


def test_so_is_a_program(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = lab / "wing.yaml"
    spec.write_text(
        """\
experiment: wing
objective: {name: drag, goal: minimise}
parameters: {x: {type: float, bounds: [0, 1]}}
budget: {trials: 3}
evaluation: {command: [./wing.sh, "{x}"]}
"""
    )
    assert cli.main(["run", str(spec)]) == 1
    assert "lies beside the spec" not in capsys.readouterr().err
    (lab / "wing.sh").write_text("#!/bin/sh\necho 1\n")
    for command in (["run", str(spec)], ["try", str(spec)], ["validate", str(spec)]):
        cli.main(command)
        said = " ".join(capsys.readouterr().err.split())
        assert "`./wing.sh` lies beside the spec: first cd 'my lab'" in said
