"""The jobs of a run in its queue: what the scheduler's rules of jobs say is done here, one command at a time.

A job is on disk as asked for before it is submitted, so a later life knows that it may be there. What hangs
or fails is said, and tried again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import anyio

from orchestrator.runtime.beside_loop import beside_loop
from orchestrator.runtime.circumstances import Circumstances, JobsSeen
from orchestrator.runtime.inbox import Inbox
from orchestrator.runtime.jobs.job_notes import JobNotes
from orchestrator.runtime.jobs.queue_command import Ran, run_queue_command
from orchestrator.runtime.jobs.queue_words import (
    job_number,
    last_line,
    last_words,
    listing,
    plain_number,
)
from orchestrator.runtime.life import Life
from orchestrator.scheduler.commands import Command, SubmitJob, TakeBackJob
from orchestrator.scheduler.events import Event
from orchestrator.scheduler.job_events import JobEnded, JobEvent, JobRefused, JobSubmitted
from orchestrator.scheduler.job_keeping import (
    JobRule,
    Listing,
    given_up,
    heard,
    to_call_off,
    to_submit,
    waiting_jobs,
)
from orchestrator.scheduler.transitions import Phase
from orchestrator.spec.sections.jobs import JobsSection

ADDRESS_VARIABLE = "ORCHESTRATOR_ADDRESS"
WORKER_VARIABLE = "ORCHESTRATOR_WORKER"
FOLDER_VARIABLE = "ORCHESTRATOR_RUN"
"""What a job's script is told: where its worker dials, what it is called, and where the run's folder is."""
LOOKS_EVERY_S = 0.2
LONGEST_NAME = 60

JobCommand: TypeAlias = SubmitJob | TakeBackJob


def job_name(run: str) -> str:
    """What the names of a run's jobs begin with: such as every queue takes, letters first."""
    # A run's own name ends with when it began, by which it differs from others of its experiment.
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", run)[-LONGEST_NAME:]
    return plain if plain[:1].isalpha() else f"run-{plain}"


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
        self._section = section
        self._state = life.scheduler.state
        self._now = life.clock.now
        self._outputs = notes.outputs
        self._rule = JobRule(
            at_most=section.at_most,
            name=job_name(life.folder.name),
            address=address,
            named=section.named,
            patience=notes.patience,
        )
        self._inbox = inbox
        self._circumstances = circumstances
        self.notes = notes
        self._taken: dict[int, str] = {}
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
                self._circumstances.jobs = self._seen()
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
        if not self._began:
            return
        with anyio.move_on_after(self._rule.patience.ending_s) as scope:
            await self._ended.wait()
        if scope.cancelled_caught and take_back:
            self.notes.say("warning", self._left_words())

    def _left_words(self) -> str:
        left = [job.job for job in waiting_jobs(self._state, self._listing)]
        if not left and (job := self._state.jobs.under_way) is not None:
            return (
                f"the queue did not say in time whether it took job {job.number}; if it did, that leaves"
                " where nobody answers"
            )
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
        now = self._now()
        events: list[JobEvent] = [*heard(self._state, self._rule, self._listing, now)]
        for place, event in enumerate(events):
            if isinstance(event, JobEnded):
                said = await beside_loop(last_words, self._output(event.number))
                events[place] = replace(event, said=said)
        events = events or [*to_call_off(self._state, self._rule, self._listing, now)]
        if not events and (asked := to_submit(self._state, self._rule, now)) is not None:
            events = [asked]
        for event in events:
            self._leave(event)

    def _output(self, number: int) -> Path:
        return self._outputs / f"{number:04d}.txt"

    # -- what is done ---------------------------------------------------------------------------------

    async def _carry_out(self) -> None:
        commands, self._commands = self._commands, []
        back = [one for one in commands if isinstance(one, TakeBackJob)]
        if back:
            await self._take_back(back)
        for command in commands:
            if isinstance(command, SubmitJob):
                # A queue may take its time over it.
                self._circumstances.jobs = self._seen()
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
        number, output = command.number, self._output(command.number)
        given = {"name": command.name, "output": str(output), "worker": command.worker}
        arguments = self._section.submission({**given, "address": self._rule.address})
        try:
            await beside_loop(lambda: self._outputs.mkdir(exist_ok=True))
            ran = await self._ran(arguments, command.worker)
        except OSError as error:
            return JobRefused(at=self._now(), number=number, message=f"`{arguments[0]}`: {error.strerror}")
        if ran.code is None or ran.too_long:
            return JobSubmitted(at=self._now(), number=number, job="", reason=ran.failure)
        if not ran.went_well:
            return JobRefused(at=self._now(), number=number, message=ran.failure)
        job = plain_number(job_number(ran.said))
        got = last_line(ran.said) or "nothing"
        reason = "" if job else f"expected the job's number of `{ran.program}`, got {got}"
        if job:
            self._taken[number] = job
        return JobSubmitted(at=self._now(), number=number, job=job, reason=reason)

    async def _take_back(self, jobs: Sequence[TakeBackJob]) -> bool:
        """Whether the queue did so."""
        if not jobs:
            return True
        arguments = self._section.cancellation([one.job for one in jobs])
        try:
            ran = await self._ran(arguments)
        except OSError as error:
            self.notes.not_taken_back(f"`{arguments[0]}`: {error.strerror}")
            return False
        if not ran.went_well:
            self.notes.not_taken_back(ran.failure)
        return ran.went_well

    async def _take_back_all(self) -> None:
        """All whose workers never came, at the end, and what was submitted at the last moment as well."""
        for command in self._commands:
            if isinstance(command, SubmitJob) and (refused := self._too_late(command)) is not None:
                self._leave(refused)
        waiting = waiting_jobs(self._state, self._listing)
        numbers = {job.number: job.job for job in waiting} | self._taken
        if numbers and await self._take_back([TakeBackJob(number=n, job=job) for n, job in numbers.items()]):
            for number in numbers:
                self._leave(JobEnded(at=self._now(), number=number, said="taken back as the run ended"))

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
        return self._now() - self._asked.at >= (patience.asked_soon_s if soon else patience.asked_s)

    async def _ask(self) -> None:
        """How jobs stand. A queue that does not answer has said nothing of them."""
        asked_at = self._asked.at = self._now()
        program, *_ = arguments = self._section.state or []
        try:
            ran = await self._ran(arguments)
        except OSError as error:
            ran = Ran(program, 127, complained=error.strerror or "")
        if ran.went_well:
            names = {job.name for job in self._state.jobs.known.values()}
            column = self._section.column
            self._listing = await beside_loop(listing, ran.said, names, asked_at, column)
            self._asked.silent_since = None
        elif self._asked.silent_since is None:
            self._asked.silent_since = asked_at
            self.notes.say(
                "warning", f"the queue does not say how jobs stand, and is asked again: {ran.failure}"
            )

    async def _ran(self, arguments: Sequence[str], worker: str = "") -> Ran:
        folder = str(self._outputs.parent)
        environment = {ADDRESS_VARIABLE: self._rule.address, FOLDER_VARIABLE: folder}
        if worker:
            environment[WORKER_VARIABLE] = worker
        return await run_queue_command(arguments, environment, self._rule.patience.command_s)

    def _seen(self) -> JobsSeen:
        """How they stand, for whoever looks."""
        running = coming = waiting = doubted = 0
        why: dict[str, int] = {}
        since: float | None = None
        for job in self._state.jobs.known.values():
            listed = self._listing.of(job)
            if job.here or (listed is not None and not listed.waits):
                running += 1
                coming += job.joined_at is None
            elif job.in_doubt and listed is None:
                doubted += 1
            elif job.called_off_at is None:
                waiting += 1
                since = job.asked_at if since is None else min(since, job.asked_at)
                if listed is not None and (reason := listed.reason or listed.state):
                    why[reason] = why.get(reason, 0) + 1
        return JobsSeen(
            running=running,
            coming=coming,
            waiting=waiting,
            doubted=doubted,
            why=why,
            waiting_since=since,
            silent_since=self._asked.silent_since,
            refused=self._state.jobs.refusal,
            given_up=given_up(self._state),
            last_words=self._state.jobs.last_words,
        )
