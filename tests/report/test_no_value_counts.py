"""Nobody is told of a run that it has no value yet, whose values are forgotten, or outside amended bounds."""

from __future__ import annotations

from pathlib import Path

import pytest
from recorded_runs import SPEC, RecordedRun, always

from orchestrator import cli
from orchestrator.scheduler import events as ev

LEFT_OUT = "none counts any longer: what there was is forgotten, or outside the bounds"


def test_commands_say_what_became_of_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = RecordedRun(SPEC.replace("trials: 20", "trials: 9")).begin().settle(2, always(1.0))
    run.happen(ev.ObservationsForgotten(at=run.at, trials=(1,), reason="unplugged"))
    run.happen(ev.BoundsAmended(at=run.at, bounds={"span": (8.5, 9.0)}))
    path = str(run.write(tmp_path / "logs" / "wing-1").path)

    assert cli.main(("best", path)) == 1
    assert capsys.readouterr().err == f"expected a run with a value, got {path}: {LEFT_OUT}\n"
    assert cli.main(("report", path)) == 0
    page = (Path(path) / "report.html").read_text()
    assert f"There is none, as of the values {LEFT_OUT}." in page


def test_best_says_that_trials_failed_where_none_has_a_value_and_which_command_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = RecordedRun(SPEC.replace("trials: 20", "trials: 2")).begin()
    path = str(run.write(tmp_path / "logs" / "wing-1").path)
    assert cli.main(("best", path)) == 1
    assert capsys.readouterr().err == f"expected a run with a value, got {path}, which has none yet\n"

    path = str(run.settle(6, always(None)).write(tmp_path / "logs" / "wing-2").path)
    assert cli.main(("best", path)) == 1
    said = f", which has none yet: 2 trials failed; why: orchestrator trials {path}\n"
    assert capsys.readouterr().err.endswith(said)
