"""What is found out by looking a few times a second, as no message says it: the time, and who is missed."""

from __future__ import annotations

from datetime import datetime

from orchestrator.runtime.conductor import Conductor, Note
from orchestrator.runtime.connections.broker import Broker
from orchestrator.runtime.connections.descriptors import why_no_connection
from orchestrator.runtime.connections.refusals import Refusals
from orchestrator.runtime.days import day_begun
from orchestrator.runtime.life import Life
from orchestrator.runtime.missed_workers import MissedWorkers
from orchestrator.runtime.time_of_day import TimeOfDay
from orchestrator.scheduler.time_events import TimeOfDayMoved
from orchestrator.scheduler.words.story import said_to_all


class Lookout:
    """Of one life of a run: what it sees is left as an event, or noted for people."""

    def __init__(self, life: Life, broker: Broker, conductor: Conductor, note: Note) -> None:
        self._state = life.scheduler.state
        self._now = life.clock.now
        self._broker = broker
        self._conductor = conductor
        self._note = note
        self._time_of_day = None if life.spec.clock is None else TimeOfDay()
        self._missed_workers = MissedWorkers()
        self._refusals = None if broker.gate is None else Refusals("worker", broker.gate.keyring)
        self._said_why_no_connection = False

    def look_at_clocks(self) -> None:
        """Whether the time of day has moved otherwise than the run's own, and which day it is."""
        watched = None if self._conductor.finished else self._time_of_day
        if watched is not None and (moved := watched.moved()):
            event = TimeOfDayMoved(at=self._now(), wall=moved.wall, slept_s=moved.slept_s)
            self._note("warning", said_to_all(event))
            self._conductor.inbox.leave(event)
        self.see_which_day_it_is()

    def see_which_day_it_is(self) -> None:
        """Where that is what blocks of results are."""
        day = day_begun(self._state, self._now(), datetime.now().astimezone())
        if day is not None and not self._conductor.finished:
            self._conductor.inbox.leave(day)

    def look_for_workers(self) -> None:
        """Whether any is missed, who was refused, and whether no connection can be taken any more."""
        if sentence := self._missed_workers.on_time(self._state, self._now()):
            self._note("warning", sentence)
        self._say_who_was_refused()
        if not self._said_why_no_connection and (why := why_no_connection()):
            self._said_why_no_connection = True
            self._note("warning", why)

    def _say_who_was_refused(self) -> None:
        circumstances, gate = self._conductor.circumstances, self._broker.gate
        refused = 0 if gate is None else gate.keyring.refused + self._broker.shut_out
        keyless = self._broker.keyless()
        circumstances.keys_refused, circumstances.keyless_refused = refused, keyless
        if self._refusals is None:
            return
        circumstances.key_refused = self._refusals.last_key
        for sentence in self._refusals.to_be_said(refused, keyless):
            self._note("warning", sentence)
