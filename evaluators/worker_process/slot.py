"""One place for an evaluation: its child process, its task, and when the child has to be killed.

Nothing here waits. The worker calls in when the child wrote, when a child has ended, or when the moment
named by `due` has come, and is handed events.
"""

from __future__ import annotations

import math
import signal
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from evaluators.child_process import pipe
from evaluators.worker_process.child_ending import LOAD_LIMIT_S, ChildEnding, Ending
from evaluators.worker_process.occupant import Occupant, Stage, Turn
from evaluators.worker_process.outcome_frames import is_failure, within
from evaluators.worker_process.process import ChildProcess
from evaluators.worker_process.slot_events import Event, Finished, Reported, Unloadable
from evaluators.worker_process.slot_parts import Child, Output, Workload
from evaluators.worker_process.stopped import Stop
from orchestrator.programs.slot_variables import told_of_own
from orchestrator.system.refused_start import START_AGAIN_AFTER_S, could_not_be_started
from orchestrator.wire.messages import Evaluate, FailureKind


@dataclass(frozen=True, slots=True)
class _Given:
    """A task in hand, as it came from the wire, and since when."""

    task: Evaluate
    frame: bytes
    at: float


class Slot:
    """At most one evaluation at a time. What its child may be at meanwhile stands in `occupant`.

    ``grace_s``: seconds between SIGTERM and SIGKILL; ``say`` takes sentences for people; ``start`` starts a
    child that prints to a descriptor, with what it has of its own, and raises `OSError` where the system has
    no process for it; ``own`` is what evaluations have of their own in this slot: variables by name.
    """

    def __init__(
        self,
        output: Output,
        grace_s: float,
        say: Callable[[str], None],
        start: Callable[[int, Mapping[str, str]], Child] = ChildProcess,
        own: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._output = output
        self._grace_s = grace_s
        self._say = say
        self._start_child = start
        self._own_alone = dict(own)
        self._own = dict(own)
        """That of the child that there is, or is to be started."""
        self._given: _Given | None = None
        self._occupant: Occupant | None = None
        self._workload: Workload | None = None
        self._next_workload: Workload | None = None
        self._can_be_loaded = False
        """A child has loaded the workload: where another cannot, that is a failure of its evaluation."""
        self._closing = False
        self._refused = ""
        """Why the system had no process for a child; empty once it has."""
        self._said_no_room = False
        self.due = math.inf
        """The moment (monotonic seconds) at which `on_time` must be called."""

    @property
    def task(self) -> Evaluate | None:
        """What it has been given and has not finished."""
        return None if self._given is None else self._given.task

    @property
    def free(self) -> bool:
        """Whether a task can be given."""
        return self._given is None and not self.is_ending and self._workload is not None

    @property
    def is_ending(self) -> bool:
        """Whether its child is being stopped, or is to end by itself."""
        return self._occupant is not None and bool(self._occupant.ending)

    @property
    def alive(self) -> bool:
        """Whether there is a child process."""
        return self._occupant is not None

    @property
    def responses(self) -> int:
        """The descriptor to watch for what the child writes; -1 if there is none."""
        if self._occupant is None or self._occupant.child.silent:
            return -1
        return self._occupant.child.responses

    @property
    def requests(self) -> int:
        """The pipe to its child in which something waits for room; -1 if nothing does."""
        return -1 if self._occupant is None else self._occupant.child.requests

    def on_writable(self) -> None:
        """The pipe to its child takes more."""
        if self._occupant is not None:
            self._occupant.child.flush()

    def prepare(self, workload: Workload, now: float) -> None:
        """Have a child that has loaded the workload; a task that is here is evaluated first, with its own."""
        if self._given is not None:
            self._next_workload = workload
            return
        self._use(workload, now)
        if self._occupant is None:
            self._start(now)

    def begin(self, task: Evaluate, frame: bytes, now: float, own: Mapping[str, str] | None = None) -> None:
        """Evaluate. ``frame`` is the task as it came from the wire, ``own`` what it has of its own, where it
        has other slots as well: a module finds that in its environment already as it is imported, so that a
        child which has something else is replaced.
        """
        self._given = _Given(task, frame, now)
        before, self._own = self._own, dict(self._own_alone if own is None else own)
        if self._occupant is None:
            self._start(now)
        elif self._own != before:
            self._end(self._occupant, "stop", now)
        elif self._occupant.stage is Stage.IDLE:
            self._send_task(self._occupant, now)

    def excuse(self, stop: Stop) -> None:
        """Nobody here could do anything, as where this process and its child were stopped: that counts for no
        limit, and is no time that an evaluation takes.
        """
        self.due += stop.at_most_s
        if self._given is not None:
            self._given = replace(self._given, at=self._given.at + stop.at_most_s)
        if self._occupant is not None:
            self._occupant.stopped_s += stop.at_least_s

    def cancel(self, now: float) -> None:
        """Give the task up; nothing more is said about it."""
        occupant = self._occupant
        if occupant is not None and occupant.stage is Stage.EVALUATING:
            self._end(occupant, "cancel", now)
            occupant.ending = "cancel"  # whatever it was to end for before
            return
        if occupant is not None and occupant.takes(Turn.STOPPED_WAITING):
            self.due = math.inf
        self._given = None
        self._use_next_workload(now)

    def dismiss(self, now: float) -> None:
        """Let an idle child end by itself, and stop one that is busy or loading; none is started again."""
        self._closing = True
        occupant = self._occupant
        if occupant is None:
            return
        if self._given is not None:
            self._end(occupant, "cancel", now)
        elif occupant.stage is Stage.LOADING:
            self._end(occupant, "stop", now)
        elif not occupant.ending:
            self._give_grace(occupant, "stop", now)
            occupant.child.dismiss()

    def kill(self) -> None:
        """The child, at once, if there is one, with all that it started."""
        self._closing = True
        if self._occupant is not None:
            self._occupant.child.signal(signal.SIGKILL)

    def close(self, within_s: float) -> None:
        """Kill the child if there is one, and wait so long for its end; delete the output file."""
        self._closing = True
        occupant, self._occupant = self._occupant, None
        if occupant is not None and not occupant.child.kill(within_s):
            what = "" if self._given is None else f" of trial {self._given.task.trial}"
            self._say(
                f"process {occupant.child.process_id}{what} was killed and has not ended: the system holds "
                "it, as in a call to a disk or a device that does not answer; it is left behind, and ends "
                "when that is over"
            )
        self._output.close()

    def on_readable(self, now: float) -> list[Event]:
        """Take what the child wrote."""
        occupant = self._occupant
        if occupant is None:
            return []
        events = self._take(occupant, occupant.child.receive(), now)
        if occupant.child.silent and not occupant.child.has_ended():
            # It closed the pipe and runs on, or is ending just now.
            occupant.takes(Turn.STOPPED_WAITING)
            occupant.ending = occupant.ending or "silent"
            self.due = min(self.due, now + self._grace_s)
        return events

    def on_time(self, now: float) -> list[Event]:
        """Act on the moment that has come: the end of the timeout, or of the grace, or to start again."""
        if now < self.due:
            return []
        self.due = math.inf
        occupant = self._occupant
        if occupant is None:
            return self._start_again(now)
        if occupant.ending:
            if occupant.ending == "silent":
                occupant.ending = "deaf"
            occupant.child.signal(signal.SIGKILL)
        elif occupant.takes(Turn.STOPPED_WAITING):
            self._send_task(occupant, now)
        else:
            self._end(occupant, "timeout", now)
        return []

    def on_child_ended(self, now: float) -> list[Event]:
        """If the child has ended: its last words, and what became of its task. Another may start."""
        occupant = self._occupant
        if occupant is None or not occupant.child.has_ended():
            return []
        events = self._take(occupant, occupant.child.receive_rest(), now)
        ending = occupant.ending
        how = ChildEnding(ending, occupant.child.reap(), self._output.last_lines(8))
        self._occupant, self.due = None, math.inf
        given = self._given
        cancelled = given is not None and ending == "cancel"
        failed_to_load = occupant.stage is Stage.LOADING and occupant.workload is self._workload
        asked = cancelled or ending == "stop" or how.asked_to_end
        if failed_to_load and not self._can_be_loaded and not asked:
            self._given = None
            return [*events, Unloadable(how.of_loading(occupant.workload.evaluator))]
        # A task that this child was ready for and never had is for the next; as is one that it ends for, as
        # what it has of its own is another's.
        is_replaced = ending == "stop" and occupant.stage is Stage.LOADING
        never_had_it = occupant.stage in (Stage.IDLE, Stage.WAITING) or is_replaced
        if cancelled:
            self._settle(now)
        elif given is not None and not never_had_it:
            kind, message = occupant.failure(how, given.task.timeout_s)
            failed = self._failed(given.task, kind, message, occupant.evaluated_s(now))
            events.append(replace(failed, asked_to_end=how.asked_to_end))
            self._settle(now)
        if not self._closing and (given is not None or ending):
            self._start(now)
        return events

    def _take(self, occupant: Occupant, frames: Iterable[tuple[bytes, bytes]], now: float) -> list[Event]:
        events: list[Event] = []
        for kind, payload in frames:
            if kind in (pipe.OUTCOME, pipe.LAST_OUTCOME):
                events += self._on_outcome(occupant, payload, now, last=kind == pipe.LAST_OUTCOME)
            elif kind == pipe.NO_ROOM:
                events += self._on_no_room(occupant, payload.decode(), now)
            elif kind == pipe.PROGRESS:
                if self._given is not None and occupant.ending != "cancel":
                    events.append(Reported(self._given.task.run, payload))
            elif kind == pipe.LOADED:
                self._on_loaded(occupant, now)
            elif kind == pipe.UNLOADABLE and occupant.workload is self._workload:
                events.append(Unloadable(payload.decode()))
                self._given = None
                self._closing = True
                self._end(occupant, "stop", now)
        return events

    def _on_loaded(self, occupant: Occupant, now: float) -> None:
        if not occupant.takes(Turn.LOADED):
            return
        if occupant.workload is self._workload:
            self._can_be_loaded = True
        if not occupant.ending:
            self.due = math.inf
            if self._given is not None:
                self._send_task(occupant, now)

    def _on_outcome(self, occupant: Occupant, frame: bytes, now: float, *, last: bool) -> list[Event]:
        if self._given is None or occupant.stage is not Stage.EVALUATING:
            return []
        task, took = self._given.task, occupant.evaluated_s(now)
        if occupant.ending == "timeout" and is_failure(frame):
            # It exits, as one does that is told to, whatever it says of that.
            kind, message = occupant.failure(ChildEnding("timeout", 0, ""), task.timeout_s)
            finished = self._failed(task, kind, message, took)
        else:
            finished = Finished(task, within(took, frame) if occupant.stopped_s else frame, took)
        occupant.takes(Turn.ANSWERED)
        counts = occupant.ending != "cancel"
        self._said_no_room = False
        if not occupant.ending:
            self.due = math.inf
            if last:
                self._give_grace(occupant, "stop", now)
        self._settle(now)
        return [finished] if counts else []

    def _on_no_room(self, occupant: Occupant, why: str, now: float) -> list[Event]:
        """The disk is full. A task does not wait for room for ever: others may have some for it."""
        given = self._given
        if given is None or occupant.ending or not occupant.takes(Turn.FOUND_NO_ROOM):
            return []
        if now - given.at >= LOAD_LIMIT_S:
            occupant.takes(Turn.STOPPED_WAITING)
            self.due = math.inf
            failed = self._failed(given.task, "error", f"{why}, for {LOAD_LIMIT_S:g} s")
            self._settle(now)
            return [failed]
        if not self._said_no_room:
            self._say(f"an evaluation {why}; it is tried again every {START_AGAIN_AFTER_S:g} s")
        self._said_no_room = True
        self.due = now + START_AGAIN_AFTER_S
        return []

    def _start(self, now: float) -> None:
        workload = self._workload
        assert workload is not None
        try:
            child = self._start_child(self._output.fd, self._own)
        except OSError as error:
            if not self._refused:
                self._say(could_not_be_started("a process for evaluations", error))
            self._refused = error.strerror or str(error)
            self.due = now + START_AGAIN_AFTER_S
            return
        self._refused = ""
        self._occupant = Occupant(child, workload)
        self.due = now + LOAD_LIMIT_S
        child.send(pipe.LOAD, workload.request())

    def _start_again(self, now: float) -> list[Event]:
        """The system refused a process. A task does not wait for one for ever: others may have one for it."""
        if self._closing:
            return []
        self._start(now)
        given = self._given
        if not self._refused or given is None or now - given.at < LOAD_LIMIT_S:
            return []
        message = f"no process for the evaluation could be started within {LOAD_LIMIT_S:g} s: {self._refused}"
        failed = self._failed(given.task, "error", message)
        self._settle(now)
        return [failed]

    def _send_task(self, occupant: Occupant, now: float) -> None:
        assert self._given is not None
        if not occupant.child.send(pipe.EVALUATE, self._given.frame):
            return  # it does not listen: it has ended, and the task is for the next child
        occupant.takes(Turn.BEGAN)
        occupant.sent_at, occupant.stopped_s = now, 0.0
        timeout_s = self._given.task.timeout_s
        if timeout_s is not None:
            self.due = now + timeout_s

    def _end(self, occupant: Occupant, why: Ending, now: float) -> None:
        """SIGTERM to its whole process group now, SIGKILL after the grace."""
        if not occupant.ending:
            occupant.takes(Turn.STOPPED_WAITING)
            self._give_grace(occupant, why, now)
            occupant.child.signal(signal.SIGTERM)

    def _give_grace(self, occupant: Occupant, why: Ending, now: float) -> None:
        occupant.ending = why
        self.due = now + self._grace_s

    def _settle(self, now: float) -> None:
        """The task is over: keep what it printed with the trial."""
        given, self._given = self._given, None
        if given is not None and not self._output.empty:
            self._keep_output(given.task)
        self._use_next_workload(now)

    def _use_next_workload(self, now: float) -> None:
        workload, self._next_workload = self._next_workload, None
        if workload is not None:
            self._use(workload, now)

    def _use(self, workload: Workload, now: float) -> None:
        """From the next task on; a child that has loaded another ends."""
        if workload == self._workload:
            return
        self._workload, self._can_be_loaded = workload, False
        if self._occupant is not None:
            self._end(self._occupant, "stop", now)

    def _keep_output(self, task: Evaluate) -> None:
        assert self._workload is not None
        folder = self._workload.trials.of(task.run, task.trial)
        try:
            self._output.move(folder / f"attempt-{task.attempt}.out")
        except OSError:
            return  # a full disk costs what was printed, never the result
        if self._occupant is not None:
            self._occupant.child.send(pipe.OUTPUT, str(self._output.path).encode())

    def _failed(self, task: Evaluate, kind: FailureKind, message: str, elapsed_s: float = 0.0) -> Finished:
        return Finished.failed(task, kind, message, elapsed_s, told_of_own(self._own))
