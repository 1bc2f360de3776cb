"""The loop: messages in, events to the scheduler, events to disk, commands out. It alone touches either.

One turn: take what has come, let the scheduler handle it, make the events safe (one commit for all of
them), then perform the commands. Whatever comes during a commit is the next turn's.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import anyio
import anyio.to_thread

from orchestrator.numerics.rng import derive_seed
from orchestrator.runtime.broker import Broker
from orchestrator.runtime.inbox import Inbox
from orchestrator.runtime.journal import JournalWriter
from orchestrator.runtime.local_workers import LocalWorkers, WorkerCommand
from orchestrator.runtime.monitor import Monitor
from orchestrator.runtime.optimiser_messages import Answer, RefitBegun, RefitDone, RefitFailed, Reply
from orchestrator.runtime.optimiser_process import OptimiserProcess
from orchestrator.runtime.recover import OptimiserHistory
from orchestrator.runtime.requests import PERSON, Desk, Verdict, decide, sentence_for
from orchestrator.runtime.run_folder import RunFolder
from orchestrator.runtime.run_log import RunLog
from orchestrator.runtime.sessions import Assignment, Sessions
from orchestrator.scheduler.commands import (
    Acknowledge,
    AdoptRefit,
    Ask,
    CancelLease,
    Command,
    Evaluate,
    FinishRun,
    Tell,
)
from orchestrator.scheduler.events import (
    Event,
    OptimiserFailed,
    RefitFinished,
    StopRequested,
    SuggestionsMade,
    TimeRanOut,
    TrialFoundHopeless,
    WorkerJoined,
    WorkerLeft,
)
from orchestrator.scheduler.liveness import Liveness, Patience
from orchestrator.scheduler.machine import Scheduler
from orchestrator.spec.model import Spec
from orchestrator.wire import messages as wire

TICK_S = 0.2


@dataclass(slots=True)
class Clock:
    """Seconds since the run began, over all its lives; a life begins where the last one was heard of."""

    offset: float = 0.0
    _begun: float = field(default_factory=time.monotonic)

    def now(self) -> float:
        """The time of an event that happens now."""
        return self.offset + time.monotonic() - self._begun


@dataclass(frozen=True, slots=True)
class Life:
    """What a life of a run starts from: its folder and spec, and what the journal rebuilt."""

    folder: RunFolder
    spec: Spec
    scheduler: Scheduler
    history: OptimiserHistory
    journal: JournalWriter
    clock: Clock


class Loop:
    """One life of a run. `run` returns when the run is finished, stopped, or cannot go on.

    Attributes:
        interrupted: whether a signal asked it to stop.
    """

    def __init__(self, life: Life, broker: Broker, monitor: Monitor, log: RunLog, patience: Patience) -> None:
        spec = life.spec
        self._life = life
        self._spec = spec
        self._scheduler = life.scheduler
        self._history = life.history
        self._journal = life.journal
        self._now = life.clock.now
        self._monitor = monitor
        self._log = log
        self._inbox: Inbox[Event] = Inbox()
        self._finished = False
        self._desk = Desk(life.folder)
        self._requested: dict[int, tuple[Path, str]] = {}
        self.interrupted = False
        self._liveness = Liveness(timeout_s=spec.evaluation.timeout_s, patience=patience)
        self._broker = broker
        self._workers = LocalWorkers(
            WorkerCommand(
                address=broker.address,
                evaluator=spec.evaluation.evaluator,
                directory=life.folder.path / "workers",
            ),
            count=0 if spec.evaluation.evaluator == PERSON else spec.workers.local,
            note=lambda sentence: self._note("warning", sentence),
        )
        self._sessions = Sessions(
            Assignment(
                run=self._scheduler.state.run or life.folder.name,
                experiment=spec.experiment,
                evaluator=spec.evaluation.evaluator,
                options=dict(spec.evaluation.options),
                parameters=list(spec.parameters),
                factors=None if spec.factors is None else len(spec.factors),
                heartbeat_s=patience.heartbeat_s,
            ),
            liveness=self._liveness,
            send=self._broker.send,
            note=lambda sentence: self._note("warning", sentence),
            progressed=self._progressed,
            local=self._workers.started,
        )
        self._optimiser = OptimiserProcess(
            life.folder.path,
            life.history,
            on_reply=self._replied,
            on_note=lambda sentence: self._note("warning", sentence),
            on_failure=lambda message: self._inbox.leave(OptimiserFailed(at=self._now(), message=message)),
        )

    async def run(self, first: Sequence[Event]) -> None:
        """Handle ``first``, then whatever comes, to the end. Raises `JournalError` if the disk gives up."""
        async with anyio.create_task_group() as tasks:
            for event in first:
                self._inbox.leave(event)
            if self._spec.evaluation.evaluator == PERSON:
                # Who does the experiment is as local as can be: what they had in hand is handed out again.
                slots = max(1, self._spec.workers.local)
                self._inbox.leave(WorkerJoined(at=self._now(), worker=PERSON, slots=slots, local=True))
            # On disk before any process is started on its account.
            await self._turn()
            self._liveness.resumed(self._scheduler.state, self._now())
            tasks.start_soon(self._optimiser.run, self._log.file)
            tasks.start_soon(self._watch_signals)
            tasks.start_soon(self._tick)
            tasks.start_soon(self._take_requests)
            self._workers.start(tasks, self._log.file)
            try:
                while not self._finished:
                    # Whatever was sent in a turn may have swallowed the signal of what came meanwhile, so
                    # the socket is found empty before it is waited for.
                    if not await self._turn():
                        await self._inbox.wait(self._broker.descriptor)
            finally:
                # Where the run breaks off, others' workers go on, and deliver when it is resumed.
                if self._finished:
                    for peer in self._sessions.everyone():
                        self._broker.send(peer, wire.Drain(now=True))
                await self._workers.end()
            tasks.cancel_scope.cancel()

    async def _turn(self) -> bool:
        """One turn; whether anything had come."""
        # First what was left: a worker that was lost before this turn may be back in it.
        events = self._inbox.take()
        received = self._broker.receive()
        now = self._now()
        for message in received:
            event = self._sessions.take(message, now)
            if event is not None:
                events.append(event)
        if not events:
            return bool(received)
        commands: list[Command] = []
        for event in events:
            commands.extend(self._scheduler.handle(event))
            if isinstance(event, WorkerJoined):
                self._believe(event, now)
        self._journal.append(events)
        await anyio.to_thread.run_sync(self._journal.commit)
        # Not before: a process that was started during the commit has been told the history already.
        for event in events:
            if isinstance(event, SuggestionsMade):
                self._history.answered(event.ask)
        self._history.note(commands)
        for event in events:
            self._monitor.observed(event, self._scheduler.state)
            if self._requested and (request := self._requested.pop(id(event), None)) is not None:
                path, sentence = request
                self._desk.answer(path, Verdict(True, sentence))
        for command in commands:
            self._perform(command)
        self._optimiser.send(
            [command for command in commands if isinstance(command, Ask | Tell | AdoptRefit)]
        )
        return True

    def _believe(self, event: WorkerJoined, now: float) -> None:
        worker = self._scheduler.state.workers.get(event.worker)
        if worker is not None:
            self._liveness.believed(event.worker, list(worker.running), event.held, now)

    # -- commands -------------------------------------------------------------------------------------

    def _perform(self, command: Command) -> None:
        match command:
            case Evaluate():
                self._evaluate(command)
            case Acknowledge():
                self._liveness.ended(command.lease, command.worker)
                self._send(command.worker, wire.Acknowledge(lease=command.lease, counted=command.counted))
            case CancelLease():
                self._liveness.ended(command.lease, command.worker)
                self._send(command.worker, wire.Cancel(lease=command.lease, reason=command.reason))
            case FinishRun():
                self._finished = True
            case Ask() | Tell() | AdoptRefit():
                # The optimiser gets all of a turn at once.
                pass

    def _evaluate(self, command: Evaluate) -> None:
        if command.worker == PERSON:
            self._note("info", f"trial {command.trial} is yours: record it when it is done")
            return
        now = self._now()
        self._liveness.granted(command.lease, command.worker, now)
        sent = self._send(
            command.worker,
            wire.Evaluate(
                run=self._scheduler.state.run,
                lease=command.lease,
                trial=command.trial,
                attempt=command.attempt,
                parameters=dict(command.parameters),
                # The same for every attempt: a trial that is repeated sees the same noise.
                seed=derive_seed(self._spec.seed, "evaluation", command.trial),
                timeout_s=self._spec.evaluation.timeout_s,
            ),
        )
        if not sent:
            self._lose(WorkerLeft(at=now, worker=command.worker, lost=False, reason="its connection is gone"))

    def _lose(self, event: WorkerLeft) -> None:
        """A worker is gone: whoever speaks over its connection from now on must say hello again."""
        self._sessions.lost(event.worker)
        self._inbox.leave(event)

    def _send(self, worker: str, message: wire.FromOrchestrator) -> bool:
        peer = self._sessions.peer_of(worker)
        return peer is not None and self._broker.send(peer, message)

    # -- what the tasks beside the loop have to say -----------------------------------------------------

    def _replied(self, reply: Reply) -> None:
        now = self._now()
        match reply:
            case Answer():
                self._inbox.leave(
                    SuggestionsMade(
                        at=now,
                        ask=reply.ask,
                        suggestions=tuple(reply.suggestions),
                        seconds=reply.seconds,
                        insight=reply.insight,
                    )
                )
            case RefitDone():
                self._inbox.leave(
                    RefitFinished(
                        at=now,
                        number=reply.number,
                        observations=reply.observations,
                        payload=reply.payload,
                        seconds=reply.seconds,
                    )
                )
            case RefitBegun():
                self._note("info", f"refit {reply.number} begins, from {reply.observations} values")
            case RefitFailed():
                self._note("warning", f"refit {reply.number} failed ({reply.message}); the model goes on")
            case _:
                pass

    def _progressed(self, progress: wire.Progress) -> None:
        self._monitor.progressed(progress.lease, progress.step, progress.values)
        rule = self._spec.evaluation.stop_when
        reason = "" if rule is None else rule.reason(progress.step, progress.values)
        if reason:
            self._inbox.leave(TrialFoundHopeless(at=self._now(), lease=progress.lease, reason=reason))

    def _note(self, level: Literal["info", "warning", "error"], sentence: str) -> None:
        self._log.write(level, sentence)
        self._monitor.noted(level, sentence)

    async def _watch_signals(self) -> None:
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for number in signals:
                again = self.interrupted
                self.interrupted = True
                name = signal.Signals(number).name
                how = "now" if again else "when what runs has finished (again to stop now)"
                self._note("info", f"{name}: stopping {how}")
                # Nobody is waited for who may come back tomorrow.
                now = again or self._spec.evaluation.evaluator == PERSON
                self._inbox.leave(StopRequested(at=self._now(), now=now, reason=name))

    async def _take_requests(self) -> None:
        while True:
            await anyio.sleep(TICK_S)
            for waiting in await anyio.to_thread.run_sync(self._desk.waiting):
                if any(path == waiting.path for path, _ in self._requested.values()):
                    continue
                if waiting.request is None:
                    self._desk.answer(waiting.path, Verdict(False, waiting.complaint))
                    continue
                decided = decide(waiting.request, self._scheduler.state, self._now())
                if isinstance(decided, Verdict):
                    self._desk.answer(waiting.path, decided)
                else:
                    # Answered, and removed, when the event is on disk.
                    self._requested[id(decided)] = waiting.path, sentence_for(waiting.request)
                    self._inbox.leave(decided)

    async def _tick(self) -> None:
        limit = self._spec.budget.time_s
        out_of_time = False
        while True:
            now = self._now()
            for event in self._liveness.expired(now):
                if isinstance(event, WorkerLeft):
                    self._lose(event)
                else:
                    self._inbox.leave(event)
            if limit is not None and now >= limit and not out_of_time:
                out_of_time = True
                self._inbox.leave(TimeRanOut(at=now))
            self._monitor.ticked(self._scheduler.state, now)
            await anyio.sleep(TICK_S)
