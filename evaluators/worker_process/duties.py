"""What a worker does about what happens: messages, children, signals, and moments that have come.

Nothing here waits. Whoever owns the sockets, pipes and clock calls in, and again when `due` has come.
"""

from __future__ import annotations

import math
import os
import signal
import socket
from collections.abc import Callable, Sequence
from typing import Final

from evaluators.trial_folders import TrialFolders
from evaluators.worker_process.cut_short import CutShort
from evaluators.worker_process.delivery import Delivery
from evaluators.worker_process.link import SILENT_AFTER, Link, Wire
from evaluators.worker_process.options import WorkerOptions
from evaluators.worker_process.outbox import Outbox
from evaluators.worker_process.slot import Slot
from evaluators.worker_process.slot_events import Event, Finished, Reported, Unloadable
from evaluators.worker_process.slots_closed import close_all
from evaluators.worker_process.taken_slots import TakenSlots
from evaluators.worker_process.waiting_tasks import WaitingTasks, is_lease
from evaluators.worker_process.workload import workload_of
from orchestrator.errors import UsageError
from orchestrator.programs.command_evaluator import COMMAND_FORM
from orchestrator.programs.slot_variables import told_of_own
from orchestrator.system.echoed_signals import EchoedSignals
from orchestrator.wire.messages import (
    PROTOCOL,
    Acknowledge,
    Cancel,
    Drain,
    Evaluate,
    FromOrchestrator,
    Goodbye,
    Heartbeat,
    Hello,
    Reject,
    Taken,
    Welcome,
)

INTERRUPTED: Final = 130
LAST_WORDS_WITHIN_S: Final = 0.5
TAKES_LONG_B: Final = 1 << 16
"""Bytes that a line of 64 kbit/s carries in the time after which the other side is taken to be silent."""


class Duties:
    """One worker's part of the protocol, from the first hello to the goodbye.

    ``trials`` is where evaluations keep their files, ``say`` takes sentences for people.

    Attributes:
        link: the conversation with the orchestrator.
        slots: the places for evaluations.
        stopping: whether to leave now, whatever runs.
        exit_code: what the process is to end with.
    """

    def __init__(
        self,
        options: WorkerOptions,
        wire: Wire,
        outbox: Outbox,
        slots: Sequence[Slot],
        trials: TrialFolders,
        say: Callable[[str], None],
    ) -> None:
        self.link = Link(wire, self._introduce, self._beat)
        self.slots = slots
        self.stopping = False
        self.exit_code = 0
        self._options = options
        self._say = say
        self._session = os.urandom(8).hex()
        self._delivery = Delivery(self.link, outbox, self._say_once)
        self._trials = trials
        self._queue = WaitingTasks()
        self._taken = TakenSlots(slots)
        self._cut_short = CutShort()
        self._draining = False
        self._asked = False
        self._orphaned = False
        self._signals = EchoedSignals()
        self._reason = ""
        self._linger_until = math.inf
        self._stuck = False
        self._last_said = ""

    def begin(self) -> None:
        """From now on it can be asked to stop, and hears it."""
        self._say_once(f"dialling {self._options.connect}")

    @property
    def due(self) -> float:
        """The moment at which `on_time` must be called."""
        slots_due = min((slot.due for slot in self.slots), default=math.inf)
        return min(self.link.due, self._linger_until, self._cut_short.due, slots_due)

    @property
    def is_busy(self) -> bool:
        """Whether something runs, or ended and may be this worker's to report."""
        return any(slot.task is not None for slot in self.slots) or self._cut_short.doubtful

    @property
    def hurried(self) -> bool:
        """Whether a person asked twice: then what runs is killed, and nothing waited for."""
        return self.exit_code == INTERRUPTED

    def on_time(self, now: float) -> None:
        """Do what is due."""
        for finished in self._cut_short.outcomes(now):
            self._delivery.deliver(finished, now)
        for slot in self.slots:
            if now >= slot.due:
                self._on_events(slot.on_time(now), now)
        self._begin_what_waited(now)
        if now >= self.link.due:
            if self.link.seems_silent(now):
                # A disk may have held this worker up: what came meanwhile is no silence.
                self.on_messages(now)
            if self.link.on_time(now):
                self._find_silent()
            self._delivery.resend_unanswered(now)

    def _find_silent(self) -> None:
        """What is large may be on its way still, and would begin anew over another connection; what did not
        get through over the last one either will not over another.
        """
        on_its_way = self._delivery.bytes_unanswered
        stuck, self._stuck = self._stuck and on_its_way > 0, on_its_way > 0
        if (on_its_way < TAKES_LONG_B or self.link.takes_pieces) and not stuck:
            self.link.dial_anew()
            self._say_once("the orchestrator is silent; working on, and trying to reach it")
            return
        self._say_once(
            f"the orchestrator is silent while {on_its_way / 1000.0:.1f} kB of results are on their way to"
            " it: the network may be too slow for so much, or let no large packets through (this has the"
            " system find out which: sysctl net.ipv4.tcp_mtu_probing=1); working on, and trying to reach it"
        )

    def is_done(self, now: float) -> bool:
        """Whether to leave: told to, or nothing is left to do."""
        if self.stopping:
            return True
        if self._orphaned:
            return not self._delivery.is_unanswered or now >= self._linger_until
        if not self._draining or self.is_busy:
            return False
        if self._delivery.is_over or self.link.welcome is None:
            return True
        if self._linger_until == math.inf:
            self._linger_until = now + SILENT_AFTER * self.link.heartbeat_s
        return now >= self._linger_until

    def leave(self, why: str = "") -> None:
        """Kill what runs, say goodbye and hang up; what is not acknowledged stays on disk."""
        close_all(self.slots)
        self.link.close(Goodbye(reason=self._cut_short.tell(self._reason or why)))
        self._delivery.close()

    def say_what_is_kept(self) -> None:
        """For people: results that are still to be delivered."""
        kept = len(self._delivery)
        if kept:
            subject, verb, them = ("result", "is", "it") if kept == 1 else ("results", "are", "them")
            self._say(
                f"{kept} {subject} {verb} not acknowledged and {verb} kept; a worker started with the same "
                f"--directory sends {them}"
            )

    # -- what happens ---------------------------------------------------------------------------------

    def on_messages(self, now: float) -> None:
        """Messages have arrived."""
        for message, frame in self.link.receive(now):
            self._on_message(message, frame, now)

    def on_writable(self, now: float) -> None:
        """The connection takes something: what waited for it goes first."""
        self.link.on_writable(now)
        self._delivery.send_unsent(now)

    def on_child_wrote(self, slot: Slot, now: float) -> None:
        """A slot's child has written something."""
        self._on_events(slot.on_readable(now), now)
        if slot.free:
            self._begin_what_waited(now)

    def on_children_ended(self, now: float) -> None:
        """Some child may have ended."""
        for slot in self.slots:
            self._on_events(slot.on_child_ended(now), now)
        # Once for all of them: with each it would be looked for room as often as there are slots.
        self._begin_what_waited(now)

    def on_interrupt(self, signal_name: str, now: float) -> None:
        """A person or the system wants the worker to end: in order the first time, at once the second.

        An orchestrator's drain is not the first: whoever sends this may know nothing of that.
        """
        if self._signals.is_echo(signal.Signals[signal_name], now):
            return
        if self._asked:
            self._reason = f"interrupted by {signal_name}"
            self.exit_code = INTERRUPTED
            self.stopping = True
        else:
            self._say("finishing what runs; once more to stop at once")
            self._reason = self._reason or f"drained by {signal_name}"
            self._asked = self._draining = True
            self._queue.clear()
            self._cut_short.worker_leaves()
            self.link.beat_now(now)

    def on_orphaned(self, now: float) -> None:
        """The process that started this one is gone, or has ended: then it sent its last words before, and
        they may be on their way.
        """
        self._reason = "its parent is gone"
        self._orphaned = True
        self._linger_until = min(self._linger_until, now + LAST_WORDS_WITHIN_S)

    def give_up(self, sentence: str) -> None:
        """It makes no sense to go on; what runs for another run is finished first."""
        self._say_once(sentence)
        self._reason = sentence
        self.exit_code = 2
        self._draining = True
        self._queue.clear()

    # -- messages -------------------------------------------------------------------------------------

    def _introduce(self) -> Hello:
        return Hello(
            protocol=PROTOCOL,
            worker=self._options.worker_name,
            session=self._session,
            evaluators=self._options.offered,
            slots=self._options.slots,
            leases=self._leases(),
            host=socket.gethostname(),
            pid=os.getpid(),
            draining=self._draining,
            run=self.link.run or "",
            own=told_of_own(self._options.own_of_all),
            command_form=COMMAND_FORM,
            takes_pieces=True,
        )

    def _beat(self) -> Heartbeat:
        return Heartbeat(leases=self._leases(), draining=self._draining, waiting=self._waiting())

    def _leases(self) -> list[str]:
        run = self.link.run
        running = [slot.task.lease for slot in self.slots if slot.task is not None and slot.task.run == run]
        return running + self._queue.leases(run) + self._cut_short.leases(run)

    def _waiting(self) -> list[str]:
        """The leases of this run that wait for an evaluation of another."""
        foreign = any(slot.task is not None and slot.task.run != self.link.run for slot in self.slots)
        return self._queue.leases(self.link.run) if foreign else []

    def _on_message(self, message: FromOrchestrator, frame: bytes, now: float) -> None:
        match message:
            case Evaluate():
                self._on_evaluate(message, frame, now)
            case Acknowledge():
                self._on_acknowledge(message, now)
            case Taken():
                self._on_taken(message, now)
            case Welcome():
                self._on_welcome(message, now)
            case Cancel():
                self._on_cancel(message.lease, now)
            case Reject():
                self._on_reject(message, now)
            case Drain():
                if not (self._draining or self._options.exit_with_parent):
                    why = "is over, or was stopped" if message.now else "needs this worker no more"
                    self._say_once(f"the run {why}")
                self._reason = self._reason or "drained"
                self._draining = True
                self.stopping = self.stopping or message.now
                self._queue.clear()

    def _on_welcome(self, welcome: Welcome, now: float) -> None:
        self.link.on_welcome(welcome, now)
        if welcome.protocol != PROTOCOL:
            self.give_up(f"the orchestrator speaks protocol {welcome.protocol}, this worker {PROTOCOL}")
            return
        if welcome.evaluator not in self._options.offered:
            offered = ", ".join(f"`{name}`" for name in self._options.offered)
            self.give_up(
                f"run {welcome.run} needs the evaluator `{welcome.evaluator}`, this worker offers {offered}; "
                f"start it with --evaluator {welcome.evaluator}"
            )
            return
        self._delivery.begin(welcome.run)
        if not self._draining:
            try:
                workload = workload_of(welcome, self._options, self._trials)
            except UsageError as error:
                self.give_up(str(error))
                return
            for slot in self.slots:
                slot.prepare(workload, now)
        self._say_once(f"works for {welcome.experiment}, run {welcome.run}")
        self._delivery.send_anew(now)

    def _on_evaluate(self, task: Evaluate, frame: bytes, now: float) -> None:
        if task.run != self.link.run or not self.link.greeted:
            return
        if self._delivery.send_again(task.lease, now) or self._draining:
            return
        if any(slot.task is not None and is_lease(slot.task, task.run, task.lease) for slot in self.slots):
            return
        if task.lease in (*self._queue.leases(task.run), *self._cut_short.leases(task.run)):
            return
        # Behind what waits for more slots than are free.
        self._queue.add(task, frame)
        self._begin_what_waited(now)

    def _on_taken(self, taken: Taken, now: float) -> None:
        self._delivery.taken(taken, now)
        self._stuck = False
        if not self._orphaned:
            self._linger_until = math.inf

    def _on_acknowledge(self, message: Acknowledge, now: float) -> None:
        settled = self._delivery.valued_trial(message.lease) if message.counted and self._queue else None
        self._delivery.acknowledged(message.lease)
        self._stuck = False
        if settled is not None:
            mine = (self.link.run, settled)
            self._queue.drop(lambda task: (task.run, task.trial) == mine)
        self._begin_what_waited(now)

    def _on_cancel(self, lease: str, now: float) -> None:
        run = self.link.run
        for slot in self.slots:
            if slot.task is not None and is_lease(slot.task, run, lease):
                slot.cancel(now)
        self._queue.drop(lambda task: is_lease(task, run, lease))
        self._begin_what_waited(now)
        self._cut_short.drop(run, lease)

    def _on_reject(self, reject: Reject, now: float) -> None:
        if reject.code == "hello":
            self.link.on_unknown(now)
        elif reject.code in ("protocol", "evaluator") or self._is_about_the_hello(reject):
            self.give_up(f"the orchestrator refused this worker: {reject.reason}")
        elif reject.code == "name":
            self.link.on_name_taken(now)
            self._say_once(f"the orchestrator refused this worker's name: {reject.reason}; trying again")
        else:
            self._say_once(f"the orchestrator refused a message: {reject.reason}")
            self._delivery.refused(reject.lease)
            self._begin_what_waited(now)

    def _is_about_the_hello(self, reject: Reject) -> bool:
        """Of a name or of slots that the orchestrator does not take: the next hello would say the same."""
        return reject.code == "malformed" and not reject.lease and not self.link.greeted

    def _on_events(self, events: list[Event], now: float) -> None:
        for event in events:
            if isinstance(event, Finished) and not self._cut_short.keeps(event, now):
                self._delivery.deliver(event, now)
            elif isinstance(event, Reported):
                # It names its lease, and not of which run that is.
                if event.run == self.link.run:
                    self.link.send(event.frame)
            elif isinstance(event, Unloadable):
                self.give_up(event.reason)

    def _begin_what_waited(self, now: float) -> None:
        """In the order in which it came, as far as there are slots for it."""
        while self._queue and not self._draining:
            found = self._queue.first(
                lambda task: task.run == self.link.run and not self._delivery.has_answer_to(task)
            )
            if found is None or not (places := self._taken.for_task(found[0])):
                return
            self._queue.remove(found[0])
            self._taken.lend(places, found[0])
            self.slots[places[0]].begin(*found, now, self._options.own_of(*places))

    def _say_once(self, sentence: str) -> None:
        if sentence != self._last_said:
            self._last_said = sentence
            self._say(sentence)
