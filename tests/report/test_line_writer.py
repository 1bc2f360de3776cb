"""Lines to whoever may read them or not: nobody waits for a reader, and none is misled."""

from __future__ import annotations

import io
import os
import threading

import pytest

from orchestrator.report.monitors import line_writer
from orchestrator.report.monitors.line_writer import LineWriter


def said(lines: int) -> str:
    return f"missing: {lines}"


class Paused(io.StringIO):
    """Takes nothing before ``may_read``; ``reading`` once something is there to be taken."""

    def __init__(self) -> None:
        super().__init__()
        self.reading, self.may_read = threading.Event(), threading.Event()

    def write(self, text: str) -> int:
        self.reading.set()
        assert self.may_read.wait(120.0)
        return super().write(text)


def test_a_slow_reader_is_told_how_many_lines_it_missed_and_where(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(line_writer, "ROOM", 20)
    stream = Paused()
    writer = LineWriter(stream, said)
    for number in range(10):
        writer.write(f"line {number}")
        writer.flush()
    assert stream.getvalue() == ""
    stream.may_read.set()
    writer.write("the end")
    writer.close()
    assert stream.getvalue().splitlines() == ["line 0", "line 1", "line 2", "missing: 7", "the end"]


def test_a_reader_that_catches_up_is_told_at_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(line_writer, "ROOM", 0)
    stream = Paused()
    writer = LineWriter(stream, said)
    for line in ("first", "second", "third"):
        writer.write(line)
        writer.flush()
    stream.may_read.set()
    while writer.behind:
        pass
    writer.write("fourth")
    writer.flush()
    writer.close()
    assert stream.getvalue().splitlines() == ["first", "missing: 2", "fourth"]


def test_one_that_never_reads_is_not_waited_for(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(line_writer, "SECONDS_WITHOUT_READING", 0.05)
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as stream:
        writer = LineWriter(stream, said)
        writer.write("x" * (1 << 20))
        writer.close()
        assert writer.behind
        # The thread that waits for room in the pipe hears of it.
        os.close(reading)
        while writer.behind:
            pass


def test_one_that_reads_gets_everything_through_a_pipe_of_any_size():
    reading, writing = os.pipe()
    lines = [f"line {number} " + "ü" * 100 for number in range(5000)]
    with os.fdopen(reading, encoding="utf-8") as ours, os.fdopen(writing, "w", encoding="utf-8") as stream:
        taken: list[str] = []
        reader = threading.Thread(target=lambda: taken.extend(ours))
        reader.start()
        writer = LineWriter(stream, said)
        for line in lines:
            writer.write(line)
        writer.close()
        stream.close()
        reader.join(120.0)
    assert [line.rstrip("\n") for line in taken] == lines
