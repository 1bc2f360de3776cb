"""A result that comes in pieces counts as one that comes whole, and while it comes nobody seems gone."""

from __future__ import annotations

import zlib

import pytest
from msgspec.structs import replace
from session_desk import Desk, result

from orchestrator.runtime.connections import arriving_pieces
from orchestrator.runtime.connections.arriving_pieces import ArrivingPieces
from orchestrator.scheduler.events import LeaseExpired, ResultArrived, WorkerLeft
from orchestrator.scheduler.liveness import Liveness
from orchestrator.wire.codec import decode_from_orchestrator, encode
from orchestrator.wire.messages import (
    PIECE_LIMIT,
    Acknowledge,
    Heartbeat,
    Hello,
    Piece,
    Progress,
    Reject,
    Taken,
    Welcome,
)
from orchestrator.wire.pieces import Joining, in_pieces

LONG = result(extras={"curve": [0.125] * 3_000})
PIECES = in_pieces(encode(LONG), "1.1")


def test_a_result_in_pieces_arrives_with_the_last_of_them_and_each_is_answered() -> None:
    desk = Desk()
    desk.hello()
    for piece in PIECES[:-1]:
        assert desk.take(b"p", piece) is None
        assert desk.last(Taken) == Taken(of="1.1", number=piece.number)
    event = desk.take(b"p", PIECES[-1])
    assert isinstance(event, ResultArrived)
    assert (event.lease, event.extras) == ("1.1", LONG.extras)
    assert desk.last(Taken).number == PIECES[-1].number


def test_while_pieces_come_their_sender_is_no_silent_one() -> None:
    desk = Desk()
    desk.hello()
    for number, piece in enumerate(PIECES):
        desk.now = 10.0 * number
        assert desk.liveness.expired(desk.now) == []
        desk.take(b"p", piece)
    (left,) = desk.liveness.expired(desk.now + 13.0)
    assert isinstance(left, WorkerLeft)


def test_what_is_past_its_timeout_may_wait_behind_what_comes() -> None:
    liveness = Liveness(timeout_s=10.0)
    liveness.joined("w", 0.0)
    liveness.joined("another", 0.0)
    for worker in ("w", "another"):
        liveness.granted(f"{worker}'s", worker, 0.0)
    for now in range(0, 400, 10):
        liveness.heard("another", float(now))
        liveness.sends_much("w", float(now))
    (expired,) = liveness.expired(390.0)
    assert isinstance(expired, LeaseExpired)
    assert expired.lease == "another's"
    assert liveness.expired(390.0 + 2.0) == []


@pytest.mark.parametrize("between", [False, True], ids=["behind them", "between them"])
def test_beats_without_what_is_on_its_way_do_not_have_it_taken_back(between: bool) -> None:
    """The last piece and a beat come in one turn, or a worker beats while it waits for what was taken."""
    desk = Desk()
    desk.hello()
    for lease in ("1.1", "2.1"):
        desk.liveness.granted(lease, "w", 0.0)
    for number, piece in enumerate(PIECES):
        desk.now = 10.0 * number
        desk.take(b"p", piece)
        if between or piece is PIECES[-1]:
            desk.take(b"p", Heartbeat(leases=[]))
        assert desk.liveness.expired(desk.now) == []


def test_other_messages_may_come_between_pieces() -> None:
    desk = Desk()
    desk.hello()
    desk.take(b"p", PIECES[0])
    desk.take(b"p", Heartbeat(leases=["1.1"]))
    desk.take(b"p", Progress(lease="1.1", step=1, values={"a": 1.0}))
    events = [desk.take(b"p", piece) for piece in PIECES[1:]]
    assert isinstance(events[-1], ResultArrived)


def test_a_piece_that_follows_nothing_makes_no_result_and_its_sender_hears_that_nothing_is_there() -> None:
    desk = Desk()
    desk.hello()
    events = [desk.take(b"p", piece) for piece in PIECES[1:]]
    assert set(events) == {None}
    assert desk.last(Taken).number == -1
    events = [desk.take(b"p", piece) for piece in PIECES]
    assert isinstance(events[-1], ResultArrived)


def test_over_another_connection_it_is_said_how_much_is_there_and_it_goes_on_behind() -> None:
    desk = Desk()
    desk.hello()
    for piece in PIECES[:4]:
        desk.take(b"p", piece)
    desk.sessions.lost("w")
    desk.hello(b"q")
    desk.take(b"q", PIECES[0])
    assert desk.last(Taken, b"q") == Taken(of="1.1", number=3)
    events = [desk.take(b"q", piece) for piece in PIECES[4:]]
    assert isinstance(events[-1], ResultArrived)
    assert events[-1].extras == LONG.extras


@pytest.mark.parametrize(
    "text",
    ["{", encode(Hello(protocol=1, worker="w", session="s", evaluators=[])).decode(), '{"type":"result"}'],
    ids=["torn", "of another kind", "lacking"],
)
def test_what_makes_no_outcome_together_is_refused_in_words(text: str) -> None:
    desk = Desk()
    desk.hello()
    for number, part in enumerate((text[:1], text[1:] or " ")):
        crc = zlib.crc32((text + " " * (len(text) == 1)).encode())
        assert desk.take(b"p", Piece(of="1.1", number=number, pieces=2, crc=crc, text=part)) is None
    assert desk.last(Reject).code == "malformed"


def test_a_piece_within_a_piece_is_none() -> None:
    desk = Desk()
    desk.hello()
    inner = encode(PIECES[0])
    (outer,) = in_pieces(inner[:100], "1.1")
    whole = replace(outer, text=inner.decode(), crc=zlib.crc32(inner))
    assert desk.take(b"p", whole) is None
    assert "expected a result or a failure" in desk.last(Reject).reason
    assert desk.last(Reject).lease == "1.1"


def test_who_has_not_said_hello_sends_no_pieces() -> None:
    desk = Desk()
    assert desk.take(b"p", PIECES[0]) is None
    assert desk.last(Reject).code == "hello"


def test_pieces_that_are_no_message_together_are_refused_with_the_lease_that_they_are_of() -> None:
    desk = Desk()
    desk.hello()
    for piece in PIECES[:-1]:
        desk.take(b"p", replace(piece, crc=7))
    assert desk.take(b"p", replace(PIECES[-1], crc=7)) is None
    reject = desk.last(Reject)
    assert (reject.code, reject.lease) == ("malformed", "1.1")


def test_what_they_are_of_takes_no_memory_either() -> None:
    arriving = ArrivingPieces()
    taken, received = arriving.take("w", b"", Piece(of="9" * 100_000, number=0, pieces=2, crc=0, text="x"))
    assert taken.number == -1
    assert received is not None
    assert received.complaint == "expected pieces of a lease, got one of 100,000 characters"
    assert not arriving._arriving


def test_no_more_of_a_name_is_repeated_to_who_sent_it_than_a_lease_has() -> None:
    desk = Desk()
    desk.hello()
    desk.take(b"p", Piece(of="9" * 100_000, number=0, pieces=2, crc=0, text="x"))
    assert [len(part.of) for _, part in desk.sent if isinstance(part, Taken)] == [40]


def test_all_that_is_not_whole_yet_is_bounded_and_who_waited_longest_begins_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(arriving_pieces, "TOGETHER_LIMIT", 3 * PIECE_LIMIT)
    arriving = ArrivingPieces()
    held = []
    for worker, number in (("a", 0), ("b", 0), ("c", 0), ("a", 1), ("b", 1), ("a", 2), ("c", 1), ("c", 0)):
        taken, _ = arriving.take(worker, b"", PIECES[number])
        held.append((worker, taken.number))
        assert arriving._size <= 3 * PIECE_LIMIT
    # The fourth piece had b forgotten, the sixth had c.
    assert held == [("a", 0), ("b", 0), ("c", 0), ("a", 1), ("b", -1), ("a", 2), ("c", -1), ("c", 0)]


def test_so_is_the_number_of_those_who_have_sent_something(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arriving_pieces, "MESSAGES_LIMIT", 10)
    arriving = ArrivingPieces()
    for number in range(100):
        arriving.take(f"w{number}", b"", Piece(of="1.1", number=0, pieces=2, crc=0, text="x"))
        arriving.take(f"v{number}", b"", Piece(of="1.1", number=1, pieces=2, crc=0, text="x"))
    assert len(arriving._arriving) == 10
    assert arriving._size == 10


LONG_OPTIONS = {"table": "x" * 20_000}


def a_desk_with_much_to_tell() -> Desk:
    desk = Desk()
    desk.sessions.welcome = replace(desk.sessions.welcome, options=LONG_OPTIONS)
    return desk


def test_a_long_welcome_goes_in_pieces_to_who_takes_them_and_whole_to_an_older_worker() -> None:
    desk = a_desk_with_much_to_tell()
    desk.hello()
    assert desk.last(Welcome).options == LONG_OPTIONS
    desk.sent.clear()
    desk.hello(b"q", worker="another", takes_pieces=True)
    joining = Joining()
    (whole,) = [
        whole
        for _, part in desk.sent
        if isinstance(part, Piece) and (whole := joining.take(part)) is not None
    ]
    assert decode_from_orchestrator(whole) == desk.sessions.welcome


def test_while_a_long_welcome_is_on_its_way_it_is_not_said_again_and_who_asks_is_not_silent() -> None:
    desk = a_desk_with_much_to_tell()
    assert desk.hello(takes_pieces=True) is not None
    sent = len(desk.sent)
    for second in range(1, 40):
        desk.now = float(second)
        assert desk.hello(takes_pieces=True) is None
    assert len(desk.sent) == sent
    assert desk.liveness.expired(45.0) == []
    # It has come, and what is said from then on is another hello.
    desk.take(b"p", Heartbeat())
    assert desk.hello(takes_pieces=True) is not None
    assert len(desk.sent) == 2 * sent + 1


def test_a_welcome_that_never_came_is_said_again_in_the_end_and_at_once_over_another_connection() -> None:
    desk = a_desk_with_much_to_tell()
    desk.hello(takes_pieces=True)
    parts = len(desk.sent)
    assert desk.hello(b"q", takes_pieces=True) is not None
    desk.now = 1_000.0
    assert desk.hello(b"q", takes_pieces=True) is not None
    assert len(desk.sent) == 3 * parts


def test_what_is_told_a_worker_goes_in_order() -> None:
    desk = Desk()
    desk.hello(takes_pieces=True)
    desk.sent.clear()
    assert desk.sessions.tell("w", Acknowledge(lease="1.1"))
    assert desk.last(Acknowledge).lease == "1.1"
    assert not desk.sessions.tell("nobody", Acknowledge(lease="1.1"))
