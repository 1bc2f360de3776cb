"""A cluster's queue, by the commands of a spec: each is run, and what it prints understood."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import anyio

from orchestrator.runtime.beside_loop import beside_loop
from orchestrator.runtime.jobs.fate_words import fate
from orchestrator.runtime.jobs.queue_command import Ran, run_queue_command
from orchestrator.runtime.jobs.queue_words import job_number, last_line, listing, plain_number
from orchestrator.scheduler.commands import SubmitJob
from orchestrator.scheduler.job_keeping import QueuePatience
from orchestrator.scheduler.job_lists import Fate, Listing
from orchestrator.spec.sections.jobs import JobsSection

ADDRESS_VARIABLE = "ORCHESTRATOR_ADDRESS"
WORKER_VARIABLE = "ORCHESTRATOR_WORKER"
FOLDER_VARIABLE = "ORCHESTRATOR_RUN"
"""What a job's script is told: where its worker dials, what it is called, and where the run's folder is."""


class NotTakenError(Exception):
    """The queue did not take a job."""


class NoAnswerError(Exception):
    """The queue did not do, or say, what it was asked, or that is not known."""


class ClusterQueue:
    """One command at a time, which is ended where it takes too long. ``outputs``: where jobs' output goes."""

    def __init__(self, section: JobsSection, address: str, outputs: Path, patience: QueuePatience) -> None:
        self._section = section
        self._address = address
        self._outputs = outputs
        self._patience = patience
        self._limit: anyio.CancelScope | None = None
        self._most_s = math.inf

    def hurry(self, seconds: float) -> None:
        """Have the command under way, if one is, end within so many seconds, and each one after it."""
        self._most_s = seconds
        if self._limit is not None:
            self._limit.deadline = min(self._limit.deadline, anyio.current_time() + seconds)

    def output(self, number: int) -> Path:
        """Where what a job of the run prints is kept."""
        return self._outputs / f"{number:04d}.txt"

    async def submit(self, command: SubmitJob) -> str:
        """The number of a job that was submitted. Raises `NotTakenError` where it was not, and where nobody
        knows `NoAnswerError`.
        """
        given = {"name": command.name, "output": str(self.output(command.number)), "worker": command.worker}
        arguments = self._section.submission({**given, "address": self._address})
        try:
            await beside_loop(lambda: self._outputs.mkdir(exist_ok=True))
            ran = await self._ran(arguments, self._patience.command_s, command.worker)
        except OSError as error:
            # It may be the folder that cannot be made.
            raise NotTakenError(f"`{error.filename or arguments[0]}`: {error.strerror}") from None
        if ran.code is None or ran.too_long:
            raise NoAnswerError(ran.failure)
        if not ran.went_well:
            raise NotTakenError(ran.failure)
        job = plain_number(job_number(ran.said))
        if not job:
            got = last_line(ran.said) or "nothing"
            raise NoAnswerError(f"expected the job's number of `{ran.program}`, got {got}")
        return job

    async def listed(self, names: Collection[str], asked_at: float) -> Listing:
        """How jobs stand, the run's by their ``names`` as well. Raises `NoAnswerError`."""
        ran = await self._answer(self._section.state or [], self._patience.command_s)
        return await beside_loop(listing, ran.said, names, asked_at, self._section.column)

    async def fate_of(self, job: str) -> Fate | None:
        """What is said of one job alone: by the first of its commands that says anything."""
        for arguments in self._section.questions(job):
            try:
                ran = await self._answer(arguments, self._patience.told_s)
            except NoAnswerError:
                continue
            if (told := fate(ran.said)) is not None:
                return told
        return None

    async def take_back(self, jobs: Iterable[str]) -> None:
        """Have them dropped. Raises `NoAnswerError`."""
        await self._answer(self._section.cancellation(jobs), self._patience.command_s)

    async def _answer(self, arguments: Sequence[str], limit_s: float) -> Ran:
        try:
            ran = await self._ran(arguments, limit_s)
        except OSError as error:
            raise NoAnswerError(f"`{arguments[0]}`: {error.strerror}") from None
        if not ran.went_well:
            raise NoAnswerError(ran.failure)
        return ran

    async def _ran(self, arguments: Sequence[str], limit_s: float, worker: str = "") -> Ran:
        environment = {ADDRESS_VARIABLE: self._address, FOLDER_VARIABLE: str(self._outputs.parent)}
        if worker:
            environment[WORKER_VARIABLE] = worker
        self._limit = anyio.CancelScope(deadline=anyio.current_time() + min(limit_s, self._most_s))
        try:
            return await run_queue_command(arguments, environment, self._limit)
        finally:
            self._limit = None
