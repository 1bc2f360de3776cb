"""What is asked of the values of a run whose trials are compared is refused with what to ask instead."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace

import pytest

from orchestrator.cli import main
from orchestrator.command_line import looking
from orchestrator.errors import UsageError


@pytest.mark.parametrize("asked", ["sensitivity", "tolerance", "predict"])
def test_a_run_without_values_is_named_for_what_it_is(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    policy, folder = SimpleNamespace(compared=True), SimpleNamespace(path="logs/coffee")
    run = SimpleNamespace(state=SimpleNamespace(policy=policy), folder=folder)
    monkeypatch.setattr(looking, "run_to_look_at", lambda _: run)
    parsed = Namespace(of=None, off=[], points=None, targets=[], format="table", output=None)
    with pytest.raises(UsageError, match="where they are compared; which is preferred: orchestrator best"):
        getattr(looking, asked)(parsed)


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
