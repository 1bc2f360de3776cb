"""One life of an orchestrator: the real scheduler, sessions, liveness, journal and recovery, turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from virtual_desk import ProcessDesk, VirtualDesk
from virtual_disk import Machine, ProcessDisk
from virtual_network import Network
from virtual_optimiser import VirtualOptimiser
from virtual_world import Process
from witness import Witness

from orchestrator.errors import JournalError
from orchestrator.runtime.conductor import Conductor
from orchestrator.runtime.connections.broker import Received
from orchestrator.runtime.folder.journal import JournalReader, JournalWriter
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.life import Clock, Life
from orchestrator.runtime.loop import SECONDS_TO_TAKE_STOCK
from orchestrator.runtime.monitor import Level
from orchestrator.runtime.recovery.recover import OptimiserHistory, Replay
from orchestrator.runtime.requests.desk import Waiting
from orchestrator.runtime.requests.front_desk import FrontDesk
from orchestrator.runtime.requests.kinds import Amend
from orchestrator.runtime.requests.left_amendments import take_up_amendments
from orchestrator.runtime.requests.rehearsal import Beforehand, rehearse
from orchestrator.runtime.results.first_event import first_event
from orchestrator.runtime.turn import Turn
from orchestrator.scheduler.events import Event, RunResumed, WorkerJoined
from orchestrator.scheduler.liveness import Patience
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase
from orchestrator.spec.model import Spec
from orchestrator.spec.policy_of_spec import policy_of
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.wire.codec import MalformedMessage, decode_from_worker, encode
from orchestrator.wire.messages import FromOrchestrator

TICK_S = 1.0
PATIENCE = Patience(heartbeat_s=4.0, silence_s=16.0, unheld_s=10.0, overdue_s=15.0, return_s=40.0)
FOLDER = RunFolder(Path("/logs/run-1"))


class Post:
    """The orchestrator's socket: what `Broker` is over a real wire."""

    def __init__(self, process: OrchestratorProcess, network: Network) -> None:
        self._process = process
        self._network = network
        self.listener = network.listen(self._arrived)
        self._frames: list[tuple[bytes, bytes]] = []

    def _arrived(self, peer: bytes, frame: bytes) -> None:
        self._frames.append((peer, frame))
        self._process.wake()

    def receive(self) -> list[Received]:
        frames, self._frames = self._frames, []
        received: list[Received] = []
        for peer, frame in frames:
            try:
                received.append(Received(peer, decode_from_worker(frame)))
            except MalformedMessage as complaint:
                received.append(Received(peer, None, str(complaint)))
        return received

    def send(self, peer: bytes, message: FromOrchestrator) -> bool:
        self._process.call()
        self._process.witness.said(message)
        frame = encode(message)
        self._process.world.note("  orchestrator to %s: %s", peer, frame)
        return self._network.send_to(self.listener, peer, frame)

    def close(self) -> None:
        self._network.stop_listening(self.listener)


class Silent:
    """Nobody watches this run on a screen."""

    def opened(self, opening: object) -> None: ...
    def observed(self, event: Event, state: State) -> None: ...
    def progressed(self, lease: str, step: int, values: Mapping[str, float]) -> None: ...
    def noted(self, level: Level, sentence: str) -> None: ...
    def ticked(self, state: State, now: float) -> None: ...
    def closed(self, state: State) -> None: ...


class OrchestratorProcess(Process):
    """From its start to its death, or to the end of the run.

    Attributes:
        over: whether the run has reached an end that a resume would not continue.
        prepare: sets an optimiser up.
        gone: called at its death.
    """

    def __init__(
        self,
        number: int,
        spec: Spec,
        machine: Machine,
        desk: VirtualDesk,
        network: Network,
        witness: Witness,
        local: bool,
    ) -> None:
        super().__init__(witness.world, f"orchestrator {number}")
        self.witness = witness
        self._spec = spec
        self._machine = machine
        self._disk = ProcessDisk(machine, self)
        self._desk = ProcessDesk(desk, self, witness)
        self._network = network
        self._local = local
        self._front_desk: FrontDesk | None = None
        self._turning = False
        self._woken = False
        self._ending = False
        self._post: Post | None = None
        self._conductor: Conductor | None = None
        self._journal: JournalWriter | None = None
        self.optimiser: VirtualOptimiser | None = None
        self.over = False
        self.prepare: Callable[[VirtualOptimiser], None] = _leave_as_it_is
        self.gone: Callable[[], None] = _do_nothing

    @property
    def listening(self) -> bool:
        """Whether workers can be started on its account."""
        return self._post is not None

    @property
    def address(self) -> int:
        """Where it listens."""
        assert self._post is not None
        return self._post.listener.address

    def start(self) -> None:
        """Begin a run, or take one over; nothing if there is nothing left to do."""
        first, life = self._begin() if not self._disk.exists(FOLDER.journal) else self._take_over()
        if life is None:
            self.over = True
            self.die()
            return
        self._journal = life.journal
        self._clock = life.clock
        self._post = Post(self, self._network)
        self._conductor = Conductor(
            life, self._post, PATIENCE, Silent(), self._note, started=lambda _pid: self._local
        )
        self.optimiser = VirtualOptimiser(
            self,
            life.history,
            self.witness,
            self._conductor.optimiser_replied,
            self._conductor.optimiser_failed,
        )
        self.prepare(self.optimiser)
        self._conductor.inbox.leave(first)
        self._front_desk = FrontDesk(
            life, self._desk, self._conductor.inbox, note=lambda sentence: self._note("warning", sentence)
        )
        self._front_desk.take_up_left(self._front_desk.judge_left(self._desk.waiting(), [first]))
        if self._spec.evaluation.evaluator == PERSON:
            self._conductor.inbox.leave(WorkerJoined(at=life.clock.now(), worker=PERSON, slots=1, local=True))
        self._turn(first=True)

    def _begin(self) -> tuple[Event, Life]:
        scheduler = self.witness.new_scheduler(policy_of(self._spec))
        journal = JournalWriter.create(FOLDER.journal, "virtual", self._disk)
        self.witness.begun_anew()
        started = first_event(self._spec, FOLDER.name, "noon", {})
        history = OptimiserHistory([])
        return started, Life(FOLDER, self._spec, scheduler, history, journal, Clock(0.0, self.monotonic))

    def _take_over(self) -> tuple[Event, Life | None]:
        replay = self._replayed()
        self.witness.recovered(bytes(self._machine.names[FOLDER.journal].visible))
        if replay.scheduler.state.phase is Phase.FINISHED:
            for sentence in take_up_amendments(FOLDER, replay, self._desk, self._disk):
                self.world.note("amended after its end: %s", sentence)
            replay = self._replayed()
        state = replay.scheduler.state
        resumed = RunResumed(at=state.at, wall="later", approves_again=True)
        if state.phase is Phase.WAITING:
            # It died before its first event was safe: a person would start it again.
            del self._machine.names[FOLDER.journal]
            return self._begin()
        if not replay.scheduler.state.resumable:
            return resumed, None
        journal = JournalWriter(
            FOLDER.journal, length=replay.reader.length, next_number=replay.reader.lines, disk=self._disk
        )
        clock = Clock(state.at, self.monotonic)
        return resumed, Life(FOLDER, self._spec, replay.scheduler, replay.history, journal, clock)

    def _replayed(self) -> Replay:
        replay = Replay(
            self._spec,
            self.witness.new_scheduler(policy_of(self._spec)),
            JournalReader(FOLDER.journal, self._disk),
            OptimiserHistory([]),
        )
        replay.catch_up()
        return replay

    def _note(self, level: str, sentence: str) -> None:
        self.world.note("%s says (%s): %s", self.name, level, sentence)

    # -- what its loop would do -------------------------------------------------------------------------

    def wake(self) -> None:
        """Something came."""
        if not self._woken and self.alive:
            self._woken = True
            self.world.after(0.0, self.do, self._wake)

    def _wake(self) -> None:
        self._woken = False
        if not self._turning:
            self._turn()

    def settle(self) -> None:
        if self._conductor is not None and self._conductor.inbox and not self._turning:
            self.wake()

    def _turn(self, *, first: bool = False) -> None:
        assert self._conductor is not None
        turn = self._conductor.gather()
        if turn.to_perform:
            self._turning = True
            delay = self._machine.delay_s * self.world.chance.random()
            self.world.after(delay, self.do, self._commit, turn, first)

    def _commit(self, turn: Turn, first: bool) -> None:
        """The journal's thread; what came meanwhile is the next turn's."""
        assert self._conductor is not None
        assert self._journal is not None
        assert self.optimiser is not None
        try:
            self._journal.commit()
        except JournalError as error:
            self.world.note("%s gives up: %s", self.name, error)
            self.die()
            return
        self.witness.committed(bytes(self._machine.names[FOLDER.journal].visible))
        assert self._front_desk is not None
        self._front_desk.committed(turn.events)
        self._conductor.perform(turn)
        self.optimiser.send(turn.for_optimiser)
        self._turning = False
        if first:
            self._conductor.took_over()
            self.optimiser.start()
            self.world.after(TICK_S, self.do, self._tick)
            self.world.after(TICK_S, self.do, self._look_at_desk)
        if self._conductor.finished and not self._conductor.taking_stock:
            self._end()
        else:
            if self._conductor.finished and not self._ending:
                self._ending = True
                self.world.after(SECONDS_TO_TAKE_STOCK, self.do, self._end)
            self.wake()

    def _end(self) -> None:
        assert self._conductor is not None
        self._conductor.dismiss()
        self.witness.finished()
        self.world.note("%s is finished", self.name)
        self.die()

    def _tick(self) -> None:
        assert self._conductor is not None
        self._conductor.tick()
        self.world.after(TICK_S, self.do, self._tick)

    def _look_at_desk(self) -> None:
        """Another thread's: what it has found is taken up a moment later."""
        waiting = [self._rehearsed(one) for one in self._desk.waiting()]
        delay = self.world.chance.random() if waiting else 0.0
        self.world.after(delay, self.do, self._take_up, waiting)

    def _rehearsed(self, one: Waiting) -> Waiting:
        """What takes long to judge is found out in another thread, while the loop goes on."""
        if not isinstance(one.request, Amend) or not one.request.values_trials:
            return one
        before = Beforehand.of(self.witness.state)
        return replace(one, judged=rehearse(one.request, self._spec, before))

    def _take_up(self, waiting: list[Waiting]) -> None:
        assert self._front_desk is not None
        self._front_desk.take_up(waiting)
        self.world.after(TICK_S, self.do, self._look_at_desk)

    # -- what may happen to it --------------------------------------------------------------------------

    def interrupt(self, *, now: bool) -> None:
        """A person presses Ctrl-C."""
        if self._conductor is not None:
            self._conductor.stop(now=now, reason="SIGINT")

    def die(self) -> None:
        if self.alive:
            super().die()
            if self.optimiser is not None:
                self.optimiser.end()
            if self._post is not None:
                self._post.close()
            self.gone()


def _leave_as_it_is(optimiser: VirtualOptimiser) -> None:
    del optimiser


def _do_nothing() -> None:
    pass
