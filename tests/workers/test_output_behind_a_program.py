"""What is printed on behind a program that has ended, by something that it left, is not read for ever."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from evaluators.programs import program
from evaluators.programs.program import run_program

CAPACITY = 1 << 16
OPEN_FILES = Path("/proc/self/fd")


@pytest.mark.skipif(not OPEN_FILES.exists(), reason="pipes are filled through /proc, which Linux has")
def test_who_prints_on_behind_a_program_neither_holds_it_up_nor_hides_its_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, reads = os.read, list[int]()

    def read_and_filled_again(fd: int, size: int) -> bytes:
        data = read(fd, size)
        if b"0.5" in data or reads:
            reads.append(fd)
            assert len(reads) < 100, "it reads on and on"
            with (OPEN_FILES / str(fd)).open("wb", buffering=0) as pipe:
                pipe.write(b"x" * CAPACITY)
        return data

    monkeypatch.setattr(program, "_pump", lambda process, *_: process.wait())
    monkeypatch.setattr(os, "read", read_and_filled_again)
    ended = run_program(["echo", "0.5"], tmp_path / "out", tmp_path / "err")
    assert ended.code == 0
    assert ended.stdout.startswith(b"0.5\n")
