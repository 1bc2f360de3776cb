"""The worker's side of the conversation: say hello, beat, notice silence, hello again.

What it says goes over a wire that may be there or not; nothing here waits, or knows which wire it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Final, Protocol

from orchestrator.wire.codec import MalformedMessage, decode_from_orchestrator, encode
from orchestrator.wire.messages import FromOrchestrator, Goodbye, Heartbeat, Hello, Piece, Welcome
from orchestrator.wire.pieces import Joining

SILENT_AFTER: Final = 5
"""Heartbeat intervals without a word after which the orchestrator is taken to be gone."""
HELLO_AGAIN_S: Final = 1.0


class Wire(Protocol):
    """What a link talks over; `Dealer` says what each part means."""

    def send(self, frame: bytes) -> bool: ...
    def receive(self) -> list[bytes]: ...
    def dial_anew(self) -> None: ...
    def hang_up(self, *, linger: bool) -> None: ...


class Link:
    """The conversation with one orchestrator. ``introduce`` makes the hello of the moment, ``beat`` the
    heartbeat.
    """

    def __init__(self, wire: Wire, introduce: Callable[[], Hello], beat: Callable[[], Heartbeat]) -> None:
        self._wire = wire
        self._introduce = introduce
        self._beat = beat
        self.welcome: Welcome | None = None
        self.greeted = False
        """Whether the orchestrator knows this worker, as far as the worker knows."""
        self.blocked = False
        """Whether something waits for the connection to be there, or to take more: watch for writability."""
        self.held = False
        """Whether something waits for a word of the orchestrator, and nothing is to overtake it."""
        self._next_hello = -math.inf
        self._next_beat = math.inf
        self._joining = Joining()
        self.heard_at = 0.0
        """When anything was last read from it, in monotonic seconds; 0 before that."""

    @property
    def run(self) -> str | None:
        """The run last welcomed to."""
        return self.welcome.run if self.welcome is not None else None

    @property
    def takes_pieces(self) -> bool:
        """Whether the orchestrator last heard of takes long outcomes in pieces."""
        return self.welcome is not None and self.welcome.takes_pieces

    @property
    def heartbeat_s(self) -> float:
        """Seconds between heartbeats."""
        return max(0.01, self.welcome.heartbeat_s) if self.welcome is not None else HELLO_AGAIN_S

    @property
    def due(self) -> float:
        """The moment at which `on_time` must be called."""
        if self.greeted:
            silent = self.heard_at + SILENT_AFTER * self.heartbeat_s
            return silent if self.blocked or self.held else min(self._next_beat, silent)
        return math.inf if self.blocked else self._next_hello

    def send(self, frame: bytes) -> bool:
        """Send if the orchestrator is there and knows us; whether it was sent.

        What a clogged connection does not take is the caller's to send again when it is writable; until then
        nothing overtakes it.
        """
        if self.greeted and not self.blocked and not self.held:
            self.blocked = not self._wire.send(frame)
            return not self.blocked
        return False

    def receive(self, now: float) -> Iterator[tuple[FromOrchestrator, bytes]]:
        """The messages that have arrived, each with its frame. What is none is left out."""
        while frames := self._wire.receive():
            self.heard_at = now
            frame = frames[0]
            if len(frames) > 1:
                continue
            whole = self._whole(frame)
            if whole is not None:
                yield whole

    def _whole(self, frame: bytes) -> tuple[FromOrchestrator, bytes] | None:
        """The message in a frame, or in those that came before and this as the last piece of it."""
        try:
            message = decode_from_orchestrator(frame)
            if not isinstance(message, Piece):
                return message, frame
            joined = self._joining.take(message)
            return None if joined is None else (decode_from_orchestrator(joined), joined)
        except MalformedMessage:
            return None

    def on_welcome(self, welcome: Welcome, now: float) -> None:
        """The orchestrator knows us."""
        self.welcome = welcome
        self.greeted = True
        self.blocked = self.held = False
        self.heard_at = now
        self._next_beat = now + self.heartbeat_s

    def on_unknown(self, now: float) -> None:
        """The orchestrator does not know us (any more): hello, unless one is under way."""
        if self.greeted:
            self.greeted = False
            self._next_hello = now

    def on_name_taken(self, now: float) -> None:
        """Another worker has our name: it may be our predecessor, not yet missed."""
        self.greeted = False
        self._next_hello = now + HELLO_AGAIN_S

    def on_writable(self, now: float) -> None:
        """The connection is there, and takes something."""
        self.blocked = False
        if not self.greeted:
            self._next_hello = now

    def seems_silent(self, now: float) -> bool:
        """Whether nothing was read for so long; where nobody had time to read, something may have come."""
        return self.greeted and now - self.heard_at >= SILENT_AFTER * self.heartbeat_s

    def on_time(self, now: float) -> bool:
        """Say what is due. True if the orchestrator has just been found silent."""
        if not self.greeted:
            if now >= self._next_hello and not self.blocked:
                self.blocked = not self._wire.send(encode(self._introduce()))
                self._next_hello = now + HELLO_AGAIN_S
            return False
        if self.seems_silent(now):
            self.greeted = False
            self._next_hello = now
            return True
        if now >= self._next_beat and not self.blocked and not self.held:
            self._next_beat = now + self.heartbeat_s
            self.send(encode(self._beat()))
        return False

    def dial_anew(self) -> None:
        """Over a connection of which one end or a firewall has forgotten, nothing is heard any more; another
        one may be there before the orchestrator gives this worker up.
        """
        self._wire.dial_anew()

    def beat_now(self, now: float) -> None:
        """Make the next heartbeat due at once."""
        self._next_beat = now

    def close(self, last: Goodbye) -> None:
        """Hang up, after a last message if the orchestrator knows us."""
        self._wire.hang_up(linger=self.send(encode(last)))
