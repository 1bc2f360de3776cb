"""What a queue prints of one job: whether it is over, and how it ended."""

from __future__ import annotations

import re
from collections.abc import Mapping

from orchestrator.runtime.jobs.queue_words import last_line
from orchestrator.scheduler.job_lists import Fate

_FIELD = re.compile(r"\b(JobState|Reason|ExitCode)=(\S+)")
_GOES_ON = re.compile(
    r"PEND|PD\b|RUN(?:NING)?\b|CONFIGURING|COMPLETING|SUSPENDED|REQUEUE|RESIZING|RESV|SIGNALING|STAGE_OUT|STOPPED"
    r"|SPECIAL_EXIT|UNKWN|[PSU]+SUSP|WAIT|PROV|[BEHMQRSTUW]\b"
)
"""How states begin of jobs that are not over: Slurm's, LSF's, and the letters of PBS."""
_NO_REASON = ("None", "(null)")


def fate(said: str) -> Fate | None:
    """What is said of a job: by Slurm's ``scontrol show job``, or its state and exit code by ``sacct``; or in
    a line that begins with its state. None where nothing is.
    """
    fields = dict(reversed(_FIELD.findall(said)))
    if "JobState" in fields:
        return _as_slurm_has_it(fields)
    line = last_line(said)
    if not line:
        return None
    if _GOES_ON.match(line):
        return Fate(over=False)
    state, bar, code = line.partition("|")
    return Fate(over=True, how=f"{state}{_exit(code)}" if bar else line)


def _as_slurm_has_it(fields: Mapping[str, str]) -> Fate:
    state, reason = fields["JobState"], fields.get("Reason", "")
    if _GOES_ON.match(state):
        return Fate(over=False)
    why = f" ({reason})" if reason and reason not in _NO_REASON else ""
    return Fate(over=True, how=f"{state}{why}{_exit(fields.get('ExitCode', ''))}")


def _exit(code: str) -> str:
    """``3:0`` is exit code 3, ``0:9`` signal 9, and ``0:0`` says nothing."""
    found = re.fullmatch(r"(\d+):(\d+)", code)
    if found is None:
        return ""
    exit_code, signal = found.groups()
    words = [f"exit code {exit_code}"] * (exit_code != "0") + [f"signal {signal}"] * (signal != "0")
    return "".join(f", {word}" for word in words)
