"""Who is at the other end of each connection: hellos, heartbeats, and from messages to events.

Nothing is decided about trials here. It answers what needs no decision (a heartbeat, a hello, a message
that makes no sense) and turns the rest into events for the scheduler.
"""

from __future__ import annotations

import itertools
import math
import socket
from collections.abc import Callable
from dataclasses import dataclass, field

from orchestrator.programs.command_evaluator import COMMAND_EVALUATOR, form_needed
from orchestrator.programs.slot_variables import told_of_own
from orchestrator.runtime.connections.arriving_pieces import ArrivingPieces
from orchestrator.runtime.connections.broker import Received
from orchestrator.runtime.connections.outcome_events import evaluated, failure_arrived, result_arrived
from orchestrator.runtime.said_seldom import next_said_at
from orchestrator.scheduler.events import (
    Event,
    WorkerBeganDraining,
    WorkerJoined,
    WorkerLeft,
)
from orchestrator.scheduler.leases import trial_of
from orchestrator.scheduler.liveness import Liveness
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.wire.messages import (
    PROTOCOL,
    SLOTS_LIMIT,
    STEP_LIMIT,
    Failure,
    FromOrchestrator,
    FromWorker,
    Goodbye,
    Heartbeat,
    Hello,
    Piece,
    Progress,
    Reject,
    Result,
    Welcome,
)
from orchestrator.wire.pieces import parts_of

NAME_LIMIT = 200
"""Characters of a name, and of what is repeated to whoever sent it."""
LEASE_LIMIT = 40
QUANTITIES_LIMIT = 100
"""Partial quantities of an evaluation at a time."""
PIECE_WITHIN_S = 10.0
"""No line on which pieces arrive in time takes longer for one."""
TRIES_AGAIN_S = 5.0
"""Whoever is refused for its name says hello each second; silent for so long, it has gone."""


@dataclass(slots=True)
class _Session:
    worker: str
    session: str
    peer: bytes
    heard: float
    draining: bool = False
    takes_pieces: bool = False
    welcome_until: float = 0.0


@dataclass(slots=True)
class Sessions:
    """The connected workers.

    ``welcome`` is what each of them is told of the run; ``factors`` is how many the spec has, None if it has
    none; ``send`` hands a message to a connection; ``note`` takes a sentence for people; ``progressed`` takes
    partial quantities; ``local`` says whether the process with a number is one that this run started;
    ``was_given`` says whether there ever was a lease, ``holds`` whether it is live and a worker's own;
    ``turned_away`` takes the reason for which a worker was not welcomed, none once another is; ``continues``
    says whether evaluations may go on from what others left, ``several_slots`` that the spec says how many
    of a worker's one takes.
    """

    welcome: Welcome
    factors: int | None
    liveness: Liveness
    send: Callable[[bytes, FromOrchestrator], bool]
    note: Callable[[str], None]
    progressed: Callable[[Progress], None]
    local: Callable[[int], bool]
    was_given: Callable[[str], bool]
    holds: Callable[[str, str], bool]
    turned_away: Callable[[str], None]
    continues: bool = False
    several_slots: bool = False
    refused: dict[str, int] = field(init=False, default_factory=dict)
    _passed_over: int = field(init=False, default=0)
    _arriving: ArrivingPieces = field(init=False, default_factory=ArrivingPieces)
    _by_peer: dict[bytes, _Session] = field(init=False, default_factory=dict)
    _by_worker: dict[str, _Session] = field(init=False, default_factory=dict)
    # Who waits for its name to be free, and was heard when; the longest silent first.
    _refused_a_name: dict[bytes, float] = field(init=False, default_factory=dict)

    def take(self, received: Received, now: float) -> Event | None:
        """A message; the event that it is, if it is one."""
        if received.message is None:
            self._malformed(received)
            return None
        session = self._by_peer.get(received.peer)
        if isinstance(received.message, Hello):
            return self._hello(received.peer, received.message, now)
        if session is None:
            lease = getattr(received.message, "lease", "")
            reason = "expected hello first, got another message"
            self._refuse(received.peer, Reject("hello", reason, lease[:LEASE_LIMIT]))
            return None
        session.heard = now
        session.welcome_until = 0.0
        if isinstance(received.message, Piece):
            return self._piece(session, received.message, now)
        return self._known(session, received.message, now)

    def _piece(self, session: _Session, piece: Piece, now: float) -> Event | None:
        self.liveness.sends_much(session.worker, now)
        taken, whole = self._arriving.take(session.worker, session.peer, piece)
        self.send(session.peer, taken)
        if whole is not None and whole.message is not None:
            return self._known(session, whole.message, now)
        if whole is not None:
            self._malformed(whole)
        return None

    def found(self, worker: str, result: Result, now: float) -> Event | None:
        """A result that a worker has left who is not connected; the event that it is, if it is ours."""
        return None if self._refusal(result) is not None else self._result(worker, result, now)

    def _known(self, session: _Session, message: FromWorker, now: float) -> Event | None:
        if isinstance(message, Result | Failure):
            refusal = self._refusal(message)
            if refusal is not None:
                self._refuse(session.peer, refusal)
                return None
        self.liveness.heard(session.worker, now)
        match message:
            case Heartbeat():
                return self._beat(session, message, now)
            case Progress():
                if self.holds(session.worker, message.lease):
                    self._progress(session, message)
            case Result():
                return self._result(session.worker, message, now)
            case Failure():
                return failure_arrived(session.worker, message, now)
            case Goodbye():
                self._drop(session)
                return WorkerLeft(at=now, worker=session.worker, lost=False, reason=message.reason[:200])
            case _:
                pass
        return None

    def _progress(self, session: _Session, message: Progress) -> None:
        if abs(message.step) <= STEP_LIMIT and _is_moderate(message):
            self.liveness.began(message.lease, session.worker)
            self.progressed(message)
            return
        self._passed_over += 1
        if self._passed_over == next_said_at(self._passed_over - 1):
            self.note(
                f"what {session.worker} reports is passed over ({self._passed_over} so far): expected at most"
                f" {QUANTITIES_LIMIT} quantities, with names of at most {NAME_LIMIT} characters, at a step of"
                f" at most {STEP_LIMIT:,}; got {len(message.values) + len(message.not_finite)}"
            )

    def _beat(self, session: _Session, beat: Heartbeat, now: float) -> Event | None:
        self.liveness.beat(
            session.worker,
            beat.leases[:SLOTS_LIMIT],
            now,
            draining=beat.draining,
            waiting=beat.waiting[:SLOTS_LIMIT],
        )
        self.send(session.peer, Heartbeat())
        if session.draining or not beat.draining:
            return None
        session.draining = True
        return WorkerBeganDraining(at=now, worker=session.worker)

    def _refusal(self, message: Result | Failure) -> Reject | None:
        """Why an outcome is no outcome of this run's, if it is none."""
        lease = message.lease[:LEASE_LIMIT]
        if message.run != self.welcome.run:
            of = f"this is run {self.welcome.run}, the result is of {message.run[:NAME_LIMIT]}"
            return Reject("run", of, lease)
        if not self.was_given(message.lease):
            # Not a late one: nobody was ever asked for it.
            return Reject("malformed", f"expected a lease that was given, got {lease!r}", lease)
        if message.trial != (trial := trial_of(message.lease)):
            of = f"expected trial {trial}, of which lease {lease!r} is, got trial {message.trial}"
            return Reject("malformed", of[:NAME_LIMIT], lease)
        return None

    def _result(self, worker: str, message: Result, now: float) -> Event:
        if self.welcome.compared:
            return evaluated(worker, message, now)
        return result_arrived(worker, message, now, self.factors)

    def _objection(self, peer: bytes, hello: Hello, now: float) -> Reject | None:
        """Why a worker cannot be welcomed, if it cannot."""
        wanted = self.welcome.evaluator
        if hello.protocol != PROTOCOL:
            reason = f"expected protocol {PROTOCOL}, got {hello.protocol}: update the older side"
            return Reject("protocol", reason)
        if wanted not in hello.evaluators:
            offered = ", ".join(hello.evaluators[:10])[:NAME_LIMIT] or "none"
            reason = f"expected a worker that offers {wanted}, got one that offers {offered}"
            return Reject("evaluator", reason)
        if wanted == COMMAND_EVALUATOR and hello.command_form < self._form_needed:
            reason = (
                "expected a worker that knows what this run's command has, as a column, a key of XML or"
                " templates with {x:8}, got one of an earlier version: update the project where it runs"
            )
            return Reject("evaluator", reason)
        if not _is_name(hello.worker) or not 1 <= hello.slots <= SLOTS_LIMIT:
            name = ascii(hello.worker[:50])
            reason = f"expected a name in print and 1 to {SLOTS_LIMIT} slots, got {name}, {hello.slots}"
            return Reject("malformed", reason[:NAME_LIMIT])
        if len(hello.session) > NAME_LIMIT:
            return Reject("malformed", f"expected a session of at most {NAME_LIMIT} characters")
        if hello.worker == PERSON:
            return Reject("name", f"the name {PERSON} is that of whoever types results in")
        here = self._by_peer.get(peer)
        if here is not None and here.worker != hello.worker:
            return Reject("name", f"expected goodbye first: this connection is that of {here.worker}")
        known = self._by_worker.get(hello.worker)
        # Of our own there is one process a name: one that says hello has replaced a dead one.
        if known is not None and known.session != hello.session and not self._is_local(hello):
            patience = 2.5 * self.welcome.heartbeat_s
            if known.peer != peer and now - known.heard < patience:
                # The same each time: whoever asks each second says once why it does not get in.
                heard = f"heard less than {patience:g} s ago"
                return Reject("name", f"the name {hello.worker} is in use by another worker, {heard}")
        return None

    @property
    def _form_needed(self) -> int:
        return form_needed(self.welcome.options, continues=self.continues, several_slots=self.several_slots)

    def _hello(self, peer: bytes, hello: Hello, now: float) -> Event | None:
        here = self._by_peer.get(peer)
        if here is not None and here.session == hello.session and now < here.welcome_until:
            here.heard = now
            self.liveness.heard(here.worker, now)
            return None
        objection = self._objection(peer, hello, now)
        if objection is not None:
            self.turned_away(objection.reason)
            self._refuse(peer, objection, hello.worker)
            if objection.code == "name" and peer not in self._by_peer:
                self._refused_a_name.pop(peer, None)
                self._refused_a_name[peer] = now
                self._pass_over_who_has_gone(now)
            return None
        self.turned_away("")
        self._refused_a_name.pop(peer, None)
        known = self._by_worker.get(hello.worker)
        if known is not None:
            self._forget(known)
        session = _Session(hello.worker, hello.session, peer, now, hello.draining, hello.takes_pieces)
        self._by_peer[peer] = self._by_worker[hello.worker] = session
        held = tuple(lease for lease in hello.leases[:SLOTS_LIMIT] if trial_of(lease) is not None)
        # Not every worker says of which run they are.
        ours = hello.run in ("", self.welcome.run)
        self.liveness.joined(hello.worker, now, hello.session, draining=hello.draining)
        parts = self._tell(session, self.welcome)
        # A long one takes its time, in which whoever has not got all of it says hello again.
        session.welcome_until = now + parts * PIECE_WITHIN_S if parts > 1 else 0.0
        return WorkerJoined(
            at=now,
            worker=hello.worker,
            slots=hello.slots,
            local=self._is_local(hello),
            held=held,
            foreign=tuple(lease for lease in held if not (ours and self.was_given(lease))),
            draining=hello.draining,
            own=told_of_own(hello.own),
        )

    def tell(self, worker: str, message: FromOrchestrator) -> bool:
        """Send to a worker, in pieces what is long; whether it is connected and its connection takes that."""
        session = self._by_worker.get(worker)
        return session is not None and self._tell(session, message) > 0

    def _tell(self, session: _Session, message: FromOrchestrator) -> int:
        """In how many parts it was sent; 0 where it was not."""
        parts = parts_of(message) if session.takes_pieces else (message,)
        return len(parts) if all(self.send(session.peer, part) for part in parts) else 0

    def _is_local(self, hello: Hello) -> bool:
        return hello.host == socket.gethostname() and self.local(hello.pid)

    def _malformed(self, received: Received) -> None:
        self._refuse(received.peer, Reject("malformed", received.complaint[:500], received.lease))

    def _refuse(self, peer: bytes, reject: Reject, introduced: str = "") -> None:
        session = self._by_peer.get(peer)
        if session is not None and reject.code == "malformed":
            self.liveness.refused(reject.lease, session.worker, reject.reason[:NAME_LIMIT])
        count = self.refused[reject.code] = self.refused.get(reject.code, 0) + 1
        # A peer may repeat itself.
        if reject.code != "hello" and count == next_said_at(count - 1):
            name = session.worker if session is not None else introduced
            of = f" of {name}" if _is_name(name) else ""
            self.note(f"refused a message{of} ({count} so far): {reject.reason}")
        self.send(peer, reject)

    def peer_of(self, worker: str) -> bytes | None:
        """The connection of a worker."""
        session = self._by_worker.get(worker)
        return None if session is None else session.peer

    def lost(self, worker: str) -> None:
        """A worker is gone; whoever speaks over its connection must say hello again."""
        session = self._by_worker.get(worker)
        if session is not None:
            self._drop(session)

    def everyone(self, now: float) -> list[bytes]:
        """The connections of all workers, and of those who wait for their names."""
        self._pass_over_who_has_gone(now)
        return [*self._by_peer, *self._refused_a_name]

    def _pass_over_who_has_gone(self, now: float) -> None:
        gone = itertools.takewhile(lambda one: one[1] < now - TRIES_AGAIN_S, self._refused_a_name.items())
        for peer, _ in list(gone):
            del self._refused_a_name[peer]

    def _drop(self, session: _Session) -> None:
        self._forget(session)
        self.liveness.left(session.worker)

    def _forget(self, session: _Session) -> None:
        self._by_peer.pop(session.peer, None)
        if self._by_worker.get(session.worker) is session:
            del self._by_worker[session.worker]


def _is_name(text: str) -> bool:
    """Of a worker: short, and nothing in it that a terminal would take for a command."""
    return 0 < len(text) <= NAME_LIMIT and text.isprintable()


def _is_moderate(progress: Progress) -> bool:
    """Whether its partial quantities are worth keeping until the next come."""
    values, others = progress.values, progress.not_finite
    return (
        len(values) + len(others) <= QUANTITIES_LIMIT
        and all(map(math.isfinite, values.values()))
        and all(len(name) <= NAME_LIMIT for name in (*values, *others))
    )
