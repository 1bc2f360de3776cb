"""Long messages in pieces: on a slow line each comes in time, where the whole would seem to be silence.

A message is there whole or not at all. What has come of it stays when the connection is lost, so that it goes
on where it was.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from orchestrator.wire.codec import MalformedMessage, encode
from orchestrator.wire.messages import FRAME_LIMIT, PIECE_LIMIT, Evaluate, FromOrchestrator, Piece, Welcome

_NOTHING: Final = ("", 0, 0)


class Joining:
    """The message that comes from one sender in pieces, of at most `FRAME_LIMIT` bytes.

    Attributes:
        held: the number of the last piece that is here, of those that followed one another; -1 for none.
    """

    def __init__(self) -> None:
        self._begin(_NOTHING)

    @property
    def size(self) -> int:
        """Bytes that have come of it."""
        return len(self._content)

    def take(self, piece: Piece) -> bytes | None:
        """The whole message, where this is its last piece. One that is here already, or does not follow, is
        passed over; the first of another message has the earlier one forgotten. Raises `MalformedMessage`,
        and forgets it, where it grows too long, or together they are not what was sent.
        """
        message = (piece.of, piece.pieces, piece.crc)
        if piece.number == 0 and message != self._message:
            self._begin(message)
        if message != self._message or piece.number != self.held + 1 or piece.number >= piece.pieces:
            return None
        text = _bytes_of(piece.text)
        if not text or self.size + len(text) > FRAME_LIMIT:
            self._begin(_NOTHING)
            raise MalformedMessage(f"expected pieces with text, of at most {FRAME_LIMIT} bytes together")
        self._content += text
        self.held += 1
        if piece.number + 1 < piece.pieces:
            return None
        whole = bytes(self._content)
        self._begin(_NOTHING)
        if zlib.crc32(whole) != piece.crc:
            raise MalformedMessage(f"expected pieces that are a message with the CRC-32 {piece.crc} together")
        return whole

    def _begin(self, message: tuple[str, int, int]) -> None:
        self._message, self.held, self._content = message, -1, bytearray()


def in_pieces(frame: bytes, of: str) -> list[Piece]:
    """A frame of UTF-8 in pieces of at most `PIECE_LIMIT` bytes."""
    starts = [0]
    while starts[-1] < len(frame):
        end = min(starts[-1] + PIECE_LIMIT, len(frame))
        while end < len(frame) and frame[end] & 0xC0 == 0x80:
            end -= 1
        starts.append(end)
    texts = [frame[start:end].decode() for start, end in pairwise(starts)]
    crc = zlib.crc32(frame)
    return [Piece(of=of, number=n, pieces=len(texts), crc=crc, text=text) for n, text in enumerate(texts)]


def frames_of(frame: bytes, of: str) -> list[bytes]:
    """What is sent of a frame to one that takes pieces: the frame, or its pieces."""
    return [frame] if len(frame) <= PIECE_LIMIT else [encode(piece) for piece in in_pieces(frame, of)]


def parts_of(message: FromOrchestrator) -> Sequence[FromOrchestrator]:
    """What is sent of a message to one that takes pieces: the message, or its pieces."""
    if not isinstance(message, Welcome | Evaluate):
        return (message,)
    frame = encode(message)
    if len(frame) <= PIECE_LIMIT:
        return (message,)
    return in_pieces(frame, message.lease if isinstance(message, Evaluate) else "")


def _bytes_of(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return b""
