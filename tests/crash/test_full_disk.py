"""A disk that is really full: the run ends in a sentence, and goes on from what it had once there is room."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from run_lab import RunLab, checked, spec

from orchestrator.runtime.folder.journal import read_journal
from orchestrator.scheduler.events import ResultArrived

SIZE = 256 * 1024
TRIALS = 30


@pytest.fixture
def small_disk(lab: RunLab) -> Iterator[Path]:
    """A file system of its own for the run's folder."""
    lab.logs.mkdir()
    mount = shutil.which("mount")
    if mount is None:
        pytest.skip("there is no `mount` here to make a small disk with")
    command = [mount, "-t", "tmpfs", "-o", f"size={SIZE}", "small", str(lab.logs)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        pytest.skip(f"no small disk can be made here: {made.stderr.strip()}")
    yield lab.logs
    lab.close()
    subprocess.run(["umount", "--lazy", str(lab.logs)], check=True)


def fill(disk: Path) -> Path:
    """To the last byte; the file that does it."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for size in (4096, 1):
            with suppress(OSError):
                while file.write(bytes(size)):
                    pass
    assert shutil.disk_usage(disk).free == 0
    return ballast


def test_what_is_not_on_the_disk_is_not_told_as_done(lab: RunLab, small_disk: Path) -> None:
    path = lab.write(spec("slow", options={"seconds": 0.0}, budget={"trials": 3000}))
    run = lab.command("run", str(path), "--plain", "--logs", str(small_disk))
    run.ends(1)
    (folder,) = (entry for entry in small_disk.iterdir() if entry.is_dir())
    on_disk = sum(isinstance(event, ResultArrived) for event in read_journal(folder / "journal.jsonl").events)
    assert f"\n{on_disk} trials completed, 0 failed" in run.said


def test_a_disk_that_fills_up_ends_the_run_and_costs_no_result_that_was_taken(
    lab: RunLab, small_disk: Path
) -> None:
    for trial in range(1, 6):
        (lab.directory / f"open-{trial}").touch()
    run = lab.run(spec("gated", options={"folder": str(lab.directory)}, budget={"trials": TRIALS}))
    run.await_events(ResultArrived, 5)
    ballast = fill(small_disk)
    (lab.directory / "open").touch()
    run.ends(1)
    assert "No space left on device" in run.said
    assert "Traceback" not in run.said
    lab.all_gone()
    taken = read_journal(run.folder.journal)
    assert len(taken.events) >= 5

    assert "its disk is full" in " ".join(lab.says("status", str(run.folder.path)).split())

    # Still full, but for what is left of the journal's last block.
    again = lab.resume(run.folder)
    again.ends(1)
    assert "No space left on device" in again.said
    assert read_journal(run.folder.journal).events[: len(taken.events)] == taken.events

    ballast.unlink()
    lab.resume(run.folder).ends(0)
    assert checked(run.folder).tally.completed == TRIALS
    assert read_journal(run.folder.journal).events[: len(taken.events)] == taken.events
