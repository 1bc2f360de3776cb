"""What the worker in C++ sends and takes in pieces."""

from __future__ import annotations

import json
import zlib

import pytest
from msgspec.structs import replace
from native_lab import NEEDS_A_COMPILER, NativeLab
from worker_lab import result

from orchestrator.wire.codec import decode_from_worker, encode
from orchestrator.wire.messages import (
    PIECE_LIMIT,
    Acknowledge,
    Evaluate,
    Heartbeat,
    Hello,
    Piece,
    Result,
    Taken,
)
from orchestrator.wire.pieces import Joining
from orchestrator.wire.scripted import ScriptedOrchestrator

pytestmark = NEEDS_A_COMPILER
KEPT = Result(
    run="run-1", lease="1.1", trial=1, value=0.5, extras={"curve": [0.25] * 2_000, "of": "grün " * 2_000}
)


def with_what_is_kept(native: NativeLab) -> NativeLab:
    """A long result, of an earlier life of the worker."""
    outbox = native.directory / "w" / "outbox"
    outbox.mkdir(parents=True)
    (outbox / "000000000001.json").write_bytes(encode(KEPT))
    return native


def test_a_long_result_goes_in_pieces_to_who_takes_them(
    wire: ScriptedOrchestrator, native: NativeLab
) -> None:
    with_what_is_kept(native).start(wire.address)
    assert wire.expect(Hello).takes_pieces
    wire.send(replace(wire.assignment, takes_pieces=True))
    joining, whole = Joining(), None
    while whole is None:
        piece = wire.expect(Piece, passing_over=())
        assert len(piece.text.encode()) <= PIECE_LIMIT
        whole = joining.take(piece)
        wire.send(Taken(of=piece.of, number=piece.number))
    assert decode_from_worker(whole) == KEPT
    wire.send(Acknowledge(lease="1.1"))
    wire.expect(Heartbeat, passing_over=())


def test_over_another_welcome_it_goes_on_where_it_was(wire: ScriptedOrchestrator, native: NativeLab) -> None:
    with_what_is_kept(native).start(wire.address)
    wire.expect(Hello)
    wire.send(replace(wire.assignment, takes_pieces=True))
    # Whether an earlier life sent some of it, the first piece asks.
    pieces = [wire.expect(Piece, passing_over=())]
    wire.send(Taken(of="1.1", number=0))
    while len(pieces) < pieces[0].pieces:
        pieces.append(wire.expect(Piece, passing_over=()))
    wire.send(replace(wire.assignment, takes_pieces=True))
    assert wire.expect(Piece) == pieces[0]
    wire.send(Taken(of="1.1", number=2))
    for piece in pieces[3:]:
        assert wire.expect(Piece, passing_over=()) == piece
    wire.expect(Heartbeat, passing_over=())


def test_it_goes_whole_to_an_older_one(wire: ScriptedOrchestrator, native: NativeLab) -> None:
    with_what_is_kept(native).start(wire.address)
    wire.greet()
    assert wire.expect(Result) == KEPT


def test_it_takes_a_welcome_and_an_evaluation_in_pieces(
    wire: ScriptedOrchestrator, native: NativeLab
) -> None:
    native.start(wire.address)
    wire.expect(Hello)
    task = Evaluate(run="run-1", lease="2.1", trial=2, attempt=1, parameters={"x": 0.5}, seed=1)
    for message, of in ((wire.assignment, ""), (task, "2.1")):
        text = json.dumps(json.loads(encode(message)))
        for number, part in enumerate((text[:10], text[10:70], text[70:])):
            wire.send(Piece(of=of, number=number, pieces=3, crc=zlib.crc32(text.encode()), text=part))
    assert result(wire, "2.1").value == pytest.approx(-0.04)
