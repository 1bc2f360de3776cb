"""Workers that a cluster's queue starts: how a run submits jobs, asks how they stand, takes them back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from orchestrator.spec.document.section import Section, refuse
from orchestrator.spec.sections.durations import Duration
from orchestrator.spec.sections.evaluation import read_command
from orchestrator.spelling import listed

MOST_JOBS = 1_000
DEFAULT_IDLE_S = 600.0
JOB = "{job}"
"""What stands for a job's number in the command that asks how one ended."""
JOBS = "{jobs}"
"""An argument of the command that takes jobs back: the numbers of all of these, each an argument."""
NAMED: Mapping[str, str] = {
    "script": "the script of the spec",
    "name": "the job's name",
    "output": "a file of the run's folder, for what the job prints",
    "worker": "what its worker is called",
    "address": "where that dials",
}
"""What the command that submits a job may name, in braces."""
_BRACES = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Queue:
    """A queue that was tried: its commands, as `JobsSection` has them, of those that say how a job ended
    several to try in turn, and in which column of what it lists a job's state stands, where that is not
    behind its number and name.
    """

    submit: tuple[str, ...]
    state: tuple[str, ...]
    cancel: tuple[str, ...]
    ended: tuple[tuple[str, ...], ...] = ()
    column: int | None = None


_CONDOR_STATE = (
    'JobStatus =!= 5 ? split("UNKNOWN IDLE RUNNING REMOVED COMPLETED HELD TRANSFERRING SUSPENDED")[JobStatus]'
    ' : member(HoldReasonCode, {1, 15, 16}) ? "HELD" : "ERROR"'
)
"""A job's state in words: held by a person, submitted so, or while its files are fetched, or held as it went
wrong.
"""
_CONDOR_END = (
    'JobStatus =?= 3 ? "REMOVED" : strcat(ExitBySignal =?= true || ExitCode =!= 0 ? "FAILED" : "COMPLETED",'
    ' "|", ExitCode ?: 0, ":", ExitSignal ?: 0)'
)

QUEUES: Mapping[str, Queue] = {
    "slurm": Queue(
        submit=("sbatch", "--parsable", "--job-name={name}", "--output={output}", "{script}"),
        state=("squeue", "--me", "--noheader", "--format=%i %j %T %r"),
        cancel=("scancel", JOBS),
        # The first knows of jobs that ended some minutes ago, the second of all, where there is accounting.
        ended=(
            ("scontrol", "--oneliner", "show", "job", JOB),
            ("sacct", "--noheader", "--allocations", "--parsable2", "--format=State,ExitCode", "--jobs", JOB),
        ),
    ),
    "grid-engine": Queue(
        submit=("qsub", "-terse", "-V", "-cwd", "-N", "{name}", "-j", "y", "-o", "{output}", "{script}"),
        state=("qstat", "-r"),
        cancel=("qdel", JOBS),
        column=4,
    ),
    "htcondor": Queue(
        # Whatever of these the script, a submit description, says itself holds in their place.
        submit=(
            *("condor_submit", "-terse", "-batch-name", "{name}", "getenv=ORCHESTRATOR_*"),
            *("output={output}", "error={output}", "{script}"),
        ),
        state=("condor_q", "-af", "ClusterId", "JobBatchName", _CONDOR_STATE, 'HoldReason ?: "None"'),
        cancel=("condor_rm", JOBS),
        ended=(("condor_history", "-limit", "1", JOB, "-af", _CONDOR_END),),
    ),
}
"""By what `queue` calls them."""

_COMMAND = WithJsonSchema({"type": "array", "items": {"type": ["string", "number"]}, "minItems": 1})
_Command = Annotated[
    list[str] | None,
    BeforeValidator(lambda value: value if value is None else read_command(value)),
    _COMMAND,
]


class JobsSection(Section):
    """A queue that was tried and a script, or the commands of any other one."""

    at_most: Annotated[int, Field(ge=1, le=MOST_JOBS)]
    """How many jobs wait or run at a time; fewer where there is work for fewer."""
    queue: Literal["slurm", "grid-engine", "htcondor"] | None = None
    """A queue of which `submit`, `state` and `cancel` are known."""
    script: str | None = None
    """What a job runs: it starts a worker, named and sent to the run by its environment."""
    submit: _Command = None
    """Submits one job, and prints its number. Beside `{script}` it may name `{name}`, by which the queue
    lists the job, `{output}`, the file for what that prints, `{worker}` and `{address}`."""
    state: _Command = None
    """Prints a line for each job that waits or runs, others among them: number, name if it likes, state,
    reason. What it does not list has ended."""
    cancel: _Command = None
    """Takes back the jobs whose numbers stand for `{jobs}`."""
    ended: _Command = None
    """Prints how the job whose number stands for `{job}` ended, or its state where it has not."""
    idle_s: Annotated[Duration, Field(alias="idle")] = DEFAULT_IDLE_S
    """After how long without anything to do a job's worker goes home, and the job ends."""

    @model_validator(mode="before")
    @classmethod
    def _as_the_queue_has_it(cls, told: Any) -> Any:
        if not isinstance(told, dict) or told.get("queue") not in QUEUES:
            return told
        queue = QUEUES[told["queue"]]
        known = {"submit": list(queue.submit), "state": list(queue.state), "cancel": list(queue.cancel)}
        return {**known, **{key: value for key, value in told.items() if value is not None}}

    @model_validator(mode="after")
    def _says_all_that_is_needed(self) -> JobsSection:
        missing = [key for key in ("submit", "state", "cancel") if getattr(self, key) is None]
        if missing:
            raise refuse(
                f"expected `queue`, {listed(QUEUES)}, or the commands `submit`, `state` and `cancel` "
                f"of another one, got no {listed(missing)}"
            )
        if unknown := [name for name in _named(self.submit) if name not in NAMED]:
            raise refuse(f"expected {_nameable(NAMED)} in `submit`, got `{{{unknown[0]}}}`")
        if self.script is None and "script" in _named(self.submit):
            raise refuse("expected `script`, the file that a job runs, got none")
        if self.script is not None and "script" not in _named(self.submit):
            raise refuse("expected `{script}` among the arguments of `submit`, beside `script`, got none")
        if JOBS not in (self.cancel or ()):
            raise refuse(f'expected `"{JOBS}"` as an argument of `cancel`, for the numbers of jobs, got none')
        if self.ended is not None and not any(JOB in argument for argument in self.ended):
            raise refuse(f'expected `"{JOB}"` in an argument of `ended`, for the number of a job, got none')
        return self

    @property
    def column(self) -> int | None:
        """In which column a job's state is listed, from 0; None where it is the next behind its name."""
        preset = QUEUES.get(self.queue or "")
        return preset.column if preset is not None and tuple(self.state or ()) == preset.state else None

    @property
    def named(self) -> bool:
        """Whether jobs get the names that the run gives them."""
        return "name" in _named(self.submit)

    @property
    def programs(self) -> tuple[str, ...]:
        """What is run to submit jobs, to ask how they stand and to take them back. Of a queue that was tried
        what says how they ended may be missing.
        """
        commands = (self.submit, self.state, self.cancel, self.ended)
        return tuple(dict.fromkeys(command[0] for command in commands if command))

    def submission(self, given: Mapping[str, str]) -> list[str]:
        """The command that submits a job; ``given`` are `NAMED` but the script."""
        values = {**given, "script": self.script or ""}
        return [_BRACES.sub(lambda found: values[found[1]], argument) for argument in self.submit or ()]

    def questions(self, job: str) -> list[list[str]]:
        """The commands that say how a job ended, by its number in the queue, in the order to try."""
        preset = QUEUES.get(self.queue or "")
        known = () if preset is None else preset.ended
        commands = known if self.ended is None else (self.ended,)
        return [[argument.replace(JOB, job) for argument in command] for command in commands]

    def cancellation(self, jobs: Iterable[str]) -> list[str]:
        """The command that takes jobs back, by the queue's numbers."""
        numbers = list(jobs)
        return [
            word for argument in self.cancel or () for word in (numbers if argument == JOBS else [argument])
        ]


def _named(command: Iterable[str] | None) -> list[str]:
    return [name for argument in command or () for name in _BRACES.findall(argument)]


def _nameable(names: Iterable[str]) -> str:
    return listed([f"{{{name}}}" for name in names])
