"""The asker's end of the wire to its nodes: who is there, and answers within a bounded time.

A node that died, left, fell silent or failed becomes a `NodeError` that names it; nothing waits for ever.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import zmq

from orchestrator.errors import AddressError, OptimiserError
from orchestrator.maximisers.message_passing.exchange import NodeError
from orchestrator.runtime.connections.failed_handshakes import FailedHandshakes
from orchestrator.runtime.connections.gate import Gate
from orchestrator.runtime.connections.keyring import Keyring
from orchestrator.runtime.farewell import let_go
from orchestrator.runtime.nodes.frames import (
    NODE_FRAME_LIMIT,
    NODE_PROTOCOL,
    FromAsker,
    FromNode,
    Leave,
    MalformedFrame,
    NodeFault,
    NodeGoodbye,
    NodeHello,
    NodeRefused,
    NodeWelcome,
    Probe,
    Request,
    decode_from_node,
    encode_frame,
    in_parts,
)
from orchestrator.runtime.nodes.options import NODE_NAME
from orchestrator.runtime.nodes.version import node_version
from orchestrator.wire.addresses import is_ipv6, is_listened_at, is_loopback, nearby
from orchestrator.wire.dealer import UNBOUNDED_QUEUE

LINGER_MS = 500
FAREWELL_S = 5.0
REASON_LIMIT = 2_000
"""Characters of a node's fault that are passed on."""
TAKEN_AT_A_TIME = 1_000
"""Messages; what comes beyond is taken in the next time, `ATTEND_EVERY_S` later at most."""
_LOOK_EVERY_MS = 100
_PROBE_EVERY_S = 1.0
_ENDS_A_CUT_CONNECTION = {
    # A machine that was unplugged, or a cable, leaves a connection that looks alive.
    zmq.HEARTBEAT_IVL: 5_000,
    zmq.HEARTBEAT_TIMEOUT: 15_000,
    zmq.HANDSHAKE_IVL: 30_000,
}


@dataclass(frozen=True, slots=True)
class Peer:
    """A node that said hello: its connection's identity and number, and how many factors it holds at most."""

    identity: bytes
    name: str
    factors: int
    host: str
    pid: int
    connection: int = 1

    def __str__(self) -> str:
        return f"{self.name}, process {self.pid} on {self.host}"


@dataclass(frozen=True, slots=True)
class HubSettings:
    """Where nodes dial, and ``silence_s``, which bounds every wait for an answer.

    ``keys``: the folder of those that may; without, an address that is not loopback is refused, unless it is
    ``open_to_strangers``.
    """

    address: str = "tcp://127.0.0.1:*"
    silence_s: float = 30.0
    keys: Path | None = None
    open_to_strangers: bool = False


class NodeHub:
    """Listens on construction. ``death`` says of a peer in words how it ended, if that is known here.

    Raises AddressError where it cannot listen, or where it would listen to strangers; KeyFileError for a
    folder without keys.

    Attributes:
        address: that nodes dial; ``nearby`` is the same for those of this machine.
        descriptor: becomes readable when somebody has something to say; `attend` first, then wait.
        keyring: who may connect, None where anybody may.
    """

    def __init__(self, settings: HubSettings, death: Callable[[Peer], str | None]) -> None:
        address = settings.address
        if settings.keys is None and not settings.open_to_strangers and not is_loopback(address):
            raise AddressError(
                f"expected a loopback address for nodes without keys, got {address}: anyone who reaches it "
                "could steer the choice of points. Give keys, listen on 127.0.0.1 (with an SSH tunnel for "
                "other machines), or allow strangers in so many words"
            )
        self._silence_s = settings.silence_s
        self._death = death
        self._version = node_version()
        self.keyring = None if settings.keys is None else Keyring(settings.keys)
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._gate = None if self.keyring is None else Gate(self._context, self.keyring)
        self._socket = self._context.socket(zmq.ROUTER)
        self._failed: FailedHandshakes | None = None
        for option, setting in {
            zmq.ROUTER_MANDATORY: 1,
            # A node that dials again has its place back before the old connection is known to be dead.
            zmq.ROUTER_HANDOVER: 1,
            zmq.LINGER: 0,
            zmq.IPV6: int(is_ipv6(address)),
            zmq.MAXMSGSIZE: NODE_FRAME_LIMIT,
            zmq.RCVHWM: UNBOUNDED_QUEUE,
            zmq.SNDTIMEO: max(1, int(1000 * settings.silence_s)),
            **_ENDS_A_CUT_CONNECTION,
        }.items():
            self._socket.setsockopt(option, setting)
        if self._gate is not None:
            self._gate.guard(self._socket)
            self._failed = FailedHandshakes(self._context, self._socket)
        try:
            if is_listened_at(address):
                raise zmq.ZMQError(zmq.EADDRINUSE)
            self._socket.bind(address)
        except zmq.ZMQError as error:
            self._hang_up()
            raise AddressError(_cannot_listen(address, error)) from None
        self.address = self._socket.get_string(zmq.LAST_ENDPOINT)
        self.nearby = nearby(self.address)
        self.descriptor = int(self._socket.getsockopt(zmq.FD))
        self._peers: dict[bytes, Peer] = {}
        self._duties: dict[Peer, str] = {}
        self._shut_out = 0

    @property
    def peers(self) -> list[Peer]:
        """Nodes there, in the order in which they came."""
        return list(self._peers.values())

    @property
    def refused(self) -> int:
        """How often somebody came with a key that may not, or spoke under one that was revoked since."""
        return 0 if self.keyring is None else self.keyring.refused + self._shut_out

    def keyless(self) -> int:
        """How often somebody came without a key, or with one for another orchestrator, until now."""
        return 0 if self._failed is None else self._failed.counted()

    def forget(self, peer: Peer) -> None:
        """Count a peer as gone. If it lives, its next hello brings it back."""
        if self._peers.get(peer.identity) == peer:
            del self._peers[peer.identity]

    def set_duties(self, duties: Mapping[Peer, str]) -> None:
        """What each peer holds, in words, for errors."""
        self._duties = dict(duties)

    def attend(self) -> None:
        """Take in whatever has come, and forget those that are gone. Returns at once."""
        self._take_in()
        for peer in self.peers:
            if self._death(peer) is not None or not self._stands(peer):
                self.forget(peer)
        # What was sent may have swallowed the signal of what came meanwhile.
        self._take_in()

    def wait_for(self, enough: Callable[[], bool], seconds: float) -> None:
        """Take in hellos until there are ``enough`` peers, or the seconds are over."""
        deadline = time.monotonic() + seconds
        self._take_in()
        while not enough() and (remaining := deadline - time.monotonic()) > 0:
            self._socket.poll(min(_LOOK_EVERY_MS, int(1000 * remaining) + 1))
            self._take_in()

    def ask(
        self, questions: Mapping[Peer, Request], about: int, is_answer: Callable[[FromNode], bool]
    ) -> dict[Peer, FromNode]:
        """Send each peer its frame and collect the one answer of each. Raises NodeError, never hangs.

        ``about`` is the run or assignment asked in. Frames that are no answer (late ones of a run given up,
        hellos) are passed over. Raises OptimiserError for a frame that no node would take.
        """
        for peer, frame in questions.items():
            data = encode_frame(frame)
            if len(data) > NODE_FRAME_LIMIT:
                raise OptimiserError(
                    f"expected a message of at most {NODE_FRAME_LIMIT / 2**20:.3g} MiB for "
                    f"{self._named(peer)}, got one of {len(data) / 2**20:.3g} MiB: with so many results use "
                    "`nodes: in-process`"
                )
            try:
                self._socket.send_multipart([peer.identity, *in_parts(data)])
            except zmq.ZMQError:
                self.forget(peer)
                raise self._lost(peer, self._death(peer) or "cannot be reached any more") from None
        awaited = {peer.identity: peer for peer in questions}
        answers: dict[Peer, FromNode] = {}
        deadline = time.monotonic() + self._silence_s
        probe_at = time.monotonic() + _PROBE_EVERY_S
        while awaited:
            if self._socket.poll(_LOOK_EVERY_MS):
                identity, answer = self._receive()
                sender = awaited.get(identity)
                if sender is not None and isinstance(answer, NodeFault) and answer.about in (about, None):
                    raise NodeError(f"{self._named(sender)} failed: {answer.reason[:REASON_LIMIT]}")
                if sender is not None and answer is not None and is_answer(answer):
                    answers[sender] = answer
                    del awaited[identity]
                elif sender is not None:
                    self._look_for(sender)
            else:
                probes = time.monotonic() > probe_at
                for peer in awaited.values():
                    self._look_after(peer, probe=probes)
                if probes:
                    probe_at = time.monotonic() + _PROBE_EVERY_S
            if awaited and time.monotonic() > deadline:
                silent = next(iter(awaited.values()))
                self.forget(silent)
                raise self._lost(silent, f"said nothing for {self._silence_s:g} s")
        return {peer: answers[peer] for peer in questions}

    def dismiss_all(self) -> None:
        """Tell all peers to leave, and wait a bounded time for their goodbyes.

        What comes in just before a connection ends may be dropped unread at the other side (ZeroMQ does so
        with what dials anew), and such a node would dial on for ever: so hang up only when they have heard.
        """
        for peer in self.peers:
            if not self._tell(peer.identity, Leave()):
                self.forget(peer)
        self.wait_for(lambda: not any(self._death(peer) is None for peer in self.peers), FAREWELL_S)
        self._peers.clear()

    def close(self) -> None:
        """Stop listening. Nodes dial on, unless they were dismissed."""
        self._hang_up()

    # -- one peer ---------------------------------------------------------------------------------------

    def _look_after(self, peer: Peer, *, probe: bool) -> None:
        """Raises NodeError if an awaited peer will not answer any more."""
        ended = self._death(peer)
        if ended is not None:
            self.forget(peer)
            raise self._lost(peer, ended)
        self._look_for(peer)
        if probe and not self._stands(peer):
            self.forget(peer)
            raise self._lost(peer, "is gone: its connection was closed")

    def _look_for(self, peer: Peer) -> None:
        """Raises NodeError if a peer is not the one that it was asked as."""
        now = self._peers.get(peer.identity)
        if now is None:
            raise self._lost(peer, "left")
        if now != peer:
            # What it was asked, or its answer, may have gone down with the connection.
            raise self._lost(peer, "lost its connection and dialled again")

    def _stands(self, peer: Peer) -> bool:
        """Whether the peer's connection does, as far as anybody knows; a clogged one does."""
        return self._tell(peer.identity, Probe())

    def _tell(self, identity: bytes, frame: FromAsker) -> bool:
        """Hand a frame over without waiting; false if there is no such connection."""
        try:
            self._socket.send_multipart([identity, encode_frame(frame)], zmq.NOBLOCK)
        except zmq.Again:
            return True
        except zmq.ZMQError:
            return False
        return True

    def _named(self, peer: Peer) -> str:
        return f"the node of {self._duties.get(peer, 'no factor')} ({peer})"

    def _lost(self, peer: Peer, how: str) -> NodeError:
        return NodeError(f"{self._named(peer)} {how}")

    # -- what comes -------------------------------------------------------------------------------------

    def _take_in(self) -> None:
        # Whoever sends without a pause must not keep us here.
        for _ in range(TAKEN_AT_A_TIME):
            if not self._socket.poll(0):
                return
            self._receive()

    def _receive(self) -> tuple[bytes, FromNode | None]:
        identity, *frames = self._frames()
        try:
            frame = decode_from_node(b"".join(frames)) if frames else None
        except MalformedFrame as error:
            if identity in self._peers:
                return identity, NodeFault(reason=f"it sent what is no frame of this protocol: {error}")
            return identity, None
        match frame:
            case NodeHello():
                self._greet(identity, frame)
                return identity, None
            case NodeGoodbye():
                self._peers.pop(identity, None)
                return identity, None
            case _:
                return identity, frame

    def _frames(self) -> list[bytes]:
        """The next message; its identity alone if its key may not any more."""
        if self._gate is None:
            return self._socket.recv_multipart()
        frames = self._socket.recv_multipart(copy=False)
        if not self._gate.lets_in(frames[-1]):
            self._shut_out += 1
            self._peers.pop(frames[0].bytes, None)
            return [frames[0].bytes]
        return [frame.bytes for frame in frames]

    def _greet(self, identity: bytes, hello: NodeHello) -> None:
        refusal = self._refusal(identity, hello)
        if refusal is not None:
            self._tell(identity, refusal)
            return
        self._peers[identity] = Peer(
            identity, hello.name, hello.factors, hello.host, hello.pid, hello.connection
        )
        self._tell(identity, NodeWelcome())

    def _refusal(self, identity: bytes, hello: NodeHello) -> NodeRefused | None:
        """Why a hello is not welcome, if so."""
        if hello.protocol != NODE_PROTOCOL or hello.version != self._version:
            return NodeRefused(
                reason=f"expected a node of orchestrator {self._version}, as the run is, got one of "
                f"{hello.version}: others may compute other numbers. Install the same version at both ends",
                final=True,
            )
        named = NODE_NAME.fullmatch(hello.name) and hello.host.isprintable() and len(hello.host) <= 255
        if not named or hello.factors < 1:
            return NodeRefused(
                reason="expected a name of letters, digits and . _ -, and a number of factors above 0",
                final=True,
            )
        for peer in self.peers:
            if peer.name == hello.name and peer.identity != identity:
                if self._death(peer) is None and self._stands(peer):
                    return NodeRefused(
                        reason=f"expected a name that no other node has, got {hello.name}, which is that of "
                        f"process {peer.pid} on {peer.host}",
                        final=False,
                    )
                self.forget(peer)
        return None

    def _hang_up(self) -> None:
        if self._context.closed:
            return
        if self._failed is not None:
            self._failed.close()
        self._socket.close(LINGER_MS)
        if self._gate is not None:
            with contextlib.suppress(zmq.ZMQError):
                self._gate.close()
        let_go(lambda: self._context.destroy(linger=LINGER_MS))


def _cannot_listen(address: str, error: zmq.ZMQError) -> str:
    if error.errno == zmq.EADDRINUSE:
        return (
            f"expected to listen for nodes at {address}, and the port is taken, by another program or by "
            "this run's workers. Name another under algorithm.options.nodes.listen in the spec"
        )
    return (
        f"expected to listen for nodes at {address}, and cannot: {error}. Give an address of this machine, "
        "such as tcp://127.0.0.1:5560, under algorithm.options.nodes.listen"
    )
