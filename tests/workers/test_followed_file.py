"""A file that a program writes on its way is read as it grows, whatever becomes of it meanwhile."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from evaluators.programs.followed_file import READ_AT_ONCE, FollowedFile


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "wing.log"


def append(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


def the_rest_of(followed: FollowedFile) -> list[str]:
    return [line for lines in followed.rest() for line in lines]


def test_lines_come_once_each_when_they_are_whole_and_a_file_may_come_late(log: Path) -> None:
    followed = FollowedFile(log)
    assert followed.new_lines() == []
    log.write_text("step 1\nst")
    assert followed.new_lines() == ["step 1"]
    assert followed.new_lines() == []
    append(log, "ep 2\nstep 3\nste")
    assert followed.new_lines() == ["step 2", "step 3"]
    assert the_rest_of(followed) == ["ste"]


def test_a_file_that_is_made_shorter_is_read_from_its_beginning(log: Path) -> None:
    followed = FollowedFile(log)
    log.write_text("step 1\nstep 2\n")
    assert followed.new_lines() == ["step 1", "step 2"]
    log.write_text("step 3\n")
    assert followed.new_lines() == ["step 3"]


def test_of_one_that_is_moved_away_the_rest_is_read_before_the_one_in_its_place(log: Path) -> None:
    followed = FollowedFile(log)
    log.write_text("step 1\n")
    assert followed.new_lines() == ["step 1"]
    append(log, "step 2\n")
    log.rename(log.with_suffix(".1"))
    assert followed.new_lines() == ["step 2"], "what takes its place is not there yet"
    log.write_text("step 3\n")
    assert followed.new_lines() == ["step 3"]


def test_one_line_that_is_written_anew_again_and_again_is_read_each_time(log: Path) -> None:
    """As a file of how it stands, of the same length or not, in its place or put there."""
    followed = FollowedFile(log)
    heard = []
    for step, modified in ((1, 10), (2, 20), (3, 30)):
        log.write_text(f"step {step}")
        os.utime(log, (modified, modified))
        heard += followed.new_lines()
    (draft := log.with_suffix(".new")).write_text("step 4")
    draft.replace(log)
    heard += followed.new_lines()
    assert heard == ["step 1", "step 2", "step 3"]
    assert the_rest_of(followed) == ["step 4"]


def test_one_that_is_longer_when_it_is_written_anew_is_no_line_more_of_what_it_was(log: Path) -> None:
    followed = FollowedFile(log)
    heard = []
    for said in ("step 9 loss 0.5\n", "step 10 loss 0.25\n", "step 11 loss 0.125\nwell\n"):
        log.write_text(said)
        heard += followed.new_lines()
    assert heard == ["step 9 loss 0.5", "step 10 loss 0.25", "step 11 loss 0.125", "well"]


def test_what_is_no_file_or_may_not_be_read_has_no_lines(log: Path) -> None:
    os.mkfifo(log)
    assert FollowedFile(log).new_lines() == []
    assert the_rest_of(FollowedFile(log.parent)) == []


def test_at_a_time_no_more_is_read_than_takes_a_moment_and_at_the_end_all_of_it(log: Path) -> None:
    line = "x" * 99 + "\n"
    log.write_text(line * (3 * READ_AT_ONCE // 100))
    followed = FollowedFile(log)
    first = len(followed.new_lines())
    assert 0 < first <= READ_AT_ONCE // 100
    assert first + len(the_rest_of(followed)) == 3 * READ_AT_ONCE // 100


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8-sig"])
def test_what_a_program_of_windows_writes_is_read_in_its_encoding(log: Path, encoding: str) -> None:
    followed, written = FollowedFile(log), "step 1: Verstärker\nstep 2\n".encode(encoding)
    heard = []
    for i in range(len(written)):
        with log.open("ab") as file:
            file.write(written[i : i + 1])
        heard += followed.new_lines()
    assert heard == ["step 1: Verstärker", "step 2"]
    log.write_bytes("step 3: 1\n".encode(encoding))
    assert followed.new_lines() == ["step 3: 1"]
    log.unlink()
    log.write_bytes(b"step 4\n")
    assert followed.new_lines() == ["step 4"], "another may be written otherwise"
