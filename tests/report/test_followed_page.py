"""A page that follows its run, written anew as results come, until that has ended. Time is made by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from recorded_runs import RecordedRun, always

from orchestrator import cli
from orchestrator.errors import OrchestratorError, SpecError
from orchestrator.report.html import followed_page
from orchestrator.report.html.followed_page import FollowedPage, Pace
from orchestrator.runtime.folder.journal import encode_line
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler import events as ev

REFRESH = '<meta http-equiv="refresh" content="'
WORKER = {"host": "lab", "pid": 7}


@dataclass
class World:
    """A clock that goes on where somebody sleeps, and what happens then, a step each time: a function of what
    is to be done, which may raise. ``work_s``: how long a page takes.
    """

    steps: Iterator[Callable[[], None]]
    now: float = 0.0
    work_s: float = 0.0

    def monotonic(self) -> float:
        return self.now

    def perf_counter(self) -> float:
        self.now += self.work_s / 2.0
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        next(self.steps)()


@dataclass(frozen=True)
class Lab(RunFolder):
    """A run whose events come while it is followed, ``coming`` one by one; ``held``: by somebody, or not."""

    coming: list[ev.Event] = field(default_factory=list)
    held: list[bool] = field(default_factory=lambda: [True])
    number: list[int] = field(default_factory=list)

    def holder(self) -> dict[str, object] | None:
        return dict(WORKER) if self.held[-1] else None

    @classmethod
    def of(cls, run: RecordedRun, folder: Path, known: int) -> Lab:
        """Of whose events so many are in the journal."""
        events = list(run.events)
        run.events = events[:known]
        return cls(run.write(folder / "wing-1").path, coming=events[known:], number=[known])

    def comes(self, count: int = 1) -> None:
        """So many events more are in the journal."""
        for _ in range(count):
            self.number[0] += 1
            with self.journal.open("ab") as journal:
                journal.write(encode_line(self.number[0], self.coming.pop(0)))

    def all_comes(self) -> None:
        self.comes(len(self.coming))

    def let_go(self) -> None:
        self.held.append(False)

    def taken_up(self) -> None:
        self.held.append(True)


@dataclass
class Follower:
    """Follows a lab, with all that it says, and a copy of the page whenever one is looked at."""

    lab: Lab
    monkeypatch: pytest.MonkeyPatch
    pages: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    @property
    def path(self) -> Path:
        return self.lab.report

    def look(self) -> None:
        self.pages.append(self.path.read_text())

    def follow(self, *steps: Callable[[], None], every_s: float = 0.5, work_s: float = 0.0) -> None:
        self.monkeypatch.setattr(followed_page, "time", World(iter(steps), work_s=work_s))
        FollowedPage(self.lab, self.path, every_s, self.said.append).follow()
        self.look()


def completed(document: str) -> int:
    found = re.search(r"completed</span><b>([\d,]+)<", document)
    assert found is not None
    return int(found[1])


def ended() -> RecordedRun:
    """A run of twenty trials."""
    return RecordedRun().begin().settle(20, always(1.0))


@pytest.fixture
def follower(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Follower:
    """Of a run that has just begun."""
    return Follower(Lab.of(ended(), tmp_path, 5), monkeypatch)


def nothing() -> None:
    """Time passes."""


def interrupted() -> None:
    raise KeyboardInterrupt


def test_it_is_written_anew_as_results_come_and_the_last_one_is_static(follower: Follower) -> None:
    lab = follower.lab

    def ends() -> None:
        lab.all_comes()
        lab.let_go()

    follower.follow(follower.look, lambda: lab.comes(12), follower.look, nothing, ends)
    first, later, last = follower.pages
    assert f'{REFRESH}1">' in first
    assert "This page is written anew as results come, at most every 0.50 s." not in first
    assert "This page is written anew as results come, at most every 1.0 s." in first
    assert "default-src 'none'" in first
    assert (completed(first), completed(last)) == (0, 20)
    assert 0 < completed(later) < 20
    assert REFRESH not in last
    assert "written anew" not in last
    assert "state</span><b>ended<" in last
    assert follower.said == [
        f"{lab.report} is written anew as results come; Ctrl-C ends that, and not the run"
    ]


def test_it_is_not_written_where_nothing_came(follower: Follower) -> None:
    def lost() -> None:
        follower.path.unlink()

    def still_lost() -> None:
        assert not follower.path.exists()

    follower.follow(lost, nothing, nothing, still_lost, interrupted)
    assert follower.path.exists()


def test_a_page_that_takes_long_is_written_more_seldom(follower: Follower) -> None:
    pace = Pace(30.0)
    pace.wrote(100.0, 0.05)
    assert (pace.apart_s, pace.next_s) == (30.0, 130.0)
    pace.wrote(130.0, 3.0)
    assert (pace.apart_s, pace.next_s) == (150.0, 280.0)
    lab = follower.lab
    each = [lambda: lab.comes(1), follower.look] * 4
    follower.follow(*each, interrupted, every_s=0.1, work_s=1.0)
    *live, last = follower.pages
    # In fifty seconds it is written once: all are of the beginning.
    assert {completed(one) for one in live} == {0}
    assert completed(last) > 0


def test_ctrl_c_leaves_the_page_as_it_is_then_and_static(follower: Follower) -> None:
    follower.follow(lambda: follower.lab.comes(12), interrupted)
    (page,) = follower.pages
    assert REFRESH not in page
    assert "state</span><b>running<" in page
    assert completed(page) > 0


def test_a_run_that_is_killed_is_waited_for_and_followed_on(follower: Follower) -> None:
    lab = follower.lab

    def ends() -> None:
        lab.all_comes()
        lab.let_go()

    follower.follow(
        *(lab.let_go, nothing, follower.look, nothing, lab.taken_up, nothing, follower.look, lab.let_go),
        *(nothing, lab.taken_up, nothing, ends),
    )
    killed, resumed, last = follower.pages
    assert "state</span><b>interrupted<" in killed
    assert "state</span><b>running<" in resumed
    assert "state</span><b>ended<" in last
    waits = f"nobody works on the run by now: waiting for orchestrator resume {lab.path}"
    assert follower.said[1:] == [waits, waits]


def test_who_takes_a_run_up_between_two_pages_and_leaves_it_is_waited_for_again(follower: Follower) -> None:
    lab = follower.lab
    steps = lab.let_go, nothing, lab.taken_up, nothing, lab.let_go, nothing, interrupted
    follower.follow(*steps, every_s=60.0)
    waits = f"nobody works on the run by now: waiting for orchestrator resume {lab.path}"
    assert follower.said[1:] == [waits, waits]


def test_a_folder_that_is_away_for_a_while_is_tried_again(follower: Follower) -> None:
    lab, away = follower.lab, follower.lab.path.with_name("away")

    def back() -> None:
        away.rename(lab.path)
        lab.comes(12)

    follower.follow(
        lambda: lab.path.rename(away) and None, nothing, back, nothing, follower.look, interrupted
    )
    assert completed(follower.pages[0]) > 0
    assert len(follower.said) == 2
    why = f"which is tried again for 1 min 00 s: expected a journal at {lab.journal}, got: "
    assert follower.said[1].startswith(f"the run cannot be read, {why}")


def test_a_folder_that_stays_away_ends_it(follower: Follower) -> None:
    lab = follower.lab
    away = lab.path.with_name("away")
    steps = [lambda: lab.path.rename(away) and None, *[nothing] * 200]
    with pytest.raises(SpecError, match="expected a file, got nothing there"):
        follower.follow(*steps)


def test_a_page_that_cannot_be_written_is_tried_again_but_for_the_first(follower: Follower) -> None:
    lab, refused = follower.lab, []

    def write(path: Path, text: str) -> None:
        if refused:
            raise OSError(28, "No space left on device")
        path.write_text(text)

    follower.monkeypatch.setattr(followed_page, "write_whole", write)

    def full() -> None:
        refused.append(True)
        lab.comes(12)

    follower.follow(full, nothing, nothing, refused.clear, nothing, follower.look, interrupted)
    assert completed(follower.pages[0]) > 0
    sentence = f"expected to write to {lab.report}, got: No space left on device"
    assert follower.said[1:] == [f"{sentence}; tried again"]
    refused.append(True)
    with pytest.raises(OrchestratorError, match=re.escape(sentence)):
        follower.follow(interrupted)


def test_of_a_run_that_has_ended_there_is_one_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ended().write(tmp_path / "logs" / "wing-1")
    monkeypatch.chdir(tmp_path)
    assert cli.main(["report", "--follow"]) == 0
    assert capsys.readouterr() == ("logs/wing-1/report.html\n", "")
    assert REFRESH not in (tmp_path / "logs/wing-1/report.html").read_text()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--every", "1 min"], "expected --every beside --follow, of which it says how often; got it alone"),
        (["--errors", "scaled"], "expected --errors beside --posterior, in which they count; got it alone"),
        (["--prior", "x=1+-2"], "expected --prior beside --posterior, in which it counts; got it alone"),
        (["--follow", "--every", "soon"], "--every: expected a duration above 0, such as `60 s`, `5 min`"),
        (["--follow", "--sensitivity"], "expected --follow without --sensitivity, which is of the run as it"),
        (
            ["--follow", "--charts", "figures"],
            "expected --follow without --charts, which is of the run as it",
        ),
    ],
)
def test_what_is_at_odds_with_following_is_said(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    sentence: str,
) -> None:
    RecordedRun().begin().write(tmp_path / "logs" / "wing-1")
    monkeypatch.chdir(tmp_path)
    assert cli.main(["report", *options]) == 2
    assert sentence in capsys.readouterr().err
