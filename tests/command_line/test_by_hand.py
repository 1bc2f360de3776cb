"""The line by which a trial is evaluated again by hand, as a shell reads it."""

from __future__ import annotations

import os
import shlex
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from orchestrator.command_line.by_hand import by_hand
from orchestrator.errors import UsageError
from orchestrator.scheduler.attempts import Attempts
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec
from orchestrator.values.named import Values

SPEC = """
experiment: wing
objective: {name: drag, goal: minimise}
parameters:
  span: {type: float, bounds: [1, 9]}
  skin: {type: choice, values: [foam, "wood and glue"]}
budget: {trials: 9}
evaluation:
"""


def spec_of(**evaluation: Any) -> Spec:
    told = "".join(f"  {name}: {value}\n" for name, value in evaluation.items())
    each = "workers: {local: 1, each: {PORT: ['/dev/tty 1']}}\n" if "PORT" in told else ""
    return load_spec_text(f"{SPEC}{told}{each}", "spec.yaml", None).spec


def trial_of(number: int, parameters: Values, attempts: Attempts | None = None) -> Trial:
    suggested = Suggested(parameters=parameters)
    return Trial(number, suggested, queued_at=0.0, attempts=attempts or Attempts())


def line(spec: Spec, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(folder)
    parameters = {"span": 2.5, "skin": "wood and glue"}
    own = {"PORT": "/dev/tty 1"} if spec.workers.each else {}
    trial = replace(trial_of(12, parameters, Attempts(given=2)), own=own)
    return by_hand(spec, trial, folder / "logs", trial.files_number)


def printed(told: str, folder: Path) -> str:
    return subprocess.run(told, shell=True, cwd=folder, capture_output=True, text=True, check=True).stdout


def test_arguments_are_filled_in_and_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = spec_of(command='[printf, "%s|", "{span}", "{skin}", "$HOME", "{PORT}"]')
    told = line(spec, tmp_path, monkeypatch)
    assert told == "env 'PORT=/dev/tty 1' printf '%s|' 2.5 'wood and glue' '$HOME' '/dev/tty 1'"
    assert printed(told, tmp_path) == "2.5|wood and glue|$HOME|/dev/tty 1|"


def test_input_files_are_copied_and_those_of_the_trial_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "logs" / "trials" / "0012" / "attempt-2"
    kept.mkdir(parents=True)
    (kept / "wing.in").write_text("span=2.5\n")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wing.in.template").write_text("span={span}\nskin={skin}\n")
    command = "[sh, -c, 'cat wing.in; echo 7 > wing.dat']"
    spec = spec_of(
        command=command,
        input="{templates: {wing.in: wing.in.template}}",
        output="{file: wing.dat, pattern: '(.)'}",
    )
    assert printed(line(spec, tmp_path, monkeypatch), tmp_path) == "span=2.5\n"
    assert (tmp_path / "trial-12-again" / "wing.dat").exists()
    assert not (kept / "wing.dat").exists()


def test_of_several_folders_of_an_attempt_the_last_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before lines of a journal were lost another trial had the number."""
    for seconds, name in enumerate(("attempt-2", "attempt-2-2")):
        folder = tmp_path / "logs" / "trials" / "0012" / name
        folder.mkdir(parents=True)
        os.utime(folder, (seconds, seconds))
    spec = spec_of(command='[./wing, "{directory}", "{span}", "{skin}"]')
    assert line(spec, tmp_path, monkeypatch).startswith(f"cp -r {folder} ")


def test_what_has_another_number_since_is_evaluated_as_it_was_under_the_one_that_it_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    point = {"span": 2.5, "skin": "foam"}
    was, now = trial_of(12, point), replace(trial_of(11, point), evaluated_as=12)
    spec = spec_of(command='[./wing, "{span}", "{skin}", "{seed}"]')
    assert by_hand(spec, now, tmp_path / "logs", 12) == by_hand(spec, was, tmp_path / "logs", 12)
    reads = spec_of(command='[./wing, "{span}", "{skin}", "{parameters_file}"]')
    with pytest.raises(UsageError, match=r"evaluated since under the number that this one had, 12"):
        by_hand(reads, now, tmp_path / "logs", 0)


def test_what_has_another_number_by_now_is_evaluated_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    spec = spec_of(command="[echo, '{trial}', '{attempt}', '{seed}', '{span}', '{skin}']")
    point: dict[str, Any] = {"span": 2.5, "skin": "foam"}
    first = by_hand(spec, trial_of(12, point, Attempts(given=1)), tmp_path, 12)
    moved = replace(trial_of(11, point, Attempts(given=5, not_own=5)), evaluated_as=12)
    assert by_hand(spec, moved, tmp_path, 12) == first


def test_where_its_files_are_elsewhere_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = spec_of(command='[./wing, -o, "{directory}/out", "{span}", "{skin}"]')
    with pytest.raises(
        UsageError, match=r"expected the files of the trial in .*0012, which the program reads"
    ):
        line(spec, tmp_path, monkeypatch)


def test_a_function_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = line(spec_of(evaluator="'wing:drag'"), tmp_path, monkeypatch)
    spec = shlex.quote(f"{tmp_path}/logs/spec.yaml")
    assert told == f"orchestrator try {spec} span=2.5 'skin=wood and glue'"


def test_a_function_is_not_tried_from_nothing_where_the_trial_went_on_with_other_settings(
    tmp_path: Path,
) -> None:
    trial = trial_of(12, {"span": 2.5, "skin": "foam"}, Attempts(given=1))
    with pytest.raises(UsageError, match=r"orchestrator explain .* 12 has them all, to be run one after"):
        by_hand(spec_of(evaluator="'wing:drag'"), trial, tmp_path, 12, tmp_path / "trials" / "0011")


def test_what_a_person_does_has_no_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="trial 12 is a person's to do"):
        line(spec_of(evaluator="person"), tmp_path, monkeypatch)
