"""A program that prints a great deal does not wait for who reads it: only the end of it is looked at."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from evaluators.programs import program
from evaluators.programs.program import TAIL, run_program

PRINTS = ["sh", "-c", "head -c 192M /dev/zero; echo 0.5"]
AS_LONG = 10.0
"""Times what reading takes; copying what is kept at every read takes twenty to thirty times that."""


def seconds_of_reading() -> float:
    """Of the processor, for reading what it prints and no more."""
    begun = time.process_time()
    with subprocess.Popen(PRINTS, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        while os.read(process.stdout.fileno(), 1 << 16):
            pass
    return time.process_time() - begun


def test_what_is_kept_is_not_copied_at_every_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # What is written to disk takes as long as the disk does.
    monkeypatch.setattr(program, "KEPT_ON_DISK", 0)
    stdout, stderr = tmp_path / "out", tmp_path / "err"
    reading = seconds_of_reading()
    begun = time.process_time()
    ended = run_program(PRINTS, stdout, stderr)
    taken = time.process_time() - begun
    assert len(ended.stdout) == TAIL
    assert ended.stdout.endswith(b"\x000.5\n")
    assert taken < AS_LONG * reading
