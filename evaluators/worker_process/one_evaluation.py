"""One evaluation on its own, without an orchestrator: in a child process, as a worker has it."""

from __future__ import annotations

import select
import signal
import time
from collections.abc import Callable, Mapping
from typing import Final

from evaluators.errors import EvaluatorNotLoaded
from evaluators.output import BOUND_EVERY_S, OutputFile
from evaluators.worker_process.slot import Slot
from evaluators.worker_process.slot_events import Event, Finished, Reported, Unloadable
from evaluators.worker_process.slot_parts import Workload
from evaluators.worker_process.slots_closed import close_all
from evaluators.worker_process.wake import SignalPipe
from orchestrator.system.echoed_signals import EchoedSignals
from orchestrator.wire.codec import decode_from_worker, encode
from orchestrator.wire.messages import Evaluate, Failure, Progress, Result

GRACE_S: Final = 2.0
"""From SIGTERM to SIGKILL, as a local worker has it."""


class OneEvaluation:
    """Evaluates what ``workload`` says, with ``own`` in the environment beside; in the main thread.

    ``reported`` takes how it stands while it runs, ``say`` sentences for people.
    """

    def __init__(
        self,
        workload: Workload,
        own: Mapping[str, str],
        reported: Callable[[Progress], None],
        say: Callable[[str], None],
    ) -> None:
        self._workload = workload
        self._own = own
        self._reported = reported
        self._say = say
        self._interrupted = 0
        self._echoed = EchoedSignals()

    def of(self, task: Evaluate) -> Result | Failure:
        """What came of it, once its process has ended in order, as one must that holds hardware.

        Raises `EvaluatorNotLoaded` where nothing can be evaluated, `KeyboardInterrupt` where a person, or the
        system, wants no more of it.
        """
        self._workload.trials.root.mkdir(parents=True, exist_ok=True)
        output = OutputFile(self._workload.trials.root / "evaluation.out")
        slot = Slot(output, GRACE_S, self._say, own=self._own)
        outcome: Result | Failure | None = None
        try:
            with SignalPipe() as signals:
                now = time.monotonic()
                slot.prepare(self._workload, now)
                slot.begin(task, encode(task), now)
                while outcome is None and not self._interrupted:
                    outcome = self._taken(self._events(slot, signals, output))
                slot.dismiss(time.monotonic())
                while slot.alive and self._interrupted < 2:
                    self._events(slot, signals, output)
        finally:
            close_all([slot])
        if outcome is None:
            raise KeyboardInterrupt
        return outcome

    def _events(self, slot: Slot, signals: SignalPipe, output: OutputFile) -> list[Event]:
        """What happens next, or within some seconds."""
        wait_s = max(0.0, min(BOUND_EVERY_S, slot.due - time.monotonic()))
        listens = [fd for fd in (signals.fd, slot.responses) if fd >= 0]
        writes = [fd for fd in (slot.requests,) if fd >= 0]
        readable, writable, _ = select.select(listens, writes, [], wait_s)
        now = time.monotonic()
        output.bound()
        if writable:
            slot.on_writable()
        events = slot.on_readable(now) if slot.responses in readable else []
        for number in signals.arrived():
            if number is signal.SIGCHLD:
                events += slot.on_child_ended(now)
            elif not self._echoed.is_echo(number, now):
                self._interrupted += 1
        return events + slot.on_time(now)

    def _taken(self, events: list[Event]) -> Result | Failure | None:
        for event in events:
            match event:
                case Unloadable(reason=reason):
                    raise EvaluatorNotLoaded(reason)
                case Reported(frame=frame):
                    message = decode_from_worker(frame)
                    assert isinstance(message, Progress)
                    self._reported(message)
                case Finished(frame=frame):
                    message = decode_from_worker(frame)
                    assert isinstance(message, Result | Failure)
                    return message
        return None
