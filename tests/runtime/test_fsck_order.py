"""A journal whose lines stand in another order than they were written in: nothing of them is lost."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from damaged_journals import (
    NOW,
    folder_of_a_run,
    fsck,
    mended,
    nothing_is_mixed_up,
    of_results,
    recorded,
    values,
    write,
)

from orchestrator.runtime.folder.journal import JournalReader
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.fsck import examine
from orchestrator.runtime.recovery.repair import plan_repair, repair


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return folder_of_a_run(tmp_path)


def swapped(lines: list[bytes], first: int) -> bytes:
    return b"".join([*lines[:first], lines[first + 1], lines[first], *lines[first + 2 :]])


@pytest.mark.parametrize("first", [0, 1, 2, 20, -2])
def test_two_neighbours_that_changed_places_are_put_back_to_the_letter(folder: RunFolder, first: int) -> None:
    lines = write(folder, recorded(1))
    folder.journal.write_bytes(swapped(lines, first % len(lines)))
    found = examine(folder.journal)
    assert (found.damaged, found.hole, found.lost) == (True, False, 0)
    repair(plan_repair(folder, found, NOW))
    assert folder.journal.read_bytes() == b"".join(lines)


def test_so_is_a_stretch_that_was_moved(folder: RunFolder) -> None:
    lines = write(folder, recorded(2))
    folder.journal.write_bytes(b"".join([*lines[:10], *lines[30:35], *lines[10:30], *lines[35:]]))
    repair(plan_repair(folder, examine(folder.journal), NOW))
    assert folder.journal.read_bytes() == b"".join(lines)


def test_the_command_says_which_lines_it_puts_back(folder: RunFolder) -> None:
    lines = write(folder, recorded(1))
    folder.journal.write_bytes(swapped(lines, 20))
    told = fsck(folder)
    assert told.returncode == 1
    assert "line 22, " in told.stdout
    assert "it belongs before line 21" in told.stdout
    assert "put back in order: 1 line" in told.stdout
    assert "dropped" not in told.stdout
    assert fsck(folder, "--repair").returncode == 0
    assert sum(1 for _ in JournalReader(folder.journal)) == len(lines) - 1


def test_beside_a_line_that_cannot_be_read_others_are_put_back(folder: RunFolder) -> None:
    lines = write(folder, recorded(1))
    lines[10] = b"\xff what a disk made of it\n"
    folder.journal.write_bytes(swapped(lines, 20))
    found = examine(folder.journal)
    assert (found.unreadable, found.misplaced, found.missing) == (1, 1, 0)
    assert len(found.sound) + len(found.behind) == len(lines) - 2


@pytest.mark.parametrize("seed", range(10))
def test_beside_lines_that_are_lost_or_there_twice_order_costs_nothing(folder: RunFolder, seed: int) -> None:
    rng = random.Random(seed)
    events = recorded(seed % 4)
    lines = write(folder, events)
    lost = rng.choice(of_results(lines)[:-1])
    first = rng.choice([place for place in range(1, len(lines) - 2) if place not in (lost - 1, lost)])
    rest = [*lines[:first], lines[first + 1], lines[first], *lines[first + 2 :]]
    del rest[lost]
    twice = rng.randrange(1, len(rest))
    rest.insert(twice, rest[twice - 1])
    folder.journal.write_bytes(b"".join(rest))
    assert examine(folder.journal).lost == 1
    _, state = mended(folder)
    kept = [event for place, event in enumerate(events, start=1) if place != lost]
    assert values(kept) <= {trial.value for trial in state.trials.values()}
    nothing_is_mixed_up(state)
