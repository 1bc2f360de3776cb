"""One place for an evaluation: its child process, its task, and when the child has to be killed.

Nothing here waits. The worker calls in when the child wrote, when a child has ended, or when the moment
named by `due` has come, and is handed events.
"""

from __future__ import annotations

import math
import signal
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

import msgspec

from evaluators.child_process import pipe
from evaluators.worker_process.child_ending import LOAD_LIMIT_S, ChildEnding, Ending
from evaluators.worker_process.process import ChildProcess
from evaluators.worker_process.slot_events import Event, Finished, Reported, Unloadable
from evaluators.worker_process.slot_parts import Child, Output, Workload
from orchestrator.programs.command_evaluator import COMMAND_EVALUATOR
from orchestrator.system.refused_start import START_AGAIN_AFTER_S, could_not_be_started
from orchestrator.wire.codec import encode
from orchestrator.wire.messages import Evaluate, Failure, FailureKind


class Slot:
    """At most one evaluation at a time.

    ``grace_s``: seconds between SIGTERM and SIGKILL; ``say`` takes sentences for people; ``start`` starts a
    child that prints to a descriptor, and raises `OSError` where the system has no process for it; ``told``
    is what is said of what its evaluations have of their own.
    """

    def __init__(
        self,
        output: Output,
        grace_s: float,
        say: Callable[[str], None],
        start: Callable[[int], Child] = ChildProcess,
        told: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._output = output
        self._grace_s = grace_s
        self._say = say
        self._start_child = start
        self._told = dict(told)
        self._child: Child | None = None
        self._workload: Workload | None = None
        self._child_workload: Workload | None = None
        self._next_workload: Workload | None = None
        self._frame = b""
        self._loaded = False
        self._ever_loaded = False
        self._first = True
        self._begun = False
        self._closing = False
        self._started = 0.0
        self._given = 0.0
        self._refused = ""
        self._no_room = ""
        self._waits_for_room = False
        self._ending: Ending = ""
        self.task: Evaluate | None = None
        self.due = math.inf
        """The moment (monotonic seconds) at which `on_time` must be called."""

    @property
    def free(self) -> bool:
        """Whether a task can be given."""
        return self.task is None and not self._ending and self._workload is not None

    @property
    def alive(self) -> bool:
        """Whether there is a child process."""
        return self._child is not None

    @property
    def responses(self) -> int:
        """The descriptor to watch for what the child writes; -1 if there is none."""
        return -1 if self._child is None or self._child.silent else self._child.responses

    @property
    def requests(self) -> int:
        """The pipe to its child in which something waits for room; -1 if nothing does."""
        return -1 if self._child is None else self._child.requests

    def on_writable(self) -> None:
        """The pipe to its child takes more."""
        if self._child is not None:
            self._child.flush()

    def prepare(self, workload: Workload, now: float) -> None:
        """Have a child that has loaded the workload; a task that is here is evaluated first, with its own."""
        if self.task is not None:
            self._next_workload = workload
            return
        if workload != self._workload:
            self._workload = workload
            self._ever_loaded = False
            if self._child is not None:
                self.stop("stop", now)
        if self._child is None:
            self._start(now)

    def begin(self, task: Evaluate, frame: bytes, now: float) -> None:
        """Evaluate. ``frame`` is the task as it came from the wire."""
        self.task = task
        self._frame = frame
        self._given = now
        self._begun = False
        if self._child is None:
            self._start(now)
        elif self._loaded:
            self._send_task(now)

    def cancel(self, now: float) -> None:
        """Give the task up; nothing more is said about it."""
        if self._begun:
            self.stop("cancel", now)
            return
        self.task = None
        self._take_up_next_workload()
        if self._waits_for_room:
            self._waits_for_room, self.due = False, math.inf

    def stop(self, why: Ending, now: float) -> None:
        """End the child: SIGTERM to its whole process group now, SIGKILL after the grace."""
        if self._child is not None and not self._ending:
            self._ending = why
            self._waits_for_room = False
            self.due = now + self._grace_s
            self._child.signal(signal.SIGTERM)

    def dismiss(self, now: float) -> None:
        """Let an idle child end by itself, and stop one that is busy or loading; none is started again."""
        self._closing = True
        if self.task is not None:
            self.stop("cancel", now)
        elif not self._loaded:
            self.stop("stop", now)
        elif self._child is not None and not self._ending:
            self._ending = "stop"
            self.due = now + self._grace_s
            self._child.dismiss()

    def kill(self) -> None:
        """End the child at once, with all that it started."""
        self._closing = True
        if self._child is not None:
            self._child.reap()
            self._child = None

    def close(self) -> None:
        """Kill the child if there is one, and delete the output file."""
        self.kill()
        self._output.close()

    def on_readable(self, now: float) -> list[Event]:
        """Take what the child wrote."""
        if self._child is None:
            return []
        events = self._take(self._child.receive(), now)
        if self._child.silent and not self._child.has_ended():
            # It closed the pipe and runs on, or is ending just now.
            self._ending = self._ending or "silent"
            self.due = min(self.due, now + self._grace_s)
        return events

    def on_time(self, now: float) -> list[Event]:
        """Act on the moment that has come: the end of the timeout, or of the grace, or to start again."""
        if now < self.due:
            return []
        if self._child is None:
            return self._start_again(now)
        if self._waits_for_room:
            self._waits_for_room, self.due = False, math.inf
            self._send_task(now)
            return []
        if self._ending:
            self.due = math.inf
            if self._ending == "silent":
                self._ending = "deaf"
            self._child.signal(signal.SIGKILL)
        else:
            self.stop("timeout", now)
        return []

    def on_child_ended(self, now: float) -> list[Event]:
        """If the child has ended: its last words, and what became of its task. Another may start."""
        child = self._child
        if child is None or not child.has_ended():
            return []
        events = self._take(child.receive_rest(), now)
        how = ChildEnding(self._ending, child.reap(), self._output.last_lines(8))
        task, ending, had_loaded = self.task, self._ending, self._loaded
        self._child, self._loaded, self._ending, self.due = None, False, "", math.inf
        self._waits_for_room = False
        cancelled = task is not None and ending == "cancel"
        never_loads = not had_loaded and not self._ever_loaded
        if never_loads and not cancelled and ending != "stop":
            self.task = None
            evaluator = self._workload.evaluator if self._workload else ""
            return [*events, Unloadable(how.of_loading(evaluator))]
        # A task that this child was ready for and never had is for the next.
        never_had_it = had_loaded and not self._begun
        if cancelled:
            self._settle()
        elif task is not None and not never_had_it:
            kind, message = self._how_it_ended(task, how)
            events.append(self._failed(task, kind, message, now))
            self._settle()
        if not self._closing and (task is not None or ending):
            self._start(now)
        return events

    def _take(self, frames: Iterable[tuple[bytes, bytes]], now: float) -> list[Event]:
        events: list[Event] = []
        for kind, payload in frames:
            if kind in (pipe.OUTCOME, pipe.LAST_OUTCOME):
                self._first, self._no_room = False, ""
                if self.task is not None and self._ending != "cancel":
                    events.append(Finished(self.task, payload, now - self._started))
                if not self._ending:
                    self.due = math.inf
                    if kind == pipe.LAST_OUTCOME:
                        self._ending = "stop"
                        self.due = now + self._grace_s
                self._settle()
                if self._child_workload is not self._workload:
                    self.stop("stop", now)
            elif kind == pipe.NO_ROOM:
                events += self._try_again(payload.decode(), now)
            elif kind == pipe.PROGRESS:
                if self.task is not None and self._ending != "cancel":
                    events.append(Reported(self.task.run, payload))
            elif kind == pipe.LOADED:
                self._loaded = self._ever_loaded = True
                if not self._ending:
                    self.due = math.inf
                    if self.task is not None:
                        self._send_task(now)
            elif kind == pipe.UNLOADABLE:
                events.append(Unloadable(payload.decode()))
                self.task = None
                self._closing = True
                self.stop("stop", now)
        return events

    def _try_again(self, why: str, now: float) -> list[Event]:
        """The disk is full. A task does not wait for room for ever: others may have some for it."""
        task = self.task
        if task is None or self._ending:
            return []
        self._begun, self.due = False, math.inf
        if now - self._given >= LOAD_LIMIT_S:
            failed = self._failed(task, "error", f"{why}, for {LOAD_LIMIT_S:g} s", now)
            self._settle()
            return [failed]
        if not self._no_room:
            self._say(f"an evaluation {why}; it is tried again every {START_AGAIN_AFTER_S:g} s")
        self._no_room = why
        self._waits_for_room, self.due = True, now + START_AGAIN_AFTER_S
        return []

    def _start(self, now: float) -> None:
        workload = self._workload
        assert workload is not None
        try:
            self._child = self._start_child(self._output.fd)
        except OSError as error:
            if not self._refused:
                self._say(could_not_be_started("a process for evaluations", error))
            self._refused = error.strerror or str(error)
            self.due = now + START_AGAIN_AFTER_S
            return
        self._refused = ""
        self._child_workload = workload
        self._loaded = False
        self._first = True
        self.due = now + LOAD_LIMIT_S
        load = pipe.Load(
            evaluator=workload.evaluator,
            options=workload.options,
            trials=str(workload.trials.root),
            one_run=workload.trials.one_run,
            objective=workload.objective,
        )
        self._child.send(pipe.LOAD, msgspec.json.encode(load))

    def _start_again(self, now: float) -> list[Event]:
        """The system refused a process. A task does not wait for one for ever: others may have one for it."""
        self.due = math.inf
        if self._closing:
            return []
        self._start(now)
        task = self.task
        if not self._refused or task is None or now - self._given < LOAD_LIMIT_S:
            return []
        message = f"no process for the evaluation could be started within {LOAD_LIMIT_S:g} s: {self._refused}"
        failed = self._failed(task, "error", message, now)
        self._settle()
        return [failed]

    def _send_task(self, now: float) -> None:
        assert self._child is not None
        assert self.task is not None
        self._started = now
        # If it does not listen, it has ended, and the task is for the next child.
        self._begun = self._child.send(pipe.EVALUATE, self._frame)
        if self._begun and self.task.timeout_s is not None:
            self.due = now + self.task.timeout_s

    def _settle(self) -> None:
        """The task is over: keep what it printed with the trial."""
        task, self.task = self.task, None
        self._begun = False
        if task is not None and not self._output.empty:
            self._keep_output(task)
        self._take_up_next_workload()

    def _take_up_next_workload(self) -> None:
        workload, self._next_workload = self._next_workload, None
        if workload is not None and workload != self._workload:
            self._workload, self._ever_loaded = workload, False

    def _keep_output(self, task: Evaluate) -> None:
        assert self._workload is not None
        folder = self._workload.trials.of(task.run, task.trial)
        try:
            self._output.move(folder / f"attempt-{task.attempt}.out")
        except OSError:
            return  # a full disk costs what was printed, never the result
        if self._child is not None:
            self._child.send(pipe.OUTPUT, str(self._output.path).encode())

    def _failed(self, task: Evaluate, kind: FailureKind, message: str, now: float) -> Finished:
        elapsed = now - self._started if self._begun else 0.0
        failure = Failure(
            run=task.run,
            lease=task.lease,
            trial=task.trial,
            kind=kind,
            message=message,
            elapsed_s=elapsed,
            own=self._told,
        )
        return Finished(task, encode(failure), elapsed)

    def _how_it_ended(self, task: Evaluate, how: ChildEnding) -> tuple[FailureKind, str]:
        if not self._begun:
            return how.before_evaluation()
        assert self._child_workload is not None
        # A program has no process that an evaluation might find set up.
        sets_up = self._first and self._child_workload.evaluator != COMMAND_EVALUATOR
        return how.of_evaluation(task.timeout_s, sets_up=sets_up)
