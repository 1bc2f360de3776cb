"""Rows that are added to the candidates of a run beside other requests, and beside the end of a life."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from office import Office

from orchestrator.runtime.recovery.recover import Replay
from orchestrator.runtime.requests.desk import Waiting
from orchestrator.runtime.requests.kinds import Amend, Verdict
from orchestrator.runtime.requests.rehearsal import Beforehand, rehearse

MORE = Amend(candidates={"span": [8.0, 9.0]})
HIGH = Amend(constraints=["span >= 7"])
ADDED = Verdict(True, "2 more candidates may be tried")


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    office = Office(tmp_path, "candidates: [{span: 2.0}, {span: 3.0}, {span: 4.0}]")
    yield office
    office.journal.close()


def looked_at(office: Office) -> list[Waiting]:
    """What lies on the desk, each judged beside the loop by what was amended until then."""
    found = []
    for waiting in office.front_desk.new_among(office.desk.waiting()):
        assert isinstance(waiting.request, Amend)
        before = Beforehand.of(office.scheduler.state)
        found.append(replace(waiting, judged=rehearse(waiting.request, office.life.spec, before)))
    return found


def test_a_constraint_that_rows_alone_satisfy_which_wait_to_be_added_is_judged_once_they_are(
    office: Office,
) -> None:
    more, high = (office.desk.leave(request) for request in (MORE, HIGH))
    for _ in range(2):
        office.front_desk.take_up(looked_at(office))
        office.turn()
    assert office.answer(more) == ADDED
    reply = office.answer(high)
    assert reply is not None
    assert reply.accepted, reply
    assert not office.scheduler.state.unsettled, "what waited has spans of 2 and 3"


def test_the_same_rows_of_two_people_are_added_once_and_the_other_is_told(office: Office) -> None:
    first, second = (office.desk.leave(MORE) for _ in range(2))
    for _ in range(2):
        office.front_desk.take_up(looked_at(office))
        office.turn()
    assert office.answer(first) == ADDED
    reply = office.answer(second)
    assert reply is not None
    assert not reply.accepted
    assert "expected rows that differ in what the model sees, got the same as in row 4" in reply.sentence
    assert office.scheduler.state.amended.candidates == {"span": (8.0, 9.0)}


@pytest.mark.parametrize("safe", [False, True], ids=["before the event was safe", "before the answer"])
def test_a_life_that_ends_over_a_request_leaves_it_to_the_next_which_adds_its_rows_once(
    office: Office, safe: bool
) -> None:
    more, high = (office.desk.leave(request) for request in (MORE, HIGH))
    office.front_desk.take_up(looked_at(office))
    if safe:
        office.turn(answered=False)
    else:
        office.inbox.take()
    office.next_life()
    office.front_desk.take_up_left(office.front_desk.judge_left(office.desk.waiting(), []))
    office.turn()
    replies = [office.answer(path) for path in (more, high)]
    assert replies[0] == ADDED
    assert all(reply is not None and reply.accepted for reply in replies)
    # As `status` and `watch` know it.
    replay = Replay.of(office.folder)
    replay.catch_up()
    assert replay.scheduler.state.amended.candidates == {"span": (8.0, 9.0)}
    assert replay.scheduler.state.amended.constraints.added == ("span >= 7",)
