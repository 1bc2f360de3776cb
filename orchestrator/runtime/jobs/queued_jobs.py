"""The jobs of a run in its queue: what the scheduler's rules of jobs say is done here, one command at a time.

A job is on disk as asked for before it is submitted, so a later life knows that it may be there. What hangs
or fails is said, and tried again.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import anyio

from orchestrator.runtime.beside_loop import beside_loop
from orchestrator.runtime.circumstances import Circumstances
from orchestrator.runtime.inbox import Inbox
from orchestrator.runtime.jobs.cluster_queue import ClusterQueue, NoAnswerError, NotTakenError
from orchestrator.runtime.jobs.job_notes import JobNotes
from orchestrator.runtime.jobs.jobs_seen import jobs_seen
from orchestrator.runtime.jobs.queue_words import last_words
from orchestrator.runtime.life import Life
from orchestrator.scheduler.commands import Command, SubmitJob, TakeBackJob
from orchestrator.scheduler.events import Event
from orchestrator.scheduler.job_events import JobEnded, JobEvent, JobRefused, JobSubmitted
from orchestrator.scheduler.job_keeping import (
    JobRule,
    heard,
    to_ask_after,
    to_call_off,
    to_send_home,
    to_submit,
    waiting_jobs,
)
from orchestrator.scheduler.job_lists import Listing
from orchestrator.scheduler.transitions import Phase
from orchestrator.spec.sections.jobs import JobsSection

LOOKS_EVERY_S = 0.2
LOOKS_AT_THE_END_EVERY_S = 2.0
LONGEST_NAME = 60
ASKED_AFTER_AT_ONCE = 20
"""Of so many jobs at most the queue is asked, each alone, how they ended, before all else goes on."""

JobCommand: TypeAlias = SubmitJob | TakeBackJob


def job_name(folder: Path) -> str:
    """What the names of a run's jobs begin with: such as every queue takes, letters first."""
    # A run's own name ends with when it began, by which it differs from others of its experiment. Those that
    # began in one second lie in other folders.
    folder = folder.resolve()
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", folder.name)[-LONGEST_NAME:]
    where = hashlib.sha256(os.fsencode(folder)).hexdigest()[:4]
    return f"{plain if plain[:1].isalpha() else f'run-{plain}'}-{where}"


@dataclass(slots=True)
class _Asked:
    """When the queue was asked last how jobs stand, and since when it does not answer."""

    at: float = float("-inf")
    silent_since: float | None = None


class QueuedJobs:
    """One life's. `run` goes on until `end`; `take` has commands once what they follow from is safe.

    ``address`` is what workers dial; events go to ``inbox``, and how jobs stand to ``circumstances``. It is
    ``over`` once what waits was taken back, or not in time.
    """

    def __init__(
        self,
        life: Life,
        section: JobsSection,
        address: str,
        notes: JobNotes,
        inbox: Inbox[Event],
        circumstances: Circumstances,
    ) -> None:
        self._queue = ClusterQueue(section, address, notes.outputs, notes.patience)
        self._state = life.scheduler.state
        self._now = life.clock.now
        self._rule = JobRule(
            at_most=section.at_most,
            name=job_name(life.folder.path),
            address=address,
            named=section.named,
            idle_s=section.idle_s,
            patience=notes.patience,
        )
        self._inbox = inbox
        self._circumstances = circumstances
        self.notes = notes
        self._taken: dict[int, str] = {}
        self._doubted: dict[int, str] = {}
        self._commands: list[JobCommand] = []
        self._unhandled = 0
        self._asked = _Asked()
        self._listing = Listing()
        self._ending, self._ended = anyio.Event(), anyio.Event()
        self._takes_back = self._began = self.over = False

    def take(self, commands: Iterable[Command]) -> None:
        """What the scheduler would have done, now that what it follows from is on disk."""
        self._commands += [one for one in commands if isinstance(one, SubmitJob | TakeBackJob)]

    def handled(self, events: Sequence[Event]) -> None:
        """These are on disk, and the state is as they made it."""
        ours = [event for event in events if isinstance(event, JobEvent)]
        self._unhandled = max(0, self._unhandled - len(ours))
        for event in ours:
            self._taken.pop(event.number, None)
            self._doubted.pop(event.number, None)
            self.notes.heard(event, self._state)

    async def run(self) -> None:
        """Tend to the queue until the end."""
        self._began = True
        try:
            while not self._ending.is_set():
                await self._carry_out()
                if self._is_due() and not self._ending.is_set():
                    await self._ask()
                await self._decide()
                self._show()
                with anyio.move_on_after(LOOKS_EVERY_S):
                    await self._ending.wait()
            if self._takes_back:
                await self._take_back_all()
        finally:
            self._ended.set()

    async def take_back(self) -> None:
        """`end`, with what waits taken back; ``over`` then."""
        try:
            await self.end(take_back=True)
        finally:
            self.over = True

    async def end(self, *, take_back: bool) -> None:
        """Submit nothing more; ``take_back`` what waits. In bounded time."""
        self._takes_back = take_back
        self._ending.set()
        self._queue.hurry(self._rule.patience.last_s)
        if not self._began:
            return
        with anyio.move_on_after(self._rule.patience.ending_s) as scope:
            await self._ended.wait()
        if scope.cancelled_caught and take_back:
            self.notes.say("warning", self._left_words())

    def _left_words(self) -> str:
        left = [job.job for job in waiting_jobs(self._state, self._listing)]
        named = f": {', '.join(left[:10])}" if left else ""
        return f"the queue did not take back what waits in it in time{named}; it leaves where nobody answers"

    def _leave(self, event: JobEvent) -> None:
        self._unhandled += 1
        self._inbox.leave(event)

    # -- what the rules say ---------------------------------------------------------------------------

    async def _decide(self) -> None:
        """What follows from how all stands, unless what followed before is on its way still."""
        if self._unhandled or self._commands or self._ending.is_set():
            return
        await self._ask_after()
        now = self._now()
        events: list[JobEvent] = [*heard(self._state, self._rule, self._listing, now)]
        for place, event in enumerate(events):
            if isinstance(event, JobEnded):
                said = await beside_loop(last_words, self._queue.output(event.number))
                events[place] = replace(event, said=said)
        events = events or [*to_call_off(self._state, self._rule, self._listing, now)]
        events = events or [*to_send_home(self._state, self._rule, now)]
        if not events and (asked := to_submit(self._state, self._rule, now)) is not None:
            events = [asked]
        for event in events:
            self._leave(event)

    # -- what is done ---------------------------------------------------------------------------------

    async def _carry_out(self) -> None:
        commands, self._commands = self._commands, []
        back = [one for one in commands if isinstance(one, TakeBackJob)]
        if back:
            await self._take_back([one.job for one in back])
        for command in commands:
            if isinstance(command, SubmitJob):
                # A queue may take its time over it.
                self._show()
                self._leave(self._too_late(command) or await self._submitted(command))

    def _too_late(self, command: SubmitJob) -> JobRefused | None:
        """Where the run ends before it was submitted, it is not."""
        ends = self._state.phase in (Phase.DRAINING, Phase.FINISHED)
        if not ends and not self._ending.is_set():
            return None
        refused = "the run ended before it was submitted"
        return JobRefused(at=self._now(), number=command.number, message=refused)

    async def _submitted(self, command: SubmitJob) -> JobEvent:
        """Submit one; what came of it."""
        number = command.number
        try:
            job = await self._queue.submit(command)
        except NotTakenError as error:
            return JobRefused(at=self._now(), number=number, message=str(error))
        except NoAnswerError as error:
            self._doubted[number] = command.name
            return JobSubmitted(at=self._now(), number=number, job="", reason=str(error))
        self._taken[number] = job
        return JobSubmitted(at=self._now(), number=number, job=job)

    async def _take_back(self, jobs: Iterable[str]) -> bool:
        """Whether the queue did so."""
        try:
            await self._queue.take_back(jobs)
        except NoAnswerError as error:
            self.notes.not_taken_back(str(error))
            return False
        return True

    async def _take_back_all(self) -> None:
        """All whose workers never came, at the end, and what was submitted at the last moment as well."""
        for command in self._commands:
            if isinstance(command, SubmitJob) and (refused := self._too_late(command)) is not None:
                self._leave(refused)
        known = self._state.jobs.known
        doubted = {number: job.name for number, job in known.items() if job.in_doubt} | self._doubted
        # One whose worker came ends with that.
        doubted = {
            number: name
            for number, name in doubted.items()
            if number not in known or known[number].joined_at is None
        }
        found = await self._found(doubted) if doubted else {}
        numbers = {job.number: job.job for job in waiting_jobs(self._state, self._listing)}
        numbers |= self._taken | found
        if numbers and await self._take_back(numbers.values()):
            for number in numbers:
                self._leave(JobEnded(at=self._now(), number=number, said="taken back as the run ended"))

    async def _found(self, doubted: Mapping[int, str]) -> dict[int, str]:
        """The numbers of jobs of which nobody knew whether the queue has them, by their names, as far as it
        lists them by now; the command that submitted one may have gone on by itself.
        """
        found, listing = dict[int, str](), Listing()
        until = anyio.current_time() + self._rule.patience.last_s
        while self._rule.named:
            with suppress(NoAnswerError):
                listing = await self._queue.listed([*doubted.values()], self._now())
            found = {
                number: listing.by_name[name].job
                for number, name in doubted.items()
                if name in listing.by_name
            }
            if len(found) == len(doubted) or anyio.current_time() >= until:
                break
            await anyio.sleep(LOOKS_AT_THE_END_EVERY_S)
        for number, job in found.items():
            self._leave(JobSubmitted(at=self._now(), number=number, job=job))
        if lost := {number: name for number, name in doubted.items() if number not in found}:
            self.notes.not_found(lost, named=self._rule.named)
        return found

    # -- what the queue says --------------------------------------------------------------------------

    def _is_due(self) -> bool:
        known, patience = self._state.jobs.known.values(), self._rule.patience
        if not known:
            return False
        soon = any(
            job.joined_at is not None
            or (job.heard_at or 0.0) + patience.listed_s > self._listing.asked_at
            or (job.called_off_at or 0.0) > self._listing.asked_at
            for job in known
            if not job.here
        )
        soon = soon or bool(self._listing.missed)
        return self._now() - self._asked.at >= (patience.asked_soon_s if soon else patience.asked_s)

    async def _ask(self) -> None:
        """How jobs stand. A queue that does not answer has said nothing of them."""
        asked_at = self._asked.at = self._now()
        known = self._state.jobs.known.values()
        try:
            listed = await self._queue.listed({job.name for job in known}, asked_at)
        except NoAnswerError as error:
            if self._asked.silent_since is None:
                self._asked.silent_since = asked_at
                why = f"the queue does not say how jobs stand, and is asked again: {error}"
                self.notes.say("warning", why)
            return
        self._listing = listed.after(self._listing, known, self._rule.patience.listed_s)
        self._asked.silent_since = None

    async def _ask_after(self) -> None:
        """How those ended that are not listed any more, as far as the queue says."""
        fates = dict(self._listing.fates)
        for job in [*to_ask_after(self._state, self._listing)][:ASKED_AFTER_AT_ONCE]:
            if self._ending.is_set():
                return
            fates[job.number] = await self._queue.fate_of(job.job)
        self._listing = replace(self._listing, fates=fates)

    def _show(self) -> None:
        self._circumstances.jobs = jobs_seen(self._state, self._listing, self._asked.silent_since)
