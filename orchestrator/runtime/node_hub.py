"""The asker's end of the wire to its nodes: who is there, and answers within a bounded time.

A node that died, fell silent or failed becomes a `NodeError` that names it; nothing waits for ever.
"""

from __future__ import annotations

import contextlib
import ipaddress
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import zmq

from orchestrator.errors import AddressError
from orchestrator.maximisers.exchange import NodeError
from orchestrator.runtime.node_frames import (
    NODE_FRAME_LIMIT,
    NODE_PROTOCOL,
    FromAsker,
    FromNode,
    Leave,
    MalformedFrame,
    NodeFault,
    NodeHello,
    decode_from_node,
    encode_frame,
)

_LOOK_EVERY_MS = 100

Secure = Callable[["zmq.Socket[bytes]"], None]


@dataclass(frozen=True, slots=True)
class Peer:
    """A node process that said hello. ``identity`` is its connection's."""

    identity: bytes
    host: str
    pid: int

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}"


class NodeHub:
    """Listens on construction. ``silence_s`` bounds every wait for an answer.

    ``death`` says of a peer in words how it ended, if that is known here, else None. ``secure`` sets keys
    on the socket before it is bound. Raises AddressError where it cannot listen, or where it would listen
    to strangers: an address that is not loopback, neither secured nor ``open_to_strangers``.
    """

    def __init__(
        self,
        address: str,
        silence_s: float,
        death: Callable[[Peer], str | None],
        secure: Secure | None = None,
        open_to_strangers: bool = False,
    ) -> None:
        if secure is None and not open_to_strangers and not _is_loopback(address):
            raise AddressError(
                f"expected a loopback address for nodes without keys, got {address!r}: anyone who reaches it "
                "could steer the choice of points. Give keys, listen on 127.0.0.1 (with an SSH tunnel for "
                "other machines), or allow strangers in so many words"
            )
        self._silence_s = silence_s
        self._death = death
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._socket = self._context.socket(zmq.ROUTER)
        self._socket.setsockopt(zmq.ROUTER_MANDATORY, 1)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.setsockopt(zmq.MAXMSGSIZE, NODE_FRAME_LIMIT)
        self._socket.setsockopt(zmq.SNDTIMEO, max(1, int(1000 * silence_s)))
        if secure is not None:
            secure(self._socket)
        try:
            self._socket.bind(address)
        except zmq.ZMQError as error:
            self._context.destroy(linger=0)
            raise AddressError(f"expected to listen for nodes at {address}, and cannot: {error}") from None
        self.address = self._socket.get_string(zmq.LAST_ENDPOINT)
        self._peers: dict[bytes, Peer] = {}
        self._duties: dict[Peer, str] = {}

    @property
    def peers(self) -> list[Peer]:
        """Node processes there, in the order in which they came."""
        return list(self._peers.values())

    def forget(self, peer: Peer) -> None:
        """Count a peer as gone. If it lives, its next hello brings it back."""
        self._peers.pop(peer.identity, None)

    def set_duties(self, duties: Mapping[Peer, str]) -> None:
        """What each peer holds, in words, for errors."""
        self._duties = dict(duties)

    def wait_for(self, enough: Callable[[], bool], seconds: float) -> None:
        """Take in hellos until there are ``enough`` peers, or the seconds are over."""
        deadline = time.monotonic() + seconds
        self._welcome()
        while not enough() and (remaining := deadline - time.monotonic()) > 0:
            self._socket.poll(min(_LOOK_EVERY_MS, int(1000 * remaining) + 1))
            self._welcome()

    def ask(
        self, questions: Mapping[Peer, FromAsker], about: int, is_answer: Callable[[FromNode], bool]
    ) -> dict[Peer, FromNode]:
        """Send each peer its frame and collect the one answer of each. Raises NodeError, never hangs.

        ``about`` is the run or assignment asked in. Frames that are no answer (late ones of a run given up,
        hellos) are passed over.
        """
        for peer, frame in questions.items():
            try:
                self._socket.send_multipart([peer.identity, encode_frame(frame)])
            except zmq.ZMQError as error:
                self.forget(peer)
                raise NodeError(self._lost(peer, f"cannot be reached any more ({error})")) from None
        awaited = {peer.identity: peer for peer in questions}
        answers: dict[Peer, FromNode] = {}
        deadline = time.monotonic() + self._silence_s
        while awaited:
            if self._socket.poll(_LOOK_EVERY_MS):
                identity, answer = self._receive()
                sender = awaited.get(identity)
                if sender is not None and isinstance(answer, NodeFault) and answer.about in (about, None):
                    raise NodeError(f"{self._named(sender)} failed: {answer.reason}")
                if sender is not None and answer is not None and is_answer(answer):
                    answers[sender] = answer
                    del awaited[identity]
            else:
                self._look_for_the_dead(awaited.values())
            if awaited and time.monotonic() > deadline:
                silent = next(iter(awaited.values()))
                self.forget(silent)
                raise NodeError(self._lost(silent, f"said nothing for {self._silence_s:g} s"))
        return {peer: answers[peer] for peer in questions}

    def _look_for_the_dead(self, peers: Iterable[Peer]) -> None:
        for peer in peers:
            ended = self._death(peer)
            if ended is not None:
                self.forget(peer)
                raise NodeError(self._lost(peer, ended))

    def close(self) -> None:
        """Tell all peers to leave, and stop listening."""
        for peer in self.peers:
            with contextlib.suppress(zmq.ZMQError):
                self._socket.send_multipart([peer.identity, encode_frame(Leave())], zmq.NOBLOCK)
        self._context.destroy(linger=500)

    def _welcome(self) -> None:
        while self._socket.poll(0):
            self._receive()

    def _receive(self) -> tuple[bytes, FromNode | None]:
        identity, *frames = self._socket.recv_multipart()
        try:
            frame = decode_from_node(frames[0]) if len(frames) == 1 else None
        except MalformedFrame as error:
            if identity in self._peers:
                return identity, NodeFault(reason=f"it sent what is no frame of this protocol: {error}")
            return identity, None
        if isinstance(frame, NodeHello):
            if frame.protocol == NODE_PROTOCOL:
                self._peers.setdefault(identity, Peer(identity, frame.host, frame.pid))
            return identity, None
        return identity, frame

    def _named(self, peer: Peer) -> str:
        return f"the node of {self._duties.get(peer, 'no factor')} ({peer})"

    def _lost(self, peer: Peer, how: str) -> str:
        return (
            f"{self._named(peer)} {how}, so the point could not be chosen together. "
            "Start it again (a node that comes back is given its factor anew) and ask again"
        )


def _is_loopback(address: str) -> bool:
    parts = urlsplit(address)
    if parts.scheme in ("ipc", "inproc"):
        return True
    host = parts.hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
