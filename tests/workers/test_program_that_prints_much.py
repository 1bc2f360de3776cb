"""A program that prints a great deal does not wait for who reads it: only the end of it is looked at."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import pytest

from evaluators.programs import program
from evaluators.programs.program import TAIL, _Stream

AT_ONCE = 1 << 15
"""Bytes: of what any pipe has room for."""
PRINTED = 8 * TAIL


def test_what_is_kept_is_not_copied_at_every_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it costs is counted, not timed: a copy needs the room that it is made in."""
    monkeypatch.setattr(program, "KEPT_ON_DISK", 0)
    read, write = os.pipe()
    stream = _Stream(read, tmp_path / "out", lambda _: None)
    copies = 0
    tracemalloc.start()
    try:
        for _ in range(PRINTED // AT_ONCE):
            os.write(write, bytes(AT_ONCE - 1) + b"0")
            tracemalloc.reset_peak()
            before, _ = tracemalloc.get_traced_memory()
            assert stream.take()
            copies += tracemalloc.get_traced_memory()[1] - before > TAIL // 2
    finally:
        tracemalloc.stop()
        os.close(read)
        os.close(write)
    assert len(stream.tail) == TAIL
    assert stream.tail.endswith(b"0")
    assert copies <= 2 * PRINTED // TAIL
