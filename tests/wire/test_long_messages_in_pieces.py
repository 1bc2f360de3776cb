"""Long messages travel in pieces, and are there whole or not at all."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from orchestrator.wire.codec import MalformedMessage, decode_from_orchestrator, decode_from_worker, encode
from orchestrator.wire.messages import (
    FRAME_LIMIT,
    PIECE_LIMIT,
    PROTOCOL,
    Cancel,
    Evaluate,
    Piece,
    Result,
    Welcome,
)
from orchestrator.wire.pieces import Joining, frames_of, in_pieces, parts_of

LONG = Result(
    run="r", lease="7.1", trial=7, value=1.0, extras={"curve": [0.125] * 3_000, "of": "grün " * 3_000}
)


def joined(pieces: list[Piece], joining: Joining) -> list[bytes]:
    return [whole for piece in pieces if (whole := joining.take(piece)) is not None]


def test_the_pieces_of_a_message_are_short_and_together_are_that_message() -> None:
    frame = encode(LONG)
    pieces = in_pieces(frame, "7.1")
    assert all(0 < len(piece.text.encode()) <= PIECE_LIMIT for piece in pieces)
    assert [piece.number for piece in pieces] == list(range(pieces[0].pieces))
    assert joined(pieces, joining := Joining()) == [frame]
    assert joining.size == 0


def test_what_is_short_goes_whole_and_what_is_long_in_frames_that_are_pieces() -> None:
    short = encode(replace(LONG, extras={}))
    assert frames_of(short, "7.1") == [short]
    joining, (*before, last) = Joining(), frames_of(encode(LONG), "7.1")
    for frame in before:
        piece = decode_from_worker(frame)
        assert isinstance(piece, Piece)
        assert joining.take(piece) is None
    assert isinstance(piece := decode_from_worker(last), Piece)
    assert decode_from_worker(joining.take(piece) or b"") == LONG


def test_a_long_welcome_and_a_long_evaluate_go_in_pieces_and_nothing_else_does() -> None:
    welcome = Welcome(
        protocol=PROTOCOL, run="r", experiment="e", evaluator="m:f", options={"table": "x" * 9_000}
    )
    task = Evaluate(run="r", lease="7.1", trial=7, attempt=1, parameters={"mesh": "y" * 9_000}, seed=1)
    for message, of in ((welcome, ""), (task, "7.1")):
        parts = parts_of(message)
        assert {part.of for part in parts if isinstance(part, Piece)} == {of}
        (whole,) = joined([part for part in parts if isinstance(part, Piece)], Joining())
        assert decode_from_orchestrator(whole) == message
    assert parts_of(replace(task, parameters={})) == (replace(task, parameters={}),)
    assert parts_of(Cancel(lease="7.1", reason="z" * 9_000)) == (Cancel(lease="7.1", reason="z" * 9_000),)


PIECES = in_pieces(encode(LONG), "7.1")
OTHERS = {
    "one further on": PIECES[3],
    "of another lease": replace(PIECES[2], of="8.1"),
    "of another number of pieces": replace(PIECES[2], pieces=99),
    "of another message": replace(PIECES[2], crc=7),
    "negative": replace(PIECES[2], number=-1),
    "one that is here": PIECES[1],
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS.keys())
def test_what_does_not_follow_is_passed_over(other: Piece) -> None:
    joining = Joining()
    assert joined(PIECES[:2], joining) == []
    assert joining.take(other) is None
    assert joining.held == 1
    assert joined(PIECES[2:], joining) == [encode(LONG)]


def test_what_is_said_again_from_the_beginning_goes_on_where_it_was() -> None:
    joining = Joining()
    assert joined(PIECES[:3], joining) == []
    assert joining.take(PIECES[0]) is None
    assert joining.held == 2
    assert joined(PIECES, joining) == [encode(LONG)]


def test_another_message_has_what_came_of_one_forgotten() -> None:
    joining = Joining()
    assert joined(PIECES[:3], joining) == []
    other = in_pieces(encode(replace(LONG, value=2.0)), "7.1")
    assert joined(other, joining) == [encode(replace(LONG, value=2.0))]
    assert joined(PIECES[3:], joining) == []


def first(**changes: Any) -> Piece:
    return replace(Piece(of="7.1", number=0, pieces=2, crc=0, text="{}"), **changes)


@pytest.mark.parametrize(
    "piece",
    [first(pieces=0), first(pieces=-1), first(number=1)],
    ids=["none", "less than none", "not the first"],
)
def test_what_can_be_no_first_piece_is_passed_over(piece: Piece) -> None:
    joining = Joining()
    assert joining.take(piece) is None
    assert (joining.size, joining.held) == (0, -1)


@pytest.mark.parametrize(
    "piece",
    [first(text="x" * (FRAME_LIMIT + 1)), first(text="\ud800"), first(text=""), first(pieces=1, crc=1)],
    ids=["too long", "no characters", "empty", "not what was sent"],
)
def test_what_makes_no_message_is_refused(piece: Piece) -> None:
    joining = Joining()
    with pytest.raises(MalformedMessage):
        joining.take(piece)
    assert (joining.size, joining.held) == (0, -1)


def test_no_message_grows_beyond_what_a_frame_may_have() -> None:
    joining = Joining()
    text = "x" * (FRAME_LIMIT // 4)
    for number in range(4):
        assert joining.take(first(number=number, pieces=9, text=text)) is None
    with pytest.raises(MalformedMessage):
        joining.take(first(number=4, pieces=9, text="x"))
    assert joining.size == 0
