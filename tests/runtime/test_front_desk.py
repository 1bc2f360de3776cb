"""What people ask of a run is taken up once and answered once, whoever reads the desk, and when."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from orchestrator.runtime.amendments import Amend, Budgets
from orchestrator.runtime.front_desk import FrontDesk
from orchestrator.runtime.inbox import Inbox
from orchestrator.runtime.journal import JournalWriter
from orchestrator.runtime.left_amendments import take_up_amendments
from orchestrator.runtime.life import Clock, Life
from orchestrator.runtime.recover import OptimiserHistory, Replay, policy_of
from orchestrator.runtime.requests import Approve, Desk, Refuse, Request, Verdict
from orchestrator.runtime.run_folder import RunFolder
from orchestrator.scheduler.events import Event, KnownResult, RunStarted, TimeRanOut, TrialApproved
from orchestrator.scheduler.machine import Scheduler
from orchestrator.spec.load import load_spec_text

SPEC = """\
experiment: wing
objective: {name: drag, goal: minimise}
parameters: {span: {type: float, bounds: [1, 9]}}
algorithm: {name: random}
budget: {trials: 4, time: 1 h}
evaluation: {evaluator: "wings:drag", approval: true}
"""


class Office:
    """A run of two points that wait for approval, its desk, and a clock that stands where it is put."""

    def __init__(self, path: Path) -> None:
        self.folder = RunFolder(path)
        self.folder.write_spec(SPEC)
        spec = load_spec_text(SPEC, "spec.yaml", None).spec
        self.seconds = 0.0
        self.scheduler = Scheduler(policy_of(spec))
        self.journal = JournalWriter.create(self.folder.journal, "test")
        clock = Clock(0.0, lambda: self.seconds)
        self.life = Life(self.folder, spec, self.scheduler, OptimiserHistory([]), self.journal, clock)
        self.desk = Desk(self.folder)
        self.inbox: Inbox[Event] = Inbox()
        self.front_desk = FrontDesk(self.life, self.desk, self.inbox, note=print)
        points = ({"span": 2.0}, {"span": 3.0})
        self.inbox.leave(RunStarted(at=0.0, run="r", wall="", points=points))
        self.turn()

    def turn(self, *, answered: bool = True) -> list[Event]:
        """What was left becomes safe; without ``answered``, the life ends right then."""
        events = self.inbox.take()
        for event in events:
            self.scheduler.handle(event)
        self.journal.append(events)
        self.journal.commit()
        if answered:
            self.front_desk.committed(events)
        return events

    def next_life(self) -> None:
        self.front_desk = FrontDesk(self.life, self.desk, self.inbox, note=print)

    def answer(self, path: Path) -> Verdict | None:
        return Desk.await_answer(path, 0.2)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    office = Office(tmp_path)
    yield office
    office.journal.close()


def test_a_request_is_answered_when_it_is_on_disk_and_not_before(office: Office) -> None:
    path = office.desk.leave(Approve(1))
    office.front_desk.take_up(office.desk.waiting())
    assert path.exists()
    assert office.turn() == [TrialApproved(at=0.0, trial=1)]
    assert not path.exists()
    assert office.answer(path) == Verdict(True, "trial 1 is approved")


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
