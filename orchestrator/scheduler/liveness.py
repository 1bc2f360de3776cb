"""Who is still there: heartbeats in, the events that silence causes out.

Pure, like the machine, but not journalled: it forgets everything with its process, and what it concludes
enters the journal as events. A message may be lost on a wire that reconnects by itself, so a worker that
beats without a lease it was given is not believed to work on it for longer than a few beats.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from orchestrator.scheduler.events import Event, LeaseExpired, WorkerLeft
from orchestrator.scheduler.handing_out import may_try
from orchestrator.scheduler.leases import trial_under
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase

SENDING_S = 1.0
"""What is in the journal is sent within this time; a life that ended sooner may have sent nothing of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long is too long, in seconds.

    ``heartbeat_s`` is the interval asked of workers; ``silence_s`` the silence after which a worker is
    lost; ``unheld_s`` how long a lease may be missing from its worker's heartbeats; ``overdue_s`` how long
    past its timeout a lease is left to the worker, which kills its evaluation itself, and may first have
    five minutes of setting up that no timeout counts; ``return_s`` how long the workers of an earlier life,
    and those lost with the last attempt of a trial, have to come back; ``waits_s`` how long a trial waits at
    a worker that finishes what another run gave it, while others are free, where nobody knows how long one
    takes.
    """

    heartbeat_s: float = 2.0
    silence_s: float = 12.0
    unheld_s: float = 6.0
    overdue_s: float = 330.0
    return_s: float = 60.0
    waits_s: float = 60.0


@dataclass(slots=True)
class _Lease:
    """``begun``: its worker may have begun it, for it had it once, or nobody here knows.

    ``given_up`` is why nothing is to be hoped for any more, ``refused`` why its outcome was none.
    ``waits_since``: its worker has it and has not begun it, since then.
    """

    worker: str
    since: float
    confirmed: float
    begun: bool = False
    given_up: str = ""
    refused: str = ""
    waits_since: float | None = None


@dataclass(slots=True)
class Liveness:
    """Watches workers and leases; `expired` says what silence means by now."""

    timeout_s: float | None
    patience: Patience = field(default_factory=Patience)
    _sessions: dict[str, str] = field(init=False, default_factory=dict)
    _heard: dict[str, float] = field(init=False, default_factory=dict)
    _beats: dict[str, float] = field(init=False, default_factory=dict)
    _leases: dict[str, _Lease] = field(init=False, default_factory=dict)
    _draining: set[str] = field(init=False, default_factory=set)
    _awaited: dict[str, float] = field(init=False, default_factory=dict)
    _doubted: dict[str, set[str]] = field(init=False, default_factory=dict)
    _perhaps_unsent: set[str] = field(init=False, default_factory=set)

    def inherited(self, left: State) -> None:
        """A life begins with what the last one ``left``, of which the last may never have been sent."""
        self._perhaps_unsent = {
            trial.lease
            for trial in left.unsettled.values()
            if trial.lease is not None
            and trial.started_at is not None
            and left.at - trial.started_at <= SENDING_S
        }

    def await_return(self, state: State, now: float) -> None:
        """A run was taken over, or a worker lost: live leases of those that are not connected, and no others,
        get some time to be claimed, from now on if they have none yet.
        """
        until = now + self.patience.return_s
        self._awaited = {
            trial.lease: self._awaited.get(trial.lease, until)
            for trial in state.unsettled.values()
            if trial.lease is not None and trial.worker not in state.crew.workers
        }

    def joined(self, worker: str, now: float, session: str = "", *, draining: bool = False) -> None:
        """A worker said hello; one of another session is another process, and has nothing of what was."""
        if self._sessions.get(worker, session) != session:
            self.left(worker)
        self._sessions[worker] = session
        self._heard[worker] = now
        self._draining.discard(worker)
        if draining:
            self._draining.add(worker)

    def believed(self, worker: str, leases: Collection[str], held: Iterable[str], now: float) -> None:
        """The leases that the scheduler takes a worker to have that has just joined.

        Those that it does not say it works on (``held``) may be finished, their results still to be sent
        again; one that is missing from its first heartbeat, which comes after those, is lost. But what this
        very process never had may be on its way to it, and cross its hello.
        """
        working = set(held)
        doubted: set[str] = set()
        for name in leases:
            self._awaited.pop(name, None)
            lease = self._watched(name, worker)
            if lease is None:
                begun = name not in self._perhaps_unsent
                lease = self._leases[name] = _Lease(worker, now, now, begun=begun)
            if name in working:
                self._confirm(name, lease, now)
            elif lease.begun or name in self._perhaps_unsent:
                doubted.add(name)
        self._doubted[worker] = doubted

    def left(self, worker: str) -> None:
        """A worker is gone; so are its leases."""
        self._sessions.pop(worker, None)
        self._heard.pop(worker, None)
        self._beats.pop(worker, None)
        self._doubted.pop(worker, None)
        self._draining.discard(worker)
        for lease in [name for name, lease in self._leases.items() if lease.worker == worker]:
            del self._leases[lease]

    def heard(self, worker: str, now: float) -> None:
        """Any message of a worker came."""
        if worker in self._heard:
            self._heard[worker] = now

    def sends_much(self, worker: str, now: float) -> None:
        """A part of what is long came from a worker: behind it may wait what ended long ago there, and is in
        its beats no longer.
        """
        self.heard(worker, now)
        for lease in self._leases.values():
            if lease.worker == worker:
                lease.confirmed = now
                if self.timeout_s is not None:
                    lease.since = max(lease.since, now - self.timeout_s)

    def beat(
        self,
        worker: str,
        held: Iterable[str],
        now: float,
        *,
        draining: bool = False,
        waiting: Collection[str] = (),
    ) -> None:
        """A heartbeat came, with the leases that its worker works on; ``draining``: and takes no other;
        ``waiting``: those that it has not begun, as it finishes what another run gave it.
        """
        self.heard(worker, now)
        self._beats[worker] = now
        working = set(held)
        for name in working:
            if (lease := self._watched(name, worker)) is not None:
                self._confirm(name, lease, now)
                if name in waiting:
                    lease.since = now
                    lease.waits_since = now if lease.waits_since is None else lease.waits_since
                else:
                    lease.waits_since = None
        for name in self._doubted.pop(worker, set()) - working:
            if (lease := self._watched(name, worker)) is not None:
                lease.given_up = f"{worker} came back without it"
        if draining:
            self._drop_waiting(worker, working)

    def _drop_waiting(self, worker: str, working: Collection[str]) -> None:
        """A worker that drains begins nothing: neither what comes to it, nor, as it says so, what waited."""
        first = worker not in self._draining
        self._draining.add(worker)
        for name, lease in self._leases.items():
            dropped = lease.worker == worker and name not in working and (first or not lease.begun)
            if dropped and not lease.given_up:
                lease.begun, lease.given_up = False, f"{worker} finishes what it has and did not begin it"

    def began(self, lease: str, worker: str) -> None:
        """Partial quantities of a lease came from its worker."""
        if (watched := self._watched(lease, worker)) is not None:
            watched.begun = True
            self._perhaps_unsent.discard(lease)

    def refused(self, lease: str, worker: str, complaint: str) -> None:
        """What was meant as the outcome of a lease came from its worker, and could not be taken."""
        if (watched := self._watched(lease, worker)) is not None:
            watched.begun, watched.refused = True, complaint

    def _confirm(self, name: str, lease: _Lease, now: float) -> None:
        """Its worker has it."""
        lease.begun, lease.confirmed = True, now
        self._perhaps_unsent.discard(name)

    def granted(self, lease: str, worker: str, now: float) -> None:
        """A lease was sent to a worker."""
        self._leases[lease] = _Lease(worker, now, now)

    def ended(self, lease: str, worker: str) -> None:
        """A worker has nothing more to do with a lease, which it may never have had."""
        if self._watched(lease, worker) is not None:
            del self._leases[lease]

    def excuse(self, seconds: float) -> None:
        """For so long nothing that was sent could be read here: that counts as nobody's silence."""
        for worker in self._heard:
            self._heard[worker] += seconds
        for lease in self._leases.values():
            lease.since += seconds
            lease.confirmed += seconds
            if lease.waits_since is not None:
                lease.waits_since += seconds
        for name in self._awaited:
            self._awaited[name] += seconds

    def expired(self, now: float) -> list[Event]:
        """The events that silence has caused by ``now``; each is reported once."""
        found: list[Event] = []
        for worker in [name for name, at in self._heard.items() if now - at > self.patience.silence_s]:
            silence = now - self._heard[worker]
            busy = any(lease.worker == worker for lease in self._leases.values())
            # One that drains may go, and its goodbye may be lost.
            lost = busy or worker not in self._draining
            found.append(WorkerLeft(at=now, worker=worker, lost=lost, reason=f"silent for {silence:.0f} s"))
            self.left(worker)
        for name, lease in list(self._leases.items()):
            reason = self._overdue(lease, now)
            if reason:
                found.append(LeaseExpired(at=now, lease=name, reason=reason, counts=lease.begun))
                del self._leases[name]
        for name in [name for name, until in self._awaited.items() if now > until]:
            counts = name not in self._perhaps_unsent
            reason = "its worker did not come back"
            found.append(LeaseExpired(at=now, lease=name, reason=reason, counts=counts))
            self._awaited[name] = math.inf
        return found

    def outwaited(self, state: State, now: float) -> list[LeaseExpired]:
        """What others are free for, and has waited at its worker for longer than its timeout, or than others
        took: another run's evaluation may hang there for ever.
        """
        if state.phase is not Phase.ACTIVE:
            return []
        takes_s = [state.optimiser.pace.evaluation_s, *([] if self.timeout_s is None else [self.timeout_s])]
        enough_s = min(takes_s) if min(takes_s) < math.inf else self.patience.waits_s
        enough_s = max(enough_s, self.patience.heartbeat_s)
        waiting = {name: lease for name, lease in self._leases.items() if lease.waits_since is not None}
        busy = {lease.worker for lease in waiting.values()}
        free = {name: worker.free for name, worker in state.crew.idle.items() if name not in busy}
        found: list[LeaseExpired] = []
        for name, lease in waiting.items():
            trial = trial_under(state, name)
            if trial is None or trial.lease != name or now - (lease.waits_since or now) <= enough_s:
                continue
            takers = (
                one
                for one in free
                if free[one] >= trial.slots and may_try(state, state.crew.workers[one], trial)
            )
            if (taker := next(takers, None)) is None:
                continue
            free[taker] -= trial.slots
            reason = f"{lease.worker} has not begun it, as another run's evaluation goes on there"
            found.append(LeaseExpired(at=now, lease=name, reason=reason, counts=False, waited=True))
            del self._leases[name]
        return found

    def _watched(self, name: str, worker: str) -> _Lease | None:
        """A lease that is watched for a worker."""
        lease = self._leases.get(name)
        return lease if lease is not None and lease.worker == worker else None

    def _overdue(self, lease: _Lease, now: float) -> str:
        if lease.given_up:
            return lease.given_up
        # By its beats, not by the clock: one that is silent may work on it all the while.
        patience = self.patience.unheld_s + self.patience.heartbeat_s
        if self._beats.get(lease.worker, 0.0) - lease.confirmed > patience:
            if lease.refused:
                return f"what {lease.worker} sent of it was refused: {lease.refused}"
            return f"{lease.worker} beats but {'does not work on it' if lease.begun else 'never had it'}"
        if self.timeout_s is not None and now - lease.since > self.timeout_s + self.patience.overdue_s:
            return f"no result {self.patience.overdue_s:.0f} s past its timeout"
        return ""
