from __future__ import annotations

import pytest

from orchestrator.report.following import standing_file
from orchestrator.report.monitors import line_writer
from orchestrator.report.terminal import live


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that gets no processor for a while is no reader who pauses, and no disk that hangs."""
    monkeypatch.setattr(line_writer, "SECONDS_WITHOUT_READING", 120.0)
    for waits in (line_writer, live, standing_file):
        monkeypatch.setattr(waits, "SECONDS_TO_END", 120.0)
