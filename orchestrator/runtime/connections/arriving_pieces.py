"""What workers have sent pieces of, until it is whole: bounded in memory, whoever sends."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from orchestrator.runtime.connections.broker import Received, received_from
from orchestrator.wire.codec import MalformedMessage
from orchestrator.wire.messages import Failure, Piece, Result, Taken
from orchestrator.wire.pieces import Joining

TOGETHER_LIMIT: Final = 1 << 25
"""Bytes, of all workers together: beyond them, what has waited longest for a piece is forgotten."""
MESSAGES_LIMIT: Final = 1_024
OF_LIMIT: Final = 40
"""Characters of a lease, of what is kept and of what is repeated to whoever sent it."""


@dataclass(slots=True)
class ArrivingPieces:
    """Of each worker one message, over whatever connections its pieces come."""

    # Whoever has waited longest for its next piece first.
    _arriving: dict[str, Joining] = field(init=False, default_factory=dict)
    _size: int = field(init=False, default=0)

    def take(self, worker: str, peer: bytes, piece: Piece) -> tuple[Taken, Received | None]:
        """The answer to a piece, and what came in pieces, where this is the last."""
        joining = self._arriving.pop(worker, None) or Joining()
        self._size -= joining.size
        try:
            if len(piece.of) > OF_LIMIT:
                raise MalformedMessage(f"expected pieces of a lease, got one of {len(piece.of):,} characters")
            whole = joining.take(piece)
        except MalformedMessage as error:
            return _taken(piece, -1), Received(peer, None, str(error), piece.of[:OF_LIMIT])
        if whole is None:
            self._keep(worker, joining)
            return _taken(piece, joining.held), None
        received = received_from(peer, [whole])
        if received.message is not None and not isinstance(received.message, Result | Failure):
            complaint = "expected a result or a failure in pieces, got another message"
            received = Received(peer, None, complaint, piece.of)
        return _taken(piece, piece.number), received

    def _keep(self, worker: str, joining: Joining) -> None:
        if joining.size:
            self._arriving[worker] = joining
            self._size += joining.size
        while self._size > TOGETHER_LIMIT or len(self._arriving) > MESSAGES_LIMIT:
            self._size -= self._arriving.pop(next(iter(self._arriving))).size


def _taken(piece: Piece, number: int) -> Taken:
    return Taken(of=piece.of[:OF_LIMIT], number=number)
