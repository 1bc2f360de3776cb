"""What is recorded and what is amended while nobody works on a run: neither has a result refused later."""

from __future__ import annotations

from pathlib import Path

import pytest
from recorded_plate import interrupted_run

from orchestrator.cli import main
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.requests.desk import Desk

VALUE = ("--value", "610", "--extra", "waste=1", "--extra", "price=30")


@pytest.fixture(autouse=True)
def _interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The latest run is a plate of which three wells, all of acid = 0.2, were in hand as power was lost."""
    interrupted_run(tmp_path / "logs")
    monkeypatch.chdir(tmp_path)


def left() -> int:
    return len(Desk(RunFolder(Path("logs/plate-1"))).waiting())


def test_bounds_that_would_abandon_a_trial_wait_for_its_result_to_be_taken_up(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["record", "1", *VALUE]) == 0
    assert main(["amend", "--bounds", "acid=0.5,1"]) == 2
    said = capsys.readouterr().err
    assert "one of trial 1 waits to be recorded, and this abandons the trial, outside the amended" in said
    assert "Have the result taken up first (orchestrator resume logs/plate-1)" in said
    assert left() == 1
    assert main(["amend", "--bounds", "acid=0.1,1"]) == 0
    assert left() == 2


def test_a_result_of_a_trial_that_the_next_life_abandons_is_refused_while_its_author_is_there(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["amend", "--bounds", "acid=0.5,1"]) == 0
    assert main(["record", "1", *VALUE]) == 2
    assert "1, which is abandoned once the run is resumed: outside the amended" in capsys.readouterr().err
    assert main(["amend", "--bounds", "acid=0,1"]) == 0
    assert main(["record", "1", *VALUE]) == 0
    assert left() == 3


def test_trials_in_hand_that_an_amendment_leaves_out_are_said_to_be_abandoned_as_resume_will(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["amend", "--dry-run", "--bounds", "acid=0.5,1"]) == 0
    assert main(["amend", "--bounds", "acid=0.5,1"]) == 0
    said = capsys.readouterr().err
    assert said.count("queued trials outside, which are abandoned: 4") == 2
    assert "which may finish" not in said
