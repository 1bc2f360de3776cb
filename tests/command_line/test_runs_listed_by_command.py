"""`orchestrator runs` as a shell sees it, and the commands that lead to it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from command_lab import interrupted_run, said


def test_it_lists_what_lies_under_logs_for_people_and_for_programs(tmp_path: Path) -> None:
    interrupted_run(tmp_path / "logs" / "wing-1")
    shown = said("runs", cwd=tmp_path)
    assert (shown.returncode, shown.stderr) == (0, "")
    head, line = shown.stdout.splitlines()
    assert head.startswith("run     state        trials  best ")
    assert line.startswith("wing-1  interrupted  2 of 3  drag = 4.25 ")
    (told,) = json.loads(said("runs", "--format", "json", cwd=tmp_path).stdout)
    assert (told["path"], told["state"], told["best"]) == ("logs/wing-1", "interrupted", 4.25)
    assert (told["best_parameters"], told["resumable"]) == ({"span": 1.5}, True)
    written = said("runs", "--format", "csv", "--output", "runs.csv", cwd=tmp_path)
    assert (written.returncode, len((tmp_path / "runs.csv").read_text().splitlines())) == (0, 2)


def test_watching_them_takes_a_terminal_and_is_no_file(tmp_path: Path) -> None:
    interrupted_run(tmp_path / "logs" / "wing-1")
    for arguments, words in (
        ((), "expected --watch on a terminal, got none: leave --watch out for what holds now\n"),
        (("--format", "csv"), "expected --watch without --format and --output, got one of them"),
        (("--output", "runs.txt"), "expected --watch without --format and --output, got one of them"),
    ):
        told = said("runs", "--watch", *arguments, cwd=tmp_path)
        assert told.returncode == 2
        assert words in told.stderr


def test_who_names_a_run_that_is_not_there_is_led_to_it(tmp_path: Path) -> None:
    assert "found none. Start one: orchestrator run SPEC" in said("runs", "--logs", ".", cwd=tmp_path).stderr
    interrupted_run(tmp_path / "logs" / "wing-1")
    for arguments, words in (
        (("status", "tail"), "got tail, which does not exist; those there are: orchestrator runs\n"),
        (
            ("runs", "tail"),
            "got tail, which does not exist; those under logs/: orchestrator runs\n",
        ),
        (("runs", "--experiment", "tail"), "got tail; there are: wing\n"),
    ):
        told = said(*arguments, cwd=tmp_path)
        assert told.returncode == 2
        assert told.stderr.endswith(words)
    elsewhere = said("status", "tail", "--logs", f"{tmp_path}/logs", cwd=tmp_path)
    there = shlex.quote(f"{tmp_path}/logs")
    assert elsewhere.stderr.endswith(f"those there are: orchestrator runs {there}\n")
