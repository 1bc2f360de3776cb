"""Blocks that are days, and a damaged journal that does not hold when one of them began."""

from __future__ import annotations

from pathlib import Path

import pytest
from damaged_journals import SPEC, folder_of_a_run, fsck, write

from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler.amendment_events import BlockBegan
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.scheduler.events import Event, ResultArrived, RunStarted, SuggestionsMade, WorkerJoined

HOUR = 3600.0
BEGAN = 6
"""The line by which the second day began, from 0, the header's."""


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    """Its first life began at 22 o'clock."""
    folder = folder_of_a_run(tmp_path)
    folder.spec.write_text(f"{SPEC}blocks: day\n".replace("algorithm: random", "algorithm: explore"))
    return folder


def two_days(extras: dict[str, object] | None = None, wall: str = "2026-11-27T22:00:00+01:00") -> list[Event]:
    made = tuple(Suggested(parameters={"span": 0.1 * k}) for k in range(1, 4))
    return [
        RunStarted(at=0.0, run="wing-1", wall=wall),
        BlockBegan(at=0.0, block="2026-11-27"),
        WorkerJoined(at=1.0, worker="ada", slots=1),
        SuggestionsMade(at=2.0, ask=1, suggestions=made, first_trial=1),
        ResultArrived(at=HOUR, worker="ada", lease="1.1", value=9.0, elapsed=60.0),
        BlockBegan(at=2 * HOUR, block="2026-11-28"),
        ResultArrived(at=2.1 * HOUR, worker="ada", lease="2.1", value=1.0, elapsed=0.5 * HOUR),
        ResultArrived(at=3 * HOUR, worker="ada", lease="3.1", value=2.0, elapsed=60.0, extras=extras or {}),
    ]


def without_its_beginning(folder: RunFolder, events: list[Event], *, torn: bool) -> str:
    lines = write(folder, events)
    there = [lines[BEGAN].replace(b'"n":', b'"m":')] if torn else []
    folder.journal.write_bytes(b"".join([*lines[:BEGAN], *there, *lines[BEGAN + 1 :]]))
    return fsck(folder).stdout


@pytest.mark.parametrize("torn", [True, False])
def test_a_day_that_must_have_begun_is_told_of_with_the_results_that_are_of_another_now(
    folder: RunFolder, torn: bool
) -> None:
    said = without_its_beginning(folder, two_days(), torn=torn)
    assert "that 2026-11-28 began: trial 3 is of 2026-11-27 by what is left" in said
    assert f"orchestrator record {folder.path} 3 --value VALUE --extra day=2026-11-28" in said
    # No day is begun by hand.
    assert "an amendment" not in said
    assert fsck(folder, "--repair").returncode == 0


def test_a_result_that_says_its_day_needs_no_word(folder: RunFolder) -> None:
    assert "began" not in without_its_beginning(folder, two_days({"day": "2026-11-28"}), torn=False)


def test_where_nobody_knows_the_time_of_day_nothing_is_guessed(folder: RunFolder) -> None:
    assert "began" not in without_its_beginning(folder, two_days(wall="noon"), torn=False)
