"""Results of files that are added to a run which knows some of them already."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_lab import interrupted_run
from policies import policy_with

from orchestrator.cli import main
from orchestrator.command_line.known_already import not_known_already
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.requests.desk import Desk
from orchestrator.runtime.requests.kinds import Amend
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.events import RunStarted
from orchestrator.scheduler.machine import Scheduler


def added(folder: Path) -> list[list[float | None]]:
    """What each of the requests that wait adds: the values."""
    requests = [one.request for one in Desk(RunFolder(folder)).waiting()]
    return [[known.value for known in one.results] for one in requests if isinstance(one, Amend)]


def test_a_file_that_grows_is_read_again_for_what_is_new(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "wing-1"
    interrupted_run(folder)
    table = tmp_path / "known.csv"
    # The first is the run's own trial, and the next two are replicates that came out alike.
    table.write_text("span,drag\n1.5,4.25\n3,7\n3,7\n")
    assert main(["amend", str(folder), "--known", str(table)]) == 0
    assert "1 of 3 results is known to the run already, with the same values" in capsys.readouterr().err
    assert main(["amend", str(folder), "--known", str(table), "--by", "ann"]) == 0
    assert "3 of 3 results are known to the run already" in capsys.readouterr().err
    table.write_text("span,drag\n1.5,4.25\n3,7\n3,7\n3,7\n4,8\n")
    assert main(["amend", str(folder), "--known", str(table), "--result", "span=3,drag=7"]) == 0
    assert "3 of 5 results are known" in capsys.readouterr().err
    assert added(folder) == [[7.0, 7.0], [7.0, 8.0, 7.0]]


def test_what_all_results_of_a_file_had_is_said_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "wing-1"
    interrupted_run(folder)
    table = tmp_path / "known.csv"
    table.write_text("drag\n7\n8\n")
    amend = ["amend", str(folder), "--known", str(table)]
    assert main(amend) == 2
    assert "if it was the same in all rows, say so, as --where span=…" in capsys.readouterr().err
    assert main([*amend, "--where", "span=300"]) == 2
    assert "--where:1:6: expected a number in [1, 9] for `span`, got 300" in capsys.readouterr().err
    assert main([*amend, "--where", "spam=3"]) == 2
    assert "(`span`), got `spam` (did you mean `span`?)" in capsys.readouterr().err
    assert main([*amend, "--where", "span=3", "--where", "span=4"]) == 2
    assert "expected NAME=VALUE, each name once, got `span` twice" in capsys.readouterr().err
    assert main(["amend", str(folder), "--where", "span=3"]) == 2
    assert "expected --known FILE beside --where, which says what its results had" in capsys.readouterr().err
    assert main([*amend, "--where", "span=3"]) == 0
    assert added(folder) == [[7.0, 8.0]]


def test_what_came_out_otherwise_beside_the_same_value_is_new() -> None:
    known, other = (
        KnownResult(parameters={"span": 3.0}, value=7.0, outcomes={"heat": heat}) for heat in (60.0, 75.0)
    )
    scheduler = Scheduler(policy_with(trials=1, outcomes=("heat",)))
    scheduler.handle(RunStarted(at=0.0, run="wing-1", wall="", known=(known,)))
    assert not_known_already([known, other], scheduler.state) == [other]


def test_what_came_out_the_same_on_another_plate_is_new_and_of_no_plate_it_is_known() -> None:
    first, other, unsaid = (
        KnownResult(parameters={"span": 3.0}, value=7.0, block=plate) for plate in ("1", "2", "")
    )
    scheduler = Scheduler(policy_with(trials=1, blocks="plate"))
    scheduler.handle(RunStarted(at=0.0, run="wing-1", wall="", known=(first,)))
    assert not_known_already([first, other], scheduler.state) == [other]
    assert not_known_already([unsaid, unsaid], scheduler.state) == [unsaid]
