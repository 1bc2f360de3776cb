"""A page of several runs is written anew as results come, and as runs begin. Time is made by hand."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from lab_of_runs import run_of
from test_followed_page import REFRESH, World

from orchestrator.report.following.listing import RunsMeant
from orchestrator.report.html import followed_runs
from orchestrator.report.html.followed_page import Pace
from orchestrator.report.html.followed_runs import FollowedRuns
from orchestrator.runtime.folder.journal import encode_line
from orchestrator.runtime.folder.run_folder import RunFolder


def interrupt() -> None:
    raise KeyboardInterrupt


class Follower:
    """Follows runs under a folder, with what is done to them meanwhile, a step each time it looks."""

    def __init__(self, logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.logs, self.page, self.monkeypatch = logs, logs / "runs.html", monkeypatch
        self.said: list[str] = []
        self.pages: list[str] = []

    def look(self) -> None:
        self.pages.append(self.page.read_text())

    def follow(self, *steps: Callable[[], None], named: tuple[str, ...] = ()) -> None:
        self.monkeypatch.setattr(followed_runs, "time", World(iter(steps)))
        meant = RunsMeant([Path(one) for one in named], self.logs)
        FollowedRuns(meant, self.page, Pace(0.5), self.said.append, more_may_begin=not named).follow()
        self.look()

    @property
    def states(self) -> list[str]:
        return [re.search(r"<h2>([^<]*)", page)[1] for page in self.pages]  # type: ignore[index]


@pytest.fixture
def follower(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Follower:
    return Follower(tmp_path / "logs", monkeypatch)


def test_it_follows_until_all_that_are_named_have_ended(follower: Follower) -> None:
    run_of().write(follower.logs / "ended")
    whole = run_of()
    events, whole.events = whole.events, whole.events[:6]
    folder: RunFolder = whole.write(follower.logs / "going-on")

    def all_comes() -> None:
        with folder.journal.open("ab") as journal:
            for number, event in enumerate(events[6:], 7):
                journal.write(encode_line(number, event))

    follower.follow(follower.look, all_comes, named=("ended", "going-on"))
    assert follower.states == ["1 ended, 1 interrupted", "2 ended"]
    assert [REFRESH in page for page in follower.pages] == [True, False]
    assert follower.said == [
        f"{follower.page} is written anew as results come; Ctrl-C ends that, and not the runs"
    ]


def test_where_none_is_named_those_that_begin_join_it_until_somebody_ends_that(follower: Follower) -> None:
    run_of().write(follower.logs / "first")

    def begins() -> None:
        run_of(values=(2.0,), day=2).write(follower.logs / "second")

    follower.follow(follower.look, begins, follower.look, follower.look, interrupt)
    assert follower.states == ["1 ended", *["1 interrupted, 1 ended"] * 3]


def test_one_that_cannot_be_read_for_a_while_has_its_line_and_comes_back(follower: Follower) -> None:
    run_of().write(follower.logs / "first")
    folder = run_of(day=2).write(follower.logs / "second")
    whole = folder.journal.read_bytes()

    def breaks() -> None:
        folder.journal.write_bytes(whole + b"{}\n")

    def mended() -> None:
        folder.journal.write_bytes(whole)

    def away() -> None:
        follower.logs.rename(follower.logs.with_name("away"))

    def back() -> None:
        follower.logs.with_name("away").rename(follower.logs)

    follower.follow(breaks, follower.look, mended, away, back, interrupt)
    assert follower.states == ["1 damaged, 1 ended", "2 ended"]
    assert [sentence.endswith("; tried again") for sentence in follower.said] == [False, True]
