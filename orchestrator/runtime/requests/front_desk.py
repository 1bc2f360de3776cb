"""What people ask of a run: from the requests on its desk to events, to answers once those are on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Protocol, TypeAlias

from orchestrator.errors import OrchestratorError
from orchestrator.runtime.inbox import Inbox
from orchestrator.runtime.life import Life
from orchestrator.runtime.requests.amendments import Amended, decide_amendment
from orchestrator.runtime.requests.decisions import decide
from orchestrator.runtime.requests.desk import Waiting
from orchestrator.runtime.requests.kinds import Amend, Decision, Record, RecordFailure, Verdict
from orchestrator.runtime.results.wanted_results import WantedNow
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.amendment_events import Amendment
from orchestrator.scheduler.events import Event
from orchestrator.scheduler.state import State

LeftAmendment: TypeAlias = tuple[Waiting, Amended | OrchestratorError]
"""What was left while nobody worked on the run, and what was found of it."""


class Answering(Protocol):
    """Where requests are answered, and removed; `Desk` says what each part means."""

    def waiting(self) -> list[Waiting]: ...
    def answer(self, path: Path, reply: Verdict) -> str: ...


class FrontDesk:
    """Of one life of a run. ``note`` takes warnings for people.

    Nothing is answered before this life's first commit, for what the last one wrote may not be safe yet.
    Without clock, file or thread of its own, so that the laboratory that is simulated in tests runs it too:
    whoever owns it reads the desk, and says when a commit is done.
    """

    def __init__(self, life: Life, desk: Answering, inbox: Inbox[Event], note: Callable[[str], None]) -> None:
        self._spec = life.spec
        self._wanted = WantedNow(life.spec)
        self._scheduler = life.scheduler
        self._now = life.clock.now
        self._desk = desk
        self._inbox = inbox
        self._note = note
        # By the request and the kind of its event that awaits its commit: what is said then, or what is to be
        # looked at again.
        self._requested: dict[tuple[str, str], tuple[Path, str | Decision]] = {}
        # By name: the folder they lie in may get another one.
        self._answered: set[str] = set()
        self._held_back: list[tuple[Path, Verdict]] | None = []

    def new_among(self, requests: Iterable[Waiting]) -> Iterator[Waiting]:
        """Those of the requests that were not taken up yet."""
        for waiting in requests:
            if waiting.path.name not in self._answered and waiting.path.name not in self._in_hand():
                yield waiting

    def take_up(self, requests: Iterable[Waiting]) -> None:
        """Requests as they were found a moment ago; those that were taken up already may be among them."""
        for waiting in self.new_among(requests):
            if waiting.request is None:
                self._answer(waiting.path, Verdict(False, waiting.complaint))
                continue
            if isinstance(waiting.request, Amend):
                # Judged by the state that the ones before it lead to, so not before they are on disk; where
                # they changed the bounds, not before it is read again.
                state, judged = self._scheduler.state, waiting.judged
                if not self._requested and (judged is None or judged.answers(waiting.request, state)):
                    self._amend(waiting, self._judged(waiting, waiting.request, state))
                continue
            self._decide(waiting.path, waiting.request, new=True)

    def judge_left(self, requests: Iterable[Waiting], first: Sequence[Event]) -> list[LeftAmendment]:
        """The amendments among requests, each with what follows from it, or why nothing does.

        Each is judged by what those before it lead to, and the events left in the inbox before them, which
        are ``first``. It may take seconds: to be called beside the loop, before anything else happens.
        """
        left = [(one, one.request) for one in requests if isinstance(one.request, Amend)]
        if not left:
            return []
        ahead, judged = deepcopy(self._scheduler), list[LeftAmendment]()
        for event in first:
            ahead.handle(event)
        for waiting, request in left:
            decided = self._judged(waiting, request, ahead.state)
            for event in decided.events if isinstance(decided, Amended) else ():
                ahead.handle(event)
            judged.append((waiting, decided))
        return judged

    def take_up_left(self, judged: Iterable[LeftAmendment]) -> None:
        """What was amended while nobody worked on the run holds before anything is started."""
        for waiting, decided in judged:
            self._amend(waiting, decided)

    def committed(self, events: Iterable[Event]) -> None:
        """Events are on disk: whoever asked for one is answered."""
        held_back, self._held_back = self._held_back or [], None
        for path, reply in held_back:
            self._reply(path, reply)
        for event in events if self._requested else ():
            if not isinstance(event, Amendment | ev.Decision):
                continue
            if (asked := self._requested.pop(_awaited(event), None)) is not None:
                path, done = asked
                if isinstance(done, str):
                    self._answer(path, Verdict(True, done))
                else:
                    # It took effect, unless something came before it that it was not decided by.
                    self._decide(path, done)

    def _in_hand(self) -> list[str]:
        return [path.name for path, _ in self._requested.values()]

    def _answer(self, path: Path, reply: Verdict) -> None:
        self._answered.add(path.name)
        if self._held_back is None:
            self._reply(path, reply)
        else:
            self._held_back.append((path, reply))

    def _reply(self, path: Path, reply: Verdict) -> None:
        if still_there := self._desk.answer(path, reply):
            self._note(still_there)

    def _decide(self, path: Path, request: Decision, *, new: bool = False) -> None:
        """Answer, or leave the event of a decision, which is answered, and removed, when that is on disk. A
        ``new`` one that asks for what is so already is looked at again once that is on disk, too.
        """
        state = self._scheduler.state
        wanted = self._wanted.under(state.amended.constraints, state.amended.values)
        decided = decide(request, state, self._now(), path.stem, wanted)
        if isinstance(decided, Verdict) and decided.accepted and new and self._requested:
            return
        if isinstance(decided, Verdict):
            if not decided.accepted and isinstance(request, Record | RecordFailure):
                # As of an amendment: what was measured is said nowhere else by then.
                self._note(f"{_recorded_words(request)} was refused: {decided.sentence}")
            self._answer(path, decided)
        else:
            self._requested[_awaited(decided)] = path, request
            self._inbox.leave(decided)

    def _judged(self, waiting: Waiting, request: Amend, state: State) -> Amended | OrchestratorError:
        now, name = self._now(), waiting.path.stem
        try:
            return decide_amendment(request, self._spec, state, now, name, waiting.judged)
        except OrchestratorError as error:
            return error

    def _amend(self, waiting: Waiting, decided: Amended | OrchestratorError) -> None:
        """Leave the events of an amendment, or say why there are none."""
        if isinstance(decided, OrchestratorError):
            # Whoever left it may be gone by now.
            self._note(f"an amendment was refused: {decided}")
            self._answer(waiting.path, Verdict(False, str(decided)))
        elif not decided.events:
            self._answer(waiting.path, Verdict(True, decided.sentence))
        else:
            # All of them are in one commit: the last is on disk when all are.
            self._requested[_awaited(decided.events[-1])] = waiting.path, decided.sentence
            for event in decided.events:
                self._inbox.leave(event)


def _recorded_words(request: Record | RecordFailure) -> str:
    """What somebody had measured."""
    if isinstance(request, RecordFailure):
        return f"that trial {request.trial} failed"
    what = "" if request.value is None else f", {request.value:g}"
    return f"what was recorded of trial {request.trial}{what},"


def _awaited(event: Amendment | ev.Decision) -> tuple[str, str]:
    return event.request, type(event).__name__
