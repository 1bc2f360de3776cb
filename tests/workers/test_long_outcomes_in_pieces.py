"""What is long goes in pieces where the orchestrator takes them, and comes in pieces: on slow lines, too."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from worker_on_a_line import WELCOME, Line, welcomed

from evaluators.worker_process.duties import Duties
from evaluators.worker_process.link import SILENT_AFTER, Link
from evaluators.worker_process.outbox import Outbox
from orchestrator.wire.codec import decode_from_worker, encode
from orchestrator.wire.messages import (
    Acknowledge,
    Drain,
    Heartbeat,
    Hello,
    Piece,
    Result,
    Taken,
)
from orchestrator.wire.pieces import Joining, in_pieces

TAKES = replace(WELCOME, takes_pieces=True)


@pytest.fixture
def kept(tmp_path: Path) -> list[Result]:
    """Two long results of an earlier life."""
    results = [
        Result(run=WELCOME.run, lease=f"{trial}.1", trial=trial, value=1.0, extras={"curve": [0.125] * 4_000})
        for trial in (1, 2)
    ]
    outbox = Outbox(tmp_path)
    outbox.begin(WELCOME.run)
    for result in results:
        outbox.keep(WELCOME.run, result.lease, encode(result), durable=False)
    outbox.close()
    return results


def came_whole(line: Line) -> list[object]:
    """What was said, with results joined of their pieces."""
    joining, whole = Joining(), list[object]()
    for said in line.said:
        if not isinstance(said, Piece):
            whole.append(said)
        elif (frame := joining.take(said)) is not None:
            whole.append(decode_from_worker(frame))
    return whole


def answer_that_nothing_is_there(worker: Duties, line: Line) -> None:
    """Of what an earlier life of the worker may have begun."""
    for lease in ("1.1", "2.1"):
        line.comes(Taken(of=lease, number=-1))
        worker.on_messages(0.0)


def begun(tmp_path: Path, line: Line) -> Duties:
    """A worker that has sent all there is, of which nothing was there."""
    worker = welcomed(tmp_path, line, welcome=TAKES)
    answer_that_nothing_is_there(worker, line)
    return worker


def test_to_who_takes_pieces_a_long_result_goes_in_them(tmp_path: Path, kept: list[Result]) -> None:
    begun(tmp_path, line := Line())
    assert len(line.said) > 10
    assert [said for said in came_whole(line) if isinstance(said, Result)] == kept


def test_to_an_older_orchestrator_it_goes_whole(tmp_path: Path, kept: list[Result]) -> None:
    welcomed(tmp_path, line := Line())
    assert line.said[-2:] == kept


def test_while_pieces_are_taken_nothing_is_sent_again_and_nobody_is_silent(
    tmp_path: Path, kept: list[Result]
) -> None:
    worker = begun(tmp_path, line := Line())
    for second in range(1, 5 * SILENT_AFTER):
        line.comes(Taken(of="1.1", number=second))
        worker.on_messages(float(second))
        worker.on_time(float(second))
    assert line.dialled == 1
    assert [said for said in came_whole(line) if isinstance(said, Result)] == kept


def test_what_is_not_taken_any_more_is_sent_again(tmp_path: Path, kept: list[Result]) -> None:
    worker = begun(tmp_path, line := Line())
    for second in range(1, SILENT_AFTER + 1):
        line.comes(Taken(of="2.1", number=second) if second == 1 else Heartbeat())
        worker.on_messages(float(second))
        worker.on_time(float(second))
    again = [said.lease for said in came_whole(line) if isinstance(said, Result)]
    # Of the second a piece was taken later.
    assert again == ["1.1", "2.1"]
    assert isinstance(line.said[-1], Piece)
    assert (line.said[-1].of, line.said[-1].number) == ("1.1", 0)


def test_over_another_connection_it_goes_on_where_it_was_and_meanwhile_nothing_overtakes_it(
    tmp_path: Path, kept: list[Result]
) -> None:
    worker = begun(tmp_path, line := Line())
    # The first of each was said twice: whether more of it is there, it had asked.
    before = list(dict.fromkeys(said for said in line.said if isinstance(said, Piece)))
    worker.on_time(float(SILENT_AFTER))
    assert line.dialled == 2
    line.said.clear()
    line.comes(TAKES)
    worker.on_messages(SILENT_AFTER + 1.0)
    worker.on_time(SILENT_AFTER + 3.0)
    # How much of it is there, the first piece asks.
    assert line.said == before[:1]
    line.comes(Taken(of="1.1", number=3))
    worker.on_messages(SILENT_AFTER + 3.0)
    worker.on_time(SILENT_AFTER + 3.0)
    second = before[0].pieces
    assert line.said == [before[0], *before[4:second], before[second]]
    line.comes(Taken(of="2.1", number=-1))
    worker.on_messages(SILENT_AFTER + 3.0)
    worker.on_time(SILENT_AFTER + 4.0)
    assert line.said[-1 - second : -1] == before[second:]
    assert isinstance(line.said[-1], Heartbeat)


def test_a_worker_that_was_restarted_goes_on_where_the_one_before_was(
    tmp_path: Path, kept: list[Result]
) -> None:
    worker = welcomed(tmp_path, line := Line(), welcome=TAKES)
    first, *others = in_pieces(encode(kept[0]), kept[0].lease)
    assert line.said[1:] == [first]
    line.comes(Taken(of="1.1", number=2))
    worker.on_messages(1.0)
    assert line.said[1 : len(others)] == [first, *others[2:]]


def test_who_forgot_what_was_there_is_sent_all_of_it(tmp_path: Path, kept: list[Result]) -> None:
    worker = welcomed(tmp_path, line := Line(), welcome=TAKES)
    line.said.clear()
    line.comes(TAKES)
    for lease, number in (("1.1", 10**9), ("2.1", -(10**9))):
        worker.on_messages(1.0)
        line.comes(Taken(of=lease, number=number))
    worker.on_messages(1.0)
    assert kept[1] in came_whole(line)


def test_a_worker_that_drains_stays_as_long_as_its_result_gets_through(
    tmp_path: Path, kept: list[Result]
) -> None:
    worker = welcomed(tmp_path, line := Line(), welcome=TAKES)
    line.comes(Drain())
    worker.on_messages(0.0)
    for second in range(1, 4 * SILENT_AFTER):
        assert not worker.is_done(float(second))
        line.comes(Taken(of="1.1", number=second))
        worker.on_messages(float(second))
    for result in kept:
        line.comes(Acknowledge(lease=result.lease))
    worker.on_messages(4.0 * SILENT_AFTER)
    assert worker.is_done(4.0 * SILENT_AFTER)


class Narrow(Line):
    """One that takes so many frames at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.room = 100

    def send(self, frame: bytes) -> bool:
        if not self.room:
            return False
        self.room -= 1
        return super().send(frame)


def test_what_the_connection_did_not_take_follows_and_nothing_overtakes_it(
    tmp_path: Path, kept: list[Result]
) -> None:
    line = Narrow()
    line.room = 4  # a hello and three pieces
    worker = welcomed(tmp_path, line, welcome=TAKES)
    line.comes(Taken(of="1.1", number=-1))
    worker.on_messages(1.0)
    worker.on_time(2.0)
    assert [type(said) for said in line.said] == [Hello, Piece, Piece, Piece]
    line.room = 100
    worker.on_writable(3.0)
    line.comes(Taken(of="2.1", number=-1))
    worker.on_messages(3.0)
    worker.on_time(3.0)
    assert came_whole(line)[1:3] == kept


def test_a_connection_that_takes_nothing_of_it_is_given_all_of_it_later(
    tmp_path: Path, kept: list[Result]
) -> None:
    line = Narrow()
    line.room = 1
    worker = welcomed(tmp_path, line, welcome=TAKES)
    line.room = 100
    worker.on_writable(1.0)
    answer_that_nothing_is_there(worker, line)
    assert came_whole(line)[1:] == kept


def test_a_welcome_comes_in_pieces(tmp_path: Path) -> None:
    welcome = replace(TAKES, options={"table": "ü" * 9_000})
    link = Link(line := Line(), lambda: Hello(protocol=1, worker="w", session="s", evaluators=[]), Heartbeat)
    for piece in in_pieces(encode(welcome), ""):
        line.comes(piece)
    ((message, frame),) = link.receive(1.0)
    assert message == welcome
    assert frame == encode(welcome)


def test_pieces_that_lack_one_are_no_message_and_count_as_heard() -> None:
    link = Link(line := Line(), lambda: Hello(protocol=1, worker="w", session="s", evaluators=[]), Heartbeat)
    for piece in in_pieces(encode(replace(TAKES, options={"table": "x" * 9_000})), "")[1:]:
        line.comes(piece)
    assert list(link.receive(7.0)) == []
    assert link.heard_at == 7.0
