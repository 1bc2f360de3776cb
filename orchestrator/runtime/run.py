"""A run from start to end: make or open its folder, bring the scheduler up to date, let the loop go."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import anyio
import zmq

from orchestrator.errors import JournalError, OrchestratorError, RunLockedError
from orchestrator.runtime.child_watching import watch_children_without_threads
from orchestrator.runtime.connections.broker import Broker
from orchestrator.runtime.connections.descriptors import refuse_too_few, room_for_connections
from orchestrator.runtime.connections.gate import Gate
from orchestrator.runtime.connections.keyring import Keyring
from orchestrator.runtime.evaluations.evaluating_files import (
    changed_files,
    evaluating_files,
    words_on_changed,
)
from orchestrator.runtime.farewell import let_go
from orchestrator.runtime.folder.begun_spec import put_spec_back, refuse_if_edited
from orchestrator.runtime.folder.journal import JournalWriter
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.interrupts import interrupts_as_before
from orchestrator.runtime.life import Clock, Life
from orchestrator.runtime.loop import Loop
from orchestrator.runtime.monitor import Level, Monitor, Opening
from orchestrator.runtime.recovery.recover import OptimiserHistory, Replay
from orchestrator.runtime.requests.left_amendments import refuse_if_not_begun, take_up_amendments
from orchestrator.runtime.results.first_event import first_event
from orchestrator.runtime.run_log import RunLog
from orchestrator.runtime.unattended import unattended_s
from orchestrator.scheduler.events import Event, RunResumed
from orchestrator.scheduler.job_keeping import QueuePatience
from orchestrator.scheduler.liveness import Patience
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase
from orchestrator.spec.load import LoadedSpec
from orchestrator.spec.model import Spec
from orchestrator.spec.policy_of_spec import policy_of
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.system.path_text import refuse_unsayable
from orchestrator.system.waitable_children import refuse_unwaitable
from orchestrator.version import __version__
from orchestrator.wire.addresses import why_hidden


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Who watches, under which folder new runs lie, and how long silence is borne, a queue's as well.

    ``check`` is asked before a run begins or goes on, and raises `OrchestratorError` where it had better not.
    ``process_ends``: what is left to this process is to say how the run ended, and signals stay ignored.
    """

    monitor: Monitor
    logs: Path = Path("logs")
    patience: Patience = field(default_factory=Patience)
    queue_patience: QueuePatience = field(default_factory=QueuePatience)
    check: Callable[[Spec], None] = lambda _: None
    process_ends: bool = False

    def afterwards(self) -> AbstractContextManager[None]:
        """To be entered for a run: what becomes of signals after it."""
        return nullcontext() if self.process_ends else interrupts_as_before()


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """How a life of a run ended. ``failed``: not of its own will, and ``message`` says why.

    ``folder`` is as it is called at the end. ``moved``: it is not there any more, and nobody knows where.
    ``taken_over``: another machine has the run by now.
    """

    folder: Path
    state: State
    interrupted: bool
    failed: bool
    message: str
    moved: bool = False
    taken_over: bool = False


def run_experiment(loaded: LoadedSpec, options: RunOptions) -> RunOutcome:
    """Start a run and see it through. Raises `OrchestratorError` for what a person can mend."""
    spec = loaded.spec
    options.check(spec)
    _refuse_nodes_without_keys(spec)
    with options.afterwards(), room_for_connections(), ExitStack() as held:
        broker = _open_broker(spec, held)
        refuse_unsayable(options.logs, "name another: orchestrator run SPEC --logs DIR")
        now = datetime.now().astimezone()
        folder = RunFolder.create(options.logs, spec.experiment, now)
        lock = held.enter_context(folder.lock())
        folder.write_spec(loaded.text)
        software = f"orchestrator {__version__}"
        journal = JournalWriter.create(
            folder.journal, software, spec=loaded.text, guard=lock.refuse_if_taken_over
        )
        held.callback(journal.close)
        held.enter_context(folder.hold_journal())
        life = Life(folder, spec, Scheduler(policy_of(spec)), OptimiserHistory([]), journal, Clock())
        started = first_event(spec, folder.name, now.isoformat(timespec="seconds"), evaluating_files(spec))
        return _live(life, broker, options, [started])


def resume_experiment(folder: RunFolder, options: RunOptions) -> RunOutcome:
    """Take a run over where its journal ends. Raises `OrchestratorError` for what a person can mend."""
    with options.afterwards(), room_for_connections(), ExitStack() as held:
        refuse_unsayable(folder.path, "rename it")
        lock = held.enter_context(folder.lock())
        left_at = os.fstat(held.enter_context(folder.hold_journal()).fileno()).st_mtime
        refuse_if_edited(folder)
        replay, amended = Replay.of(folder), list[str]()
        replay.catch_up()
        if replay.scheduler.state.phase is Phase.FINISHED:
            replay, amended = _amended_after_its_end(folder, replay)
        state = replay.scheduler.state
        notes = [f"lost when the journal was mended: {sentence}" for sentence in state.amended.lost]
        # It may have died before its first event was safe.
        refuse_if_not_begun(folder, state)
        if state.resumable or replay.history.wants_stock:
            options.check(replay.spec)
            journal = JournalWriter(
                folder.journal,
                length=replay.reader.length,
                next_number=replay.reader.lines,
                guard=lock.refuse_if_taken_over,
            )
            held.callback(journal.close)
            clock = Clock(offset=state.at)
            now = datetime.now().astimezone()
            changed = changed_files(replay.spec, state.evaluated_by, left_at)
            resumed = RunResumed(
                at=state.at,
                wall=now.isoformat(timespec="seconds"),
                # What a person does goes on without us.
                approves_again=replay.spec.evaluation.evaluator != PERSON,
                unattended_s=unattended_s(state, now),
                changed=changed,
            )
            life = Life(folder, replay.spec, replay.scheduler, replay.history, journal, clock)
            told: list[tuple[Level, str]] = [("info", sentence) for sentence in (*notes, *amended)]
            if words := words_on_changed(changed, folder.path):
                told.append(("warning", words))
            return _live(life, _open_broker(replay.spec, held), options, [resumed], told)
    return RunOutcome(folder.path, state, interrupted=False, failed=False, message=state.end.why)


def _amended_after_its_end(folder: RunFolder, replay: Replay) -> tuple[Replay, list[str]]:
    """Amendments, and comparisons, that were left for a run that has ended, and what is to be said of them:
    it may have something to do again.
    """
    sentences = list(take_up_amendments(folder, replay))
    if not sentences:
        return replay, []
    again = Replay.of(folder)
    again.catch_up()
    return again, sentences


def _refuse_nodes_without_keys(spec: Spec) -> None:
    """Said before anything is started, as it is of workers. Raises `KeyFileError`."""
    nodes = spec.algorithm.options.get("nodes")
    if isinstance(nodes, Mapping) and nodes.get("keys") is not None:
        Keyring(Path(nodes["keys"])).server()


def _open_broker(spec: Spec, held: ExitStack) -> Broker:
    if spec.workers.local:
        refuse_unwaitable()
    refuse_too_few(spec.workers.local)
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    held.callback(let_go, context.term)
    gate = None
    if spec.workers.keys is not None:
        gate = Gate(context, Keyring(Path(spec.workers.keys)))
        held.callback(gate.close)
    broker = Broker(context, spec.workers.listen, gate)
    held.callback(broker.close)
    return broker


def _live(
    life: Life,
    broker: Broker,
    options: RunOptions,
    first: Sequence[Event],
    notes: Sequence[tuple[Level, str]] = (),
) -> RunOutcome:
    log = RunLog(life.folder.log)
    resumed = isinstance(first[0], RunResumed)
    failure: BaseException | None = None
    state = life.scheduler.state
    loop = Loop(life, broker, options.monitor, log, options.patience, options.queue_patience)
    log.write("info", f"run {life.folder.name} {'resumed' if resumed else 'started'}, at {broker.address}")
    options.monitor.opened(Opening(life.spec, life.folder.path, broker.address, resumed, loop.circumstances))
    told = list(notes)
    if hidden := why_hidden(life.spec.workers.listen, broker.address):
        told.append(("warning", hidden))
    for level, sentence in told:
        # Not before: nobody is there to say it to, or it stands above the words that it belongs under.
        options.monitor.ticked(state, state.at)
        options.monitor.noted(level, sentence)
    watch_children_without_threads()
    try:
        try:
            anyio.run(loop.run, first)
        except* OrchestratorError as group:
            failure = _first(group)
            log.write("error", str(failure))
        if isinstance(failure, RunLockedError):
            with suppress(OrchestratorError):
                state = _state_on_disk(life.folder)
        if isinstance(failure, JournalError):
            # Where the folder was deleted and could not be put back, there is nothing else to tell of.
            with suppress(OrchestratorError):
                folder = life.whereabouts()
                put_spec_back(folder)
                state = _state_on_disk(folder)
    finally:
        options.monitor.closed(state)
        log.close()
    failed = failure is not None or state.end.badly
    message = state.end.message if failure is None else str(failure)
    found = life.found()
    path = (found or life.folder).path
    taken_over = isinstance(failure, RunLockedError)
    return RunOutcome(path, state, loop.interrupted, failed, message, found is None, taken_over)


def _state_on_disk(folder: RunFolder) -> State:
    """What was handled, but is not on the disk, has not happened."""
    replay = Replay.of(folder)
    replay.catch_up()
    return replay.scheduler.state


def _first(group: BaseExceptionGroup[OrchestratorError]) -> BaseException:
    inner: BaseException = group
    while isinstance(inner, BaseExceptionGroup):
        inner = inner.exceptions[0]
    return inner
