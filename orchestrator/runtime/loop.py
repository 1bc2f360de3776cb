"""The loop: it waits for messages, replies, signals and moments due, and takes one turn after another.

One turn: take what has come, let the scheduler handle it, make the events safe (one commit for all of
them), then perform the commands. Whatever comes during a commit is the next turn's. What a turn does is the
conductor's; here is all that waits, in tasks, threads and processes.
"""

from __future__ import annotations

import signal
import socket
from collections.abc import Sequence
from dataclasses import replace

import anyio
import anyio.lowlevel

from orchestrator.errors import OrchestratorError
from orchestrator.runtime.beside_loop import beside_loop
from orchestrator.runtime.conductor import Conductor
from orchestrator.runtime.connections.broker import Broker
from orchestrator.runtime.evaluations.edited_files import LOOKS_EVERY_S, EditedFiles
from orchestrator.runtime.evaluations.evaluating_files import words_on_changed
from orchestrator.runtime.folder.left_results import left_results
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.interrupts import StopSignals
from orchestrator.runtime.jobs.job_notes import JobNotes
from orchestrator.runtime.jobs.queued_jobs import QueuedJobs
from orchestrator.runtime.life import Life
from orchestrator.runtime.local_workers import LocalWorkers, WorkerCommand
from orchestrator.runtime.lookout import Lookout
from orchestrator.runtime.monitor import Level, Monitor
from orchestrator.runtime.optimiser.process import OptimiserProcess
from orchestrator.runtime.requests.desk import UNREAD_FOR_S, Desk, Waiting
from orchestrator.runtime.requests.front_desk import FrontDesk
from orchestrator.runtime.requests.kinds import Amend
from orchestrator.runtime.requests.rehearsal import Beforehand, rehearse
from orchestrator.runtime.run_log import RunLog
from orchestrator.scheduler.events import Event, WorkerJoined, WorkerLeft
from orchestrator.scheduler.file_events import FilesEdited
from orchestrator.scheduler.job_keeping import QueuePatience
from orchestrator.scheduler.liveness import Patience
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.system.echoed_signals import EchoedSignals
from orchestrator.system.shell_lines import shell_line
from orchestrator.wire.addresses import from_elsewhere

TICK_S = 0.2
SECONDS_TO_TAKE_STOCK = 3.0
SECONDS_TO_START_AND_TAKE_STOCK = 60.0
"""Where people compare trials, and nothing else says which is best; and where a life began for that alone."""


class Loop:
    """One life of a run. `run` returns when the run is finished, stopped, or cannot go on.

    Attributes:
        interrupted: whether a signal asked it to stop.
        circumstances: why nothing moves, if so, as far as no event says it.
    """

    def __init__(
        self,
        life: Life,
        broker: Broker,
        monitor: Monitor,
        log: RunLog,
        patience: Patience,
        queue_patience: QueuePatience,
    ) -> None:
        spec = life.spec
        self._life = life
        self._spec = spec
        self._scheduler = life.scheduler
        self._now = life.clock.now
        self._monitor = monitor
        self._log = log
        self._desk = Desk(life.folder)
        self._last_called = life.folder.path
        self.interrupted = False
        self._broker = broker
        processes = spec.workers.processes(several_slots=spec.evaluation.slots is not None)
        self._workers = LocalWorkers(
            WorkerCommand(
                address=broker.nearby,
                evaluator=spec.evaluation.evaluator,
                directory=life.folder.path / "workers",
                own=processes.own,
                slots=processes.slots,
                credentials=None if broker.gate is None else broker.gate.keyring.for_local_workers(),
            ),
            count=0 if spec.evaluation.evaluator == PERSON else processes.count,
            note=self._note,
        )
        self._local_workers_missed = False
        self._hopeless = ""
        self._last_goodbye = ""
        self._conductor = Conductor(life, broker, patience, monitor, self._note, self._workers.started)
        self._inbox = self._conductor.inbox
        self._lookout = Lookout(life, broker, self._conductor, self._note)
        self._front_desk = FrontDesk(
            life, self._desk, self._inbox, note=lambda sentence: self._note("warning", sentence)
        )
        self.circumstances = self._conductor.circumstances
        self._jobs = self._queued_jobs(queue_patience)
        self._optimiser = OptimiserProcess(
            lambda: life.whereabouts().path,
            life.history,
            on_reply=self._conductor.optimiser_replied,
            on_note=lambda sentence: self._note("warning", sentence),
            on_failure=self._conductor.optimiser_failed,
        )

    async def run(self, first: Sequence[Event]) -> None:
        """Handle ``first``, then whatever comes, to the end. Raises `JournalError` if the disk gives up.

        Signals wait from before the first event is safe, and are ignored once all has come to its end.
        """
        with StopSignals() as signals:
            await self._run(first, signals)
        if self._hopeless:
            raise OrchestratorError(self._hopeless)

    async def _run(self, first: Sequence[Event], signals: StopSignals) -> None:
        async with anyio.create_task_group() as tasks:
            await self._take_over(first)
            tasks.start_soon(self._optimiser.run, self._log.file)
            tasks.start_soon(self._watch_signals, signals)
            tasks.start_soon(self._tick)
            tasks.start_soon(self._take_requests)
            if self._scheduler.state.evaluated_by:
                tasks.start_soon(self._look_at_files)
            waits_long = self._conductor.finished or self._scheduler.state.policy.results.compared
            if not self._conductor.finished:
                self._workers.start(tasks, self._log.file)
                if self._jobs is not None:
                    tasks.start_soon(self._jobs.run)
            to_wait_s = SECONDS_TO_START_AND_TAKE_STOCK if waits_long else SECONDS_TO_TAKE_STOCK
            try:
                while not self._conductor.finished:
                    await self._turn_or_wait()
                with anyio.move_on_after(to_wait_s):
                    while self._conductor.taking_stock:
                        await self._turn_or_wait()
            finally:
                # Where the run breaks off, others' workers go on, and deliver when it is resumed.
                if self._conductor.finished:
                    self._conductor.dismiss()
                    self._optimiser.finish()
                    # The last tick may be before the last words, and processes may take seconds to end.
                    self._monitor.ticked(self._scheduler.state, self._now())
                await self._workers.end()
                await self._end_jobs()
            tasks.cancel_scope.cancel()

    def _queued_jobs(self, patience: QueuePatience) -> QueuedJobs | None:
        if (section := self._spec.workers.jobs) is None:
            return None
        notes = JobNotes(
            say=self._note,
            log=self._log.write,
            outputs=self._life.folder.path.absolute() / "jobs",
            patience=patience,
        )
        address = from_elsewhere(self._broker.address, socket.gethostname())
        return QueuedJobs(self._life, section, address, notes, self._inbox, self.circumstances)

    async def _end_jobs(self) -> None:
        """What waits in the queue is taken back where the run has come to its end, and that is on disk."""
        if self._jobs is None:
            return
        with anyio.CancelScope(shield=True):
            if not self._conductor.finished:
                await self._jobs.end(take_back=False)
                return
            # A job that was asked for at the last moment is heard of before it is refused.
            await self._turn()
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._jobs.take_back)
                while not self._jobs.over:
                    # Queues take their time, and whoever leaves meanwhile is not lost.
                    await self._turn()
                    await anyio.sleep(TICK_S)
            await self._turn()
            # Other jobs may have begun meanwhile.
            self._conductor.dismiss()

    async def _take_over(self, first: Sequence[Event]) -> None:
        """All that is known before anybody is heard, in the first turn."""
        for event in first:
            self._inbox.leave(event)
        self._lookout.see_which_day_it_is()
        left = await beside_loop(self._desk.waiting)
        judged = await beside_loop(self._front_desk.judge_left, left, first)
        self._front_desk.take_up_left(judged)
        run = self._scheduler.state.started.run
        for worker, result in await beside_loop(left_results, self._life.folder.path / "workers", run):
            self._conductor.found(worker, result)
        if self._spec.evaluation.evaluator == PERSON:
            # Who does the experiment is as local as can be: what they had in hand is handed out again.
            slots = max(1, self._spec.workers.local)
            self._inbox.leave(WorkerJoined(at=self._now(), worker=PERSON, slots=slots, local=True))
        # On disk before any process is started on its account.
        await self._turn()
        self._conductor.took_over()

    async def _turn_or_wait(self) -> None:
        """Whatever was sent in a turn may have swallowed the signal of what came meanwhile, so the socket is
        found empty before it is waited for.
        """
        if not await self._turn():
            await self._inbox.wait(self._broker.descriptor)

    def _miss_local_workers(self) -> None:
        """None of our workers can evaluate: unless others are there, nothing would ever come of the run."""
        if self._local_workers_missed or not self._workers.all_given_up:
            return
        there = self._scheduler.state.crew.workers.values()
        if there and all(worker.local for worker in there):
            # Their processes have ended, and what they said of it is still on its way.
            return
        self._local_workers_missed = True
        if there or self._conductor.finished:
            return
        why = self._last_goodbye or f"see {self._log.path}"
        self._hopeless = (
            f"expected local workers that can evaluate {self._spec.evaluation.evaluator}, and all "
            f"{self._workers.count} ended: {why}. If that is the spec's, mend it and run it anew; if it "
            f"is the evaluator's or the machine's, mend that, then: "
            f"{shell_line('resume', self._life.whereabouts().path)}"
        )
        self._conductor.stop(now=True, reason="no local worker can evaluate")

    async def _turn(self) -> bool:
        """One turn; whether anything had come."""
        shut_out = self._broker.shut_out
        turn = self._conductor.gather()
        # Behind what is shut out there may be more.
        anything = turn.anything or self._broker.shut_out > shut_out
        if turn.to_perform:
            for event in turn.events:
                if isinstance(event, WorkerLeft) and not event.lost:
                    self._last_goodbye = event.reason or self._last_goodbye
            await beside_loop(self._life.journal.commit)
            self._front_desk.committed(turn.events)
            self._conductor.perform(turn)
            if self._jobs is not None:
                self._jobs.handled(turn.events)
                self._jobs.take(turn.commands)
            self._optimiser.send(turn.for_optimiser)
        elif anything:
            # Whoever sends without a pause must not keep signals, replies and moments due from their turn.
            await anyio.lowlevel.checkpoint()
        return anything

    # -- what the tasks beside the loop have to say -----------------------------------------------------

    def _note(self, level: Level, sentence: str) -> None:
        self._log.write(level, sentence)
        self._monitor.noted(level, sentence)

    async def _watch_signals(self, signals: StopSignals) -> None:
        twice, echoed = False, EchoedSignals()
        while True:
            number = await signals.next()
            if twice or echoed.is_echo(number, anyio.current_time()):
                continue
            twice = again = self.interrupted
            self.interrupted = True
            name = signal.Signals(number).name
            # Nobody is waited for who may come back tomorrow.
            now = again or self._spec.evaluation.evaluator == PERSON
            how = "now" if now else "when what runs has finished (again to stop now)"
            self._note("info", f"{name}: stopping {how}")
            self._conductor.stop(now=now, reason=name)

    async def _take_requests(self) -> None:
        forget_at = anyio.current_time()
        while True:
            if anyio.current_time() >= forget_at:
                forget_at += UNREAD_FOR_S
                await beside_loop(self._desk.forget_unread)
            await anyio.sleep(TICK_S)
            self._front_desk.take_up(await self._look_at_desk())

    async def _look_at_desk(self) -> list[Waiting]:
        """What lies there and is new, with all found out in threads that takes long to judge it by."""
        folder = await beside_loop(self._life.whereabouts)
        self._say_renamed(folder)
        waiting = list(self._front_desk.new_among(await beside_loop(Desk(folder).waiting)))
        for place, one in enumerate(waiting):
            if isinstance(one.request, Amend):
                before = Beforehand.of(self._scheduler.state)
                judged = await beside_loop(rehearse, one.request, self._spec, before)
                waiting[place] = replace(one, judged=judged)
        return waiting

    def _say_renamed(self, folder: RunFolder) -> None:
        if folder.path == self._last_called:
            return
        self._last_called = folder.path
        self._note(
            "warning",
            f"the run's folder is called {folder.path} now: requests are taken from there; what local "
            f"workers keep still goes to {self._life.folder.path}, until the run is stopped and resumed",
        )

    async def _look_at_files(self) -> None:
        state, known = self._scheduler.state, self._scheduler.state.evaluated_by
        files = await beside_loop(EditedFiles, self._spec, known)
        ended_before = state.tally.completed + state.tally.failed
        while not self._conductor.finished:
            await anyio.sleep(LOOKS_EVERY_S)
            ended = state.tally.completed + state.tally.failed - ended_before
            if changed := await beside_loop(files.edited, state.evaluated_by, ended):
                folder = self._life.whereabouts().path
                self._note("warning", words_on_changed(changed, folder, meanwhile=True))
                self._inbox.leave(FilesEdited(at=self._now(), changed=changed))

    async def _tick(self) -> None:
        while True:
            self._lookout.look_at_clocks()
            self._conductor.tick()
            self._miss_local_workers()
            self._lookout.look_for_workers()
            await anyio.sleep(TICK_S)
