"""A network between workers and one orchestrator that delays, loses, repeats, reorders, and pretends.

A connection has two ends, and each may believe it open when it is not. What is sent over it arrives in
order, unless the network misbehaves; what is sent to an end that is gone vanishes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from virtual_world import World

REDIAL_S = 1.0
NOTICED_S = 2.0
"""How long a broken connection is not noticed, at most, where it is noticed at all."""
KEEPALIVE_S = 15.0
"""When a worker's end finds out at last."""


@dataclass(eq=False)
class Listener:
    """The orchestrator's socket: frames come in with their peer."""

    arrived: Callable[[bytes, bytes], None]
    address: int
    open: bool = True


@dataclass(eq=False)
class Connection:
    """``dialler_up`` and ``listener_up`` are what each end believes.

    ``dead``: nothing that is sent now arrives; ``emptied``: nor does what was under way.
    """

    peer: bytes
    dialler: Dialler
    listener: Listener
    dialler_up: bool = True
    listener_up: bool = True
    dead: bool = False
    emptied: bool = False
    last: dict[bool, float] = field(default_factory=lambda: {True: 0.0, False: 0.0})


@dataclass(eq=False)
class Dialler:
    """A worker's socket, which redials by itself. ``address`` None: whoever listens."""

    name: str
    arrived: Callable[[bytes], None]
    connected: Callable[[], None]
    address: int | None = None
    connection: Connection | None = None
    open: bool = True


class Network:
    """All connections. Rates are probabilities for one message; ``cut_off`` are names behind a partition."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.loss = 0.0
        self.duplication = 0.0
        self.reordering = 0.0
        self.delay_s = 0.01
        self.forgotten = 0.0
        self.cut_off: set[str] = set()
        self.listener: Listener | None = None
        self._connections: dict[bytes, Connection] = {}
        self._addresses = 0
        self._peers = 0

    def heal(self) -> None:
        """No more misbehaviour; connections that only look alive are found out in time."""
        self.loss = self.duplication = self.reordering = self.forgotten = 0.0
        self.delay_s = 0.01
        self.cut_off.clear()

    # -- the orchestrator's end -----------------------------------------------------------------------

    def listen(self, arrived: Callable[[bytes, bytes], None]) -> Listener:
        """A new orchestrator's socket."""
        self._addresses += 1
        self.listener = Listener(arrived, self._addresses)
        return self.listener

    def send_to(self, listener: Listener, peer: bytes, frame: bytes) -> bool:
        """A frame for a peer; whether the peer seems to be there."""
        connection = self._connections.get(peer)
        if connection is None or not connection.listener_up or connection.listener is not listener:
            return False
        self._carry(connection, frame, outward=True)
        return True

    def stop_listening(self, listener: Listener) -> None:
        """The orchestrator is gone."""
        listener.open = False
        if self.listener is listener:
            self.listener = None
        for connection in list(self._connections.values()):
            if connection.listener is listener:
                connection.listener_up = False
                self.sever(connection)

    # -- a worker's end -------------------------------------------------------------------------------

    def dial(self, dialler: Dialler) -> None:
        """Connect, now or as soon as somebody listens."""
        if not dialler.open or dialler.connection is not None:
            return
        listener = self.listener
        reachable = (
            listener is not None
            and dialler.name not in self.cut_off
            and dialler.address in (None, listener.address)
        )
        if listener is None or not reachable:
            self.world.after(REDIAL_S * (0.5 + self.world.chance.random()), self.dial, dialler)
            return
        self._peers += 1
        connection = Connection(b"p%d" % self._peers, dialler, listener)
        dialler.connection = self._connections[connection.peer] = connection
        self.world.note("%s connects, as %s", dialler.name, connection.peer)
        self.world.after(0.002, self._connected, dialler, connection)

    @staticmethod
    def _connected(dialler: Dialler, connection: Connection) -> None:
        if dialler.open and dialler.connection is connection:
            dialler.connected()

    def send_from(self, dialler: Dialler, frame: bytes) -> bool:
        """A frame from a worker; whether it seems to be connected."""
        connection = dialler.connection
        if connection is None or not connection.dialler_up:
            return False
        self._carry(connection, frame, outward=False)
        return True

    def dial_anew(self, dialler: Dialler) -> None:
        """A worker gives its connection up for another one; the orchestrator's end finds out, or not."""
        connection = dialler.connection
        if connection is None:
            return
        connection.dialler_up = False
        dialler.connection = None
        self.sever(connection)
        self.dial(dialler)

    def hang_up(self, dialler: Dialler) -> None:
        """The worker is gone, or closes its socket."""
        dialler.open = False
        if dialler.connection is not None:
            dialler.connection.dialler_up = False
            self.sever(dialler.connection)

    # -- what may happen to a connection ----------------------------------------------------------------

    def connections(self) -> list[Connection]:
        """Those over which something passes."""
        return [connection for connection in self._connections.values() if not connection.dead]

    def sever(self, connection: Connection) -> None:
        """Nothing passes any more; each end finds out at its own time, the orchestrator's perhaps never."""
        if connection.dead:
            return
        connection.dead = True
        chance = self.world.chance
        connection.emptied = chance.random() < 0.5
        if not self.world.chosen(self.forgotten):
            self.world.after(chance.random() * NOTICED_S, self._listener_notices, connection)
        slow = self.world.chosen(self.forgotten)
        self.world.after(
            KEEPALIVE_S if slow else chance.random() * NOTICED_S, self._dialler_notices, connection
        )

    def _listener_notices(self, connection: Connection) -> None:
        connection.listener_up = False
        self._connections.pop(connection.peer, None)

    def _dialler_notices(self, connection: Connection) -> None:
        connection.dialler_up = False
        dialler = connection.dialler
        self.world.note("%s finds its connection %s broken", dialler.name, connection.peer)
        if dialler.connection is connection:
            dialler.connection = None
            self.dial(dialler)

    def _carry(self, connection: Connection, frame: bytes, *, outward: bool) -> None:
        world = self.world
        if connection.dead or connection.dialler.name in self.cut_off or world.chosen(self.loss):
            world.note("  lost: %s", frame)
            return
        copies = 2 if world.chosen(self.duplication) else 1
        for _ in range(copies):
            arrives = world.now + world.chance.random() * self.delay_s
            if not world.chosen(self.reordering):
                arrives = max(arrives, connection.last[outward])
                connection.last[outward] = arrives
            else:
                arrives += world.chance.random() * 5.0
            world.after(arrives - world.now, self._deliver, connection, frame, outward)

    def _deliver(self, connection: Connection, frame: bytes, outward: bool) -> None:
        if connection.emptied:
            return
        if outward:
            if connection.dialler.open:
                connection.dialler.arrived(frame)
        elif connection.listener.open:
            connection.listener.arrived(connection.peer, frame)
