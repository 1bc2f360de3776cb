"""What people ask of a run is taken up once and answered once, whoever reads the desk, and when."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from office import Office

from orchestrator.errors import JournalError
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.runtime.requests.desk import Desk
from orchestrator.runtime.requests.kinds import (
    Amend,
    Approve,
    Budgets,
    Decision,
    Record,
    RecordFailure,
    Refuse,
    Request,
    Verdict,
)
from orchestrator.runtime.requests.left_amendments import take_up_amendments
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.events import (
    FailureArrived,
    HeldAmended,
    LeaseExpired,
    RunResumed,
    TrialApproved,
    WorkerJoined,
)
from orchestrator.scheduler.time_events import TimeRanOut
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.system.disk import Disk


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    office = Office(tmp_path)
    yield office
    office.journal.close()


def test_a_request_in_hand_is_not_taken_for_another_when_its_folder_is_renamed(office: Office) -> None:
    path = office.desk.leave(Approve(1))
    office.front_desk.take_up(office.desk.waiting())
    renamed = office.folder.path.rename(office.folder.path.with_name("renamed"))
    office.front_desk.take_up(Desk(RunFolder(renamed)).waiting())
    assert [type(event) for event in office.turn()] == [TrialApproved]
    office.front_desk.take_up(Desk(RunFolder(renamed)).waiting())
    assert office.turn() == []
    assert not path.exists()


def test_a_request_is_answered_when_it_is_on_disk_and_not_before(office: Office) -> None:
    path = office.desk.leave(Approve(1))
    office.front_desk.take_up(office.desk.waiting())
    assert path.exists()
    assert office.turn() == [TrialApproved(at=0.0, trial=1, request=path.stem)]
    assert not path.exists()
    assert office.answer(path) == Verdict(True, "trial 1 is approved")


def test_what_is_so_already_is_answered_when_that_is_on_disk_and_not_before(office: Office) -> None:
    first = office.desk.leave(Approve(1))
    office.front_desk.take_up(office.desk.waiting())
    for event in (handled := office.inbox.take()):
        office.scheduler.handle(event)
    again = office.desk.leave(Approve(1, by="Ada"))
    office.front_desk.take_up(office.desk.waiting())
    assert again.exists()
    office.journal.append(handled)
    office.journal.commit()
    office.front_desk.committed(handled)
    office.front_desk.take_up(office.desk.waiting())
    assert office.answer(first) == Verdict(True, "trial 1 is approved")
    as_it_stands = "trial 1 is approved already: it is queued, and waits for its turn"
    assert office.answer(again) == Verdict(True, as_it_stands)


def test_an_amendment_is_judged_by_what_the_one_before_it_leads_to(office: Office) -> None:
    paths = [office.desk.leave(Amend(paused=paused)) for paused in (True, False)]
    for _ in paths:
        office.front_desk.take_up(office.desk.waiting())
        office.turn()
    assert [office.answer(path) for path in paths] == [
        Verdict(True, "the run is paused"),
        Verdict(True, "the run goes on"),
    ]
    assert office.noted == []


@pytest.mark.parametrize(
    "request_", [Approve(1), Refuse(2, "ugly"), Amend(paused=True)], ids=lambda one: type(one).__name__
)
def test_a_request_that_was_read_before_it_was_answered_is_not_answered_again(
    office: Office, request_: Request
) -> None:
    path = office.desk.leave(request_)
    read_earlier = office.desk.waiting()
    office.front_desk.take_up(office.desk.waiting())
    office.turn()
    office.front_desk.take_up(read_earlier)
    assert not office.turn()
    reply = office.answer(path)
    assert reply is not None
    assert reply.accepted, reply


@pytest.mark.parametrize(
    ("amendment", "meanwhile"),
    [
        ({"budgets": Budgets(trials=3)}, {"results": [], "budgets": Budgets(trials=4)}),
        ({"budgets": Budgets(time_s=50.0)}, {}),
        ({"results": [KnownResult(parameters={"span": 8.0}, value=1.0)]}, {"bounds": {"span": (1.0, 5.0)}}),
        ({"budgets": Budgets(lifted=("time",))}, {"budgets": Budgets(time_s=5000.0, lifted=("trials",))}),
    ],
    ids=["trials", "time", "results", "lifted"],
)
def test_an_amendment_that_was_taken_is_accepted_though_it_would_make_no_sense_any_more(
    office: Office, amendment: dict[str, Any], meanwhile: dict[str, Any]
) -> None:
    path = office.desk.leave(Amend(**amendment))
    office.front_desk.take_up(office.desk.waiting())
    office.turn(answered=False)
    # The file is there still when its orchestrator has died, and so is its like after a power cut.
    path.rename(path.with_suffix(".kept"))
    office.next_life()
    if meanwhile:
        other = office.desk.leave(Amend(**meanwhile))
        office.front_desk.take_up(office.desk.waiting())
        office.turn()
        assert office.answer(other) is not None
    office.seconds = 60.0
    path.with_suffix(".kept").rename(path)
    office.front_desk.take_up(office.desk.waiting())
    assert not office.turn()
    reply = office.answer(path)
    assert reply is not None
    assert reply.accepted, reply


def by_hand(office: Office) -> None:
    """A person who evaluates has come, and the first trial is theirs."""
    office.inbox.leave(WorkerJoined(at=0.0, worker=PERSON, slots=1, local=True))
    office.inbox.leave(TrialApproved(at=0.0, trial=1))
    office.turn()


@pytest.mark.parametrize(
    ("decision", "done"),
    [
        (Approve(2), "trial 2 is approved"),
        (Refuse(2, "ugly"), "trial 2 is refused"),
        (Refuse(2, "lost", forget=True), "trial 2 is refused, and nothing follows from that"),
        (Record(1, 3.5), "trial 1 is recorded with 3.5"),
        (
            RecordFailure(1, "it fell off"),
            "the failure of trial 1 is recorded; once it is approved, it is to be tried again, as `attempts`"
            " has it",
        ),
    ],
    ids=lambda one: type(one).__name__,
)
def test_a_decision_that_was_taken_is_accepted_by_the_next_life_and_not_taken_again(
    office: Office, decision: Decision, done: str
) -> None:
    by_hand(office)
    path = office.desk.leave(decision)
    office.front_desk.take_up(office.desk.waiting())
    office.turn(answered=False)
    office.next_life()
    trials = deepcopy(office.scheduler.state.trials)
    office.front_desk.take_up(office.desk.waiting())
    assert not office.turn()
    assert office.answer(path) == Verdict(True, done)
    assert office.scheduler.state.trials == trials


def test_what_an_earlier_life_took_is_not_said_to_be_done_before_this_one_has_had_the_disk_confirm_it(
    office: Office,
) -> None:
    # The earlier life's last sync may have failed: its lines are read, and gone when the power is.
    amendment = office.desk.leave(Amend(paused=True))
    office.front_desk.take_up(office.desk.waiting())
    office.turn(answered=False)
    office.next_life()
    resumed = RunResumed(at=1.0, wall="")
    office.inbox.leave(resumed)
    office.front_desk.take_up_left(office.front_desk.judge_left(office.desk.waiting(), [resumed]))
    assert office.answer(amendment) is None
    assert office.turn() == [resumed]
    assert office.answer(amendment) == Verdict(True, "the run is paused")


def test_a_request_that_cannot_be_removed_is_said_once_and_passed_over(office: Office) -> None:
    stuck = office.desk.path / "foo.json"
    stuck.mkdir(parents=True)
    office.next_life()
    for _ in range(3):
        office.front_desk.take_up(office.desk.waiting())
        office.turn()
    (said,) = office.noted
    assert f"expected to remove the request {stuck}, and could not" in said
    path = office.desk.leave(Approve(1))
    office.front_desk.take_up(office.desk.waiting())
    office.turn()
    assert office.answer(path) == Verdict(True, "trial 1 is approved")


def cannot_remove(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a folder of another user's."""

    def refused(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), str(path))

    monkeypatch.setattr(Path, "unlink", refused)


def test_nor_is_one_taken_twice_that_cannot_be_removed(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = office.desk.leave(Approve(1))
    cannot_remove(monkeypatch)
    office.front_desk.take_up(office.desk.waiting())
    assert [type(event) for event in office.turn()] == [TrialApproved]
    office.next_life()
    for _ in range(2):
        office.front_desk.take_up(office.desk.waiting())
        assert not office.turn()
    assert [str(path) in said for said in office.noted] == [True, True], "once in each life"


def test_a_desk_that_cannot_be_read_is_said_once_and_costs_nothing_else(office: Office) -> None:
    office.desk.path.touch()
    office.next_life()
    for _ in range(3):
        office.front_desk.take_up(office.desk.waiting())
        office.turn()
    (said,) = office.noted
    assert f"expected to read the requests in {office.desk.path}, got: Not a directory" in said
    assert office.desk.path.exists()


def test_what_cannot_be_removed_is_said_where_nobody_works_on_the_run_any_more(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.inbox.leave(TimeRanOut(at=3600.0))
    office.turn()
    paths = [office.desk.leave(Amend(forget=[9], reason="why")), office.desk.leave(Approve(1))]
    cannot_remove(monkeypatch)
    said = [sentence for sentence in taken_up_after_the_end(office) if "and could not" in sentence]
    assert [str(path) in sentence for path, sentence in zip(paths, said, strict=True)] == [True, True]


class NeverSure(Disk):
    """A device that takes everything and confirms nothing."""

    def sync(self, descriptor: int) -> None:
        del descriptor
        raise OSError(errno.EIO, os.strerror(errno.EIO))


def test_nor_where_nobody_works_on_the_run_any_more(office: Office) -> None:
    decision = office.desk.leave(Approve(1))
    office.front_desk.take_up(office.desk.waiting())
    office.turn(answered=False)
    office.inbox.leave(TimeRanOut(at=3600.0))
    office.turn()
    replay = Replay.of(office.folder)
    replay.catch_up()
    with pytest.raises(JournalError, match=r"make .* safe on disk"):
        take_up_amendments(office.folder, replay, disk=NeverSure())
    assert office.answer(decision) is None


@pytest.mark.parametrize("record", [Record(1, 3.5, variance=-1.0), Record(1, 3.5, factors=[1.0] * 5)])
def test_a_value_that_cannot_be_used_never_reaches_the_journal(tmp_path: Path, record: Record) -> None:
    office = Office(tmp_path, "parameters: {span: {type: float, bounds: [1, 9]}}\nfactors: [[span]]")
    by_hand(office)
    path = office.desk.leave(record)
    office.front_desk.take_up(office.desk.waiting())
    assert not office.turn()
    reply = office.answer(path)
    assert reply is not None
    assert not reply.accepted
    office.desk.leave(record)
    office.inbox.leave(TimeRanOut(at=3600.0))
    office.turn()
    assert taken_up_after_the_end(office) == []
    assert office.scheduler.state.trials[1].value is None
    office.journal.close()


def test_a_decision_that_something_else_forestalled_is_not_said_to_be_done(office: Office) -> None:
    by_hand(office)
    office.inbox.leave(LeaseExpired(at=1.0, lease="1.1", reason="too late"))
    for lease in ("1.2", "1.3"):
        office.inbox.leave(TrialApproved(at=1.0, trial=1))
        office.inbox.leave(FailureArrived(at=1.0, worker=PERSON, lease=lease, kind="error", message=""))
    path = office.desk.leave(Record(1, 3.5))
    office.front_desk.take_up(office.desk.waiting())
    office.turn()
    assert office.scheduler.state.trials[1].value is None
    words = "trial 1 is failed already; if that was typed wrongly, say --correct beside this"
    assert office.answer(path) == Verdict(False, words)


def test_what_was_measured_of_a_trial_that_was_left_out_meanwhile_is_said_to_whoever_resumes_the_run(
    office: Office,
) -> None:
    by_hand(office)
    office.inbox.leave(HeldAmended(at=1.0, held={"span": 7.5}))
    office.turn()
    path = office.desk.leave(Record(1, 3.5))
    office.next_life()
    office.inbox.leave(RunResumed(at=2.0, wall=""))
    office.turn()
    office.front_desk.take_up(office.desk.waiting())
    answer = office.answer(path)
    assert answer is not None
    assert answer.sentence.endswith("tell it with its settings: orchestrator amend --result")
    assert office.noted == [f"what was recorded of trial 1, 3.5, was refused: {answer.sentence}"]


def test_a_decision_is_answered_though_the_run_has_ended_meanwhile(office: Office) -> None:
    path = office.desk.leave(Approve(1))
    office.front_desk.take_up(office.desk.waiting())
    office.turn(answered=False)
    office.inbox.leave(TimeRanOut(at=3600.0))
    office.turn()
    late = office.desk.leave(Approve(2))
    replay = Replay.of(office.folder)
    replay.catch_up()
    assert take_up_amendments(office.folder, replay) == []
    assert office.answer(path) == Verdict(True, "trial 1 is approved")
    assert office.answer(late) == Verdict(False, "trial 2 is abandoned already")


def taken_up_after_the_end(office: Office) -> list[str]:
    replay = Replay.of(office.folder)
    replay.catch_up()
    return take_up_amendments(office.folder, replay)


def test_a_decision_left_for_the_next_life_is_answered_when_an_amendment_leaves_none(office: Office) -> None:
    office.seconds = 3600.0
    office.inbox.leave(TimeRanOut(at=3600.0))
    office.turn()
    office.desk.leave(Amend(budgets=Budgets(time_s=7200.0)))
    assert taken_up_after_the_end(office) == ["the budget is amended: time 7200 s"]
    waiting = office.desk.leave(Approve(2))
    assert taken_up_after_the_end(office) == []
    assert office.answer(waiting) is None
    office.desk.leave(Amend(budgets=Budgets(trials=2)))
    assert taken_up_after_the_end(office) == ["the budget is amended: trials 2"]
    assert office.answer(waiting) == Verdict(False, "trial 2 is abandoned already")


def test_so_it_is_when_the_run_has_ended_meanwhile(office: Office) -> None:
    path = office.desk.leave(Amend(budgets=Budgets(time_s=50.0)))
    office.front_desk.take_up(office.desk.waiting())
    office.turn(answered=False)
    office.inbox.leave(TimeRanOut(at=50.0))
    office.turn()
    replay = Replay.of(office.folder)
    replay.catch_up()
    assert take_up_amendments(office.folder, replay) == ["the budget is amended: time 50 s"]
    assert office.answer(path) == Verdict(True, "the budget is amended: time 50 s")
