"""What became of evaluations, on its way to the orchestrator: kept until that is acknowledged, and sent."""

from __future__ import annotations

from collections.abc import Callable

from evaluators.worker_process.link import SILENT_AFTER, Link
from evaluators.worker_process.outbox import DURABLE_FROM_S, Outbox
from evaluators.worker_process.slot_events import Finished
from orchestrator.wire.messages import Evaluate, Taken
from orchestrator.wire.pieces import frames_of


class Delivery:
    """Of an ``outbox`` over a ``link``; ``say`` takes sentences for people."""

    def __init__(self, link: Link, outbox: Outbox, say: Callable[[str], None]) -> None:
        self._link = link
        self._outbox = outbox
        self._say = say
        self._sent: dict[str, float] = {}
        # Of the outcome of which the connection took a part, the last piece first, and its lease; and the
        # leases of those that were begun, so that the orchestrator may have the first pieces.
        self._rest: list[bytes] = []
        self._rest_of = ""
        self._begun: set[str] = set()

    def __len__(self) -> int:
        """How much is kept, of this run and of others."""
        return len(self._outbox)

    @property
    def is_over(self) -> bool:
        """Whether nothing of this run waits."""
        return not self._outbox.waiting()

    @property
    def is_unanswered(self) -> bool:
        """Whether something was sent over this connection, and not acknowledged yet."""
        return bool(self._sent)

    @property
    def bytes_unanswered(self) -> int:
        """How much was sent over this connection, and not acknowledged yet."""
        kept = self._outbox.waiting() if self._sent else {}
        return sum(len(kept[lease]) for lease in self._sent if lease in kept)

    def begin(self, run: str) -> None:
        """What waits is that of this run: an earlier life of this worker may have begun some of it."""
        self._on_disk(self._outbox.begin, run)
        self._begun.update(self._outbox.waiting())

    def close(self) -> None:
        """What is not acknowledged stays on disk."""
        self._outbox.close()

    def deliver(self, finished: Finished, now: float) -> None:
        """Keep what became of an evaluation, and send it."""
        task = finished.task
        durable = finished.elapsed_s >= DURABLE_FROM_S
        self._on_disk(lambda: self._outbox.keep(task.run, task.lease, finished.frame, durable=durable))
        if task.run == self._link.run:
            self._send(task.lease, finished.frame, now)

    def send_again(self, lease: str, now: float) -> bool:
        """Send what is kept of a lease; whether there is something."""
        kept = self._outbox.waiting().get(lease)
        if kept is not None:
            self._send(lease, kept, now)
        return kept is not None

    def send_anew(self, now: float) -> None:
        """Send all that is kept, over another connection."""
        self._sent.clear()
        self._rest.clear()
        self.send_unsent(now)

    def send_unsent(self, now: float) -> None:
        """What is kept and was not sent over this connection, oldest first, as far as it takes it."""
        if not self._send_rest(now):
            return
        for lease, kept in self._outbox.waiting().items():
            if lease not in self._sent and not self._send(lease, kept, now):
                return

    def resend_unanswered(self, now: float) -> None:
        """Send again what has not been acknowledged for too long."""
        if not self._sent or not self._link.greeted:
            return
        patience = SILENT_AFTER * self._link.heartbeat_s
        for lease in [lease for lease, sent in self._sent.items() if now - sent >= patience]:
            del self._sent[lease]
            self.send_again(lease, now)

    def taken(self, taken: Taken, now: float) -> None:
        """A piece of an outcome has come: it, and what was sent behind it, is not unanswered but on its way.
        Where that was asked for, it goes on behind what is there.
        """
        lease = taken.of
        if self._link.held and lease == self._rest_of:
            self._link.held = False
            self._rest = self._rest[: max(0, len(self._rest) - 1 - taken.number)]
            if not self._rest:
                self._sent[lease] = now
            self.send_unsent(now)
        sent = list(self._sent)
        for later in sent[sent.index(lease) if lease in sent else len(sent) :]:
            self._sent[later] = now

    def acknowledged(self, lease: str) -> None:
        """It need not be kept any more."""
        self._forget(lease)
        self._on_disk(self._outbox.acknowledge, lease)

    def refused(self, lease: str) -> None:
        """It stays on disk, and is not sent to this orchestrator again, which would refuse it again."""
        self._forget(lease)
        self._on_disk(self._outbox.set_aside, lease)

    def valued_trial(self, lease: str) -> int | None:
        """The trial of which a value is kept under a lease."""
        return self._outbox.valued_trial(lease)

    def has_answer_to(self, task: Evaluate) -> bool:
        """Whether a value of the trial is kept, under a lease that was taken back before it could be sent: if
        that counts, nothing more is evaluated.
        """
        kept = self._outbox.waiting() if task.attempt > 1 and task.run == self._link.run else ()
        return any(self._outbox.valued_trial(lease) == task.trial for lease in kept)

    def _send(self, lease: str, frame: bytes, now: float) -> bool:
        if self._rest:
            return False
        rest = frames_of(frame, lease)[::-1] if self._link.takes_pieces else [frame]
        self._rest, self._rest_of, parts = list(rest), lease, len(rest)
        if parts > 1 and lease in self._begun:
            # How much of it is there, the first piece asks.
            self._link.held = self._link.send(rest[-1])
            self._rest = rest if self._link.held else []
            return False
        sent = self._send_rest(now)
        if len(self._rest) == parts:
            self._rest.clear()
        elif parts > 1:
            self._begun.add(lease)
        return sent

    def _forget(self, lease: str) -> None:
        self._sent.pop(lease, None)
        self._begun.discard(lease)

    def _send_rest(self, now: float) -> bool:
        """Whether nothing is left of what was begun."""
        while self._rest:
            if not self._link.send(self._rest[-1]):
                return False
            self._rest.pop()
            if not self._rest:
                self._sent.pop(self._rest_of, None)
                self._sent[self._rest_of] = now
        return True

    def _on_disk(self, act: Callable[..., None], *arguments: object) -> None:
        try:
            act(*arguments)
        except OSError as error:
            self._say(f"cannot write the outbox ({error.strerror}); results stay in memory meanwhile")
