from __future__ import annotations

from collections.abc import Callable

import pytest

from orchestrator.cli import main
from orchestrator.report.following import standing_file
from orchestrator.report.monitors import line_writer
from orchestrator.report.terminal import live


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that gets no processor for a while is no reader who pauses, and no disk that hangs."""
    monkeypatch.setattr(line_writer, "SECONDS_WITHOUT_READING", 120.0)
    for waits in (line_writer, live, standing_file):
        monkeypatch.setattr(waits, "SECONDS_TO_END", 120.0)


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What a command writes that succeeds."""

    def command(*words: object) -> str:
        assert main([str(word) for word in words]) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    return command
