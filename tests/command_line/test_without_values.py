"""What is asked of the values of a run whose trials are compared is refused with what to ask instead."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from types import SimpleNamespace

import pytest
from policies import policy_with

from orchestrator.cli import main
from orchestrator.command_line import modelling, spreading
from orchestrator.command_line.amend_arguments import add_arguments
from orchestrator.command_line.amend_options import request_from
from orchestrator.errors import UsageError
from orchestrator.scheduler.machine import Scheduler
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.policy_of_spec import policy_of


@pytest.mark.parametrize("asked", ["sensitivity", "tolerance", "posterior", "predict", "spread"])
def test_a_run_without_values_is_named_for_what_it_is(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    policy, folder = policy_with(compared=True), SimpleNamespace(path="logs/coffee")
    run = SimpleNamespace(state=SimpleNamespace(policy=policy), folder=folder)
    monkeypatch.setattr(modelling, "run_to_look_at", lambda _: run)
    options = {"draws": None, "prior": [], "errors": "told", "posterior": False, "like": None}
    parsed = Namespace(of=None, off=[], points=None, targets=[], format="table", output=None, **options)
    with pytest.raises(UsageError, match="where they are compared; which is preferred: orchestrator best"):
        getattr({"spread": spreading}.get(asked, modelling), asked)(parsed)


COFFEE = """\
experiment: coffee
objective: {name: taste, told: by comparison}
parameters: {dose: {type: float, bounds: [0, 10]}}
budget: {trials: 3}
evaluation: {evaluator: person}
mode: sequential
"""


@pytest.mark.parametrize("besides", [("--extra", "cream=2"), ("--variance", "0.1")])
def test_what_is_typed_beside_a_trial_that_is_carried_out_is_not_dropped_unsaid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], besides: tuple[str, str]
) -> None:
    (tmp_path / "spec.yaml").write_text(COFFEE)
    (tmp_path / "journal.jsonl").touch()
    assert main(["record", str(tmp_path), "1", *besides]) == 2
    assert f"alone, as in this run trials are compared, got {besides[0]}" in capsys.readouterr().err
    assert not (tmp_path / "requests").exists()


@pytest.mark.parametrize("besides", [("--extra", "cream=2"), ("--variance", "0.1")])
def test_nor_is_what_is_typed_beside_a_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], besides: tuple[str, str]
) -> None:
    assert main(["record", str(tmp_path), "1", "--failed", "spilt", *besides]) == 2
    assert f"nothing is kept beside a failure, got {besides[0]} too" in capsys.readouterr().err


@pytest.mark.parametrize("result", ["dose=1", "dose=1,value=3"])
def test_results_are_refused_for_what_they_are_and_not_asked_for_values(result: str) -> None:
    parser = ArgumentParser()
    add_arguments(parser)
    spec = load_spec_text(COFFEE, "spec.yaml", None).spec
    with pytest.raises(UsageError, match=r"^expected no `results` beside `told: by comparison`"):
        request_from(parser.parse_args(["--result", result]), spec, Scheduler(policy_of(spec)).state)


def test_a_page_has_no_sensitivity_of_what_has_no_values(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "spec.yaml").write_text(COFFEE)
    (tmp_path / "journal.jsonl").touch()
    assert main(["report", str(tmp_path), "--sensitivity"]) == 2
    assert "where they are compared; which is preferred: orchestrator best" in capsys.readouterr().err
