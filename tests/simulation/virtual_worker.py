"""A worker of the real logic on a virtual machine: born, killed, stopped, orphaned, and born again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from pathlib import Path

from broad import check_room
from virtual_child import Habits, NoOutput, VirtualChild
from virtual_disk import Machine, ProcessDisk
from virtual_network import Dialler, Network
from virtual_world import Broken, Process, World

from evaluators.trial_folders import TrialFolders
from evaluators.worker_process.duties import Duties
from evaluators.worker_process.options import WorkerOptions
from evaluators.worker_process.outbox import Outbox, OutboxError
from evaluators.worker_process.slot import Slot
from orchestrator.programs.command_evaluator import COMMAND_EVALUATOR
from orchestrator.wire.codec import decode_from_orchestrator
from orchestrator.wire.kept_frames import Key
from orchestrator.wire.messages import Acknowledge

EVALUATOR = "virtual:objective"
OFFERED = (EVALUATOR, COMMAND_EVALUATOR)
SPINS = 100
"""Moments due at one time, after which it is not a coincidence."""


class Socket:
    """The worker's end of the wire, as its link sees it."""

    def __init__(self, process: Process, network: Network, dialler: Dialler) -> None:
        self._process = process
        self._network = network
        self._dialler = dialler
        self.arrived: list[bytes] = []

    def send(self, frame: bytes) -> bool:
        self._process.call()
        self._process.world.note("  %s: %s", self._process.name, frame)
        return self._network.send_from(self._dialler, frame)

    def receive(self) -> list[bytes]:
        return [self.arrived.pop(0)] if self.arrived else []

    def dial_anew(self) -> None:
        self._network.dial_anew(self._dialler)

    def hang_up(self, *, linger: bool) -> None:
        del linger
        self._network.hang_up(self._dialler)


class WatchedOutbox(Outbox):
    """The outbox, and a note of what it has promised to keep: a successor must find it.

    ``promised`` maps what is kept to whether it was to survive even a power cut.
    """

    def __init__(self, directory: Path, disk: ProcessDisk, promised: dict[Key, bool]) -> None:
        super().__init__(directory, disk)
        self._promised = promised
        for key in promised:
            if key not in self._others:
                raise Broken(f"the result of {key} was kept in {directory}, and is not there")

    def keep(self, run: str, lease: str, frame: bytes, *, durable: bool) -> None:
        super().keep(run, lease, frame, durable=durable)
        self._promised[run, lease] = durable or run != self._run

    def thanked(self, lease: str) -> None:
        """The orchestrator acknowledges a result: nothing is promised any more."""
        self._promised.pop((self._run or "", lease), None)


class WorkerProcess(Process):
    """One process, from its start to its death or its orderly end."""

    def __init__(self, host: Host, name: str, address: int | None) -> None:
        super().__init__(host.world, name)
        self._host = host
        self._network = host.network
        self._alarm = inf
        self.exit_code: int | None = None
        self._dialler = Dialler(name, self._frame_arrived, self._connected, address)
        self._socket = Socket(self, host.network, self._dialler)
        self._outbox: WatchedOutbox | None = None
        self._duties: Duties | None = None

    def start(self) -> None:
        """Open the outbox and dial. Raises `OutboxError` where another holds it; the process is over then."""
        host = self._host
        directory = host.directory
        promised = host.promised.setdefault(directory, {})
        outbox = self._outbox = WatchedOutbox(directory, ProcessDisk(host.machine, self), promised)
        slots: list[Slot] = []

        def child_of(number: int) -> Callable[[int, Mapping[str, str]], VirtualChild]:
            return lambda _fd, _own: VirtualChild(
                self,
                host.habits,
                wrote=lambda: self.do(self._child_wrote, slots[number]),
                ended=lambda: self.do(self._children_ended),
            )

        slots += [Slot(NoOutput(), 2.0, self._say, child_of(number)) for number in range(host.slots)]
        options = WorkerOptions(
            connect="virtual", evaluators=OFFERED, name=self.name, slots=host.slots, directory=directory
        )
        self._duties = Duties(options, self._socket, outbox, slots, TrialFolders(Path("trials")), self._say)
        self._network.dial(self._dialler)

    def _say(self, sentence: str) -> None:
        self.world.note("%s says: %s", self.name, sentence)

    # -- what its loop would do -------------------------------------------------------------------------

    def settle(self) -> None:
        duties = self._duties
        if duties is None:
            return
        check_room(self.name, duties.slots, self._host.slots)
        now = self.monotonic()
        for _ in range(SPINS):
            # Even a fast worker takes a microsecond for what it does.
            now += 1e-6
            if duties.due > now or duties.is_done(now):
                break
            duties.on_time(now)
        else:
            raise Broken(f"{self.name} spins: something is due again as soon as it is done")
        if duties.is_done(now):
            self._leave()
            return
        wait = max(1e-6, duties.due - now)
        if self.world.now + wait < self._alarm:
            self._alarm = self.world.now + wait
            self.world.after(wait, self.do, self._ring, self._alarm)

    def _ring(self, alarm: float) -> None:
        if alarm == self._alarm:
            self._alarm = inf

    def _leave(self) -> None:
        assert self._duties is not None
        self._duties.leave()
        self.exit_code = self._duties.exit_code
        self.world.note("%s left with exit code %s", self.name, self.exit_code)
        self.die()

    def _frame_arrived(self, frame: bytes) -> None:
        self.do(self._take, frame)

    def _take(self, frame: bytes) -> None:
        assert self._duties is not None
        assert self._outbox is not None
        if frame.startswith(b'{"type":"acknowledge"'):
            message = decode_from_orchestrator(frame)
            assert isinstance(message, Acknowledge)
            self._outbox.thanked(message.lease)
        self._socket.arrived.append(frame)
        self._duties.on_messages(self.monotonic())

    def _connected(self) -> None:
        self.do(self._writable)

    def _writable(self) -> None:
        assert self._duties is not None
        if self._duties.link.blocked:
            self._duties.on_writable(self.monotonic())

    def _child_wrote(self, slot: Slot) -> None:
        assert self._duties is not None
        self._duties.on_child_wrote(slot, self.monotonic())

    def _children_ended(self) -> None:
        assert self._duties is not None
        self._duties.on_children_ended(self.monotonic())

    # -- what may happen to it --------------------------------------------------------------------------

    def interrupt(self) -> None:
        """SIGTERM."""
        assert self._duties is not None
        self._duties.on_interrupt("SIGTERM", self.monotonic())

    def orphan(self) -> None:
        """The orchestrator that started it is gone."""
        assert self._duties is not None
        self._duties.on_orphaned(self.monotonic())

    def jump(self, seconds: float) -> None:
        super().jump(seconds)
        self._alarm = inf
        self.do(lambda: None)

    def die(self) -> None:
        if self.alive:
            super().die()
            self._network.hang_up(self._dialler)


@dataclass(eq=False)
class Host:
    """A machine that runs one worker after another, in one directory or in several.

    ``address``: of the orchestrator's life that starts the workers here, where one does.
    """

    world: World
    network: Network
    name: str
    slots: int
    habits: Habits
    machine: Machine = field(init=False)
    directory: Path = Path("/worker-1")
    worker: WorkerProcess | None = None
    address: int | None = None
    births: int = 0
    promised: dict[Path, dict[Key, bool]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.machine = Machine(self.world)

    def start(self, name: str = "") -> None:
        """A worker is started, unless one lives."""
        if self.worker is not None and self.worker.alive:
            return
        self.births += 1
        worker = WorkerProcess(self, name or self.name, self.address)
        self.world.note("%s is started in %s", worker.name, self.directory)
        self.worker = worker
        try:
            worker.do(worker.start)
        except OutboxError as error:
            self.world.note("%s could not start: %s", worker.name, error)
            worker.die()

    def cut_power(self) -> None:
        """The machine loses power, and the worker what it had not synced."""
        if self.worker is not None:
            self.worker.die()
        self.machine.cut_power()
        for promised in self.promised.values():
            for key in [key for key, durable in promised.items() if not durable]:
                del promised[key]

    @property
    def busy(self) -> bool:
        """Whether a worker lives here."""
        return self.worker is not None and self.worker.alive
