"""Beside a threshold, that the optimiser has not said yet how much lies above is no want of a best point."""

from __future__ import annotations

from pathlib import Path

import pytest
from recorded_runs import SPEC, RecordedRun, always

from orchestrator import cli

NOT_SAID = "not known yet: the optimiser says so from its first model on"


def test_status_the_picture_of_the_screen_and_the_page_say_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = RecordedRun(SPEC.replace("goal: minimise", "threshold: 5")).begin().settle(2, always(1.0))
    path = run.write(tmp_path / "logs" / "wing-1").path

    assert cli.main(("status", str(path))) == 0
    assert f"above   {NOT_SAID}\n" in capsys.readouterr().out
    assert cli.main(("watch", str(path), "--svg", str(tmp_path / "screen.svg"))) == 0
    assert "the&#160;optimiser&#160;says&#160;so" in (tmp_path / "screen.svg").read_text()
    assert cli.main(("report", str(path))) == 0
    page = (path / "report.html").read_text()
    assert f"{NOT_SAID.capitalize()}." in page
    assert "no point is the best" not in page
    assert "none yet" not in page
