"""`run.log` is read in terminals: what a stranger names himself must not command one."""

from __future__ import annotations

from pathlib import Path

from orchestrator.runtime.run_log import RunLog


def test_what_a_stranger_is_called_cannot_command_the_terminal_that_shows_the_log(tmp_path: Path) -> None:
    log = RunLog(tmp_path / "run.log")
    log.write("warning", "expected a worker that offers wing, got one that offers \x1b[2Jw\x07ing")
    log.close()
    [line] = (tmp_path / "run.log").read_text(encoding="utf-8").splitlines()
    assert line.endswith("got one that offers  [2Jw ing")


def test_a_traceback_keeps_its_lines(tmp_path: Path) -> None:
    log = RunLog(tmp_path / "run.log")
    log.write("error", "the optimiser failed:\n  File 'gp.py'\n\tValueError: no")
    log.close()
    lines = (tmp_path / "run.log").read_text(encoding="utf-8").splitlines()
    assert lines[1:] == ["  File 'gp.py'", "\tValueError: no"]
