"""What queues print: the number of a job that they took, a list of jobs, and what a job left behind."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from pathlib import Path

from orchestrator.scheduler.job_lists import Listed, Listing

_BETWEEN_WORDS = re.compile(r"[\s;,\"'()<>]+")
_DIGIT = re.compile(r"\d")
_NO_REASON = ("None", "(None)", "-")
_WAITING = ("p", "q", "h", "w", "i", "eq", "eh", "cf", "configuring", "requeue", "resv", "sq")
"""How states of jobs begin that have not begun: PENDING, PEND, Q, qw, hqw, Eqw, HELD, WAITING, IDLE."""
_STUCK = ("eq", "eh", "error")
_STUCK_REASONS = ("launch failed requeued held", "launch_failed_requeued_held", "JobHoldMaxRequeue")
"""What a queue says, in these states or for these reasons, of jobs that it keeps after it failed to run them:
those that a person holds are none of them.
"""
_WHOLE_NAME = ["Full", "jobname:"]
TAIL = 4_096
WORDS = 300


def job_number(said: str) -> str:
    """What a queue calls the job that it took: the first word with a digit in the last line; empty if none.

    ``12;cluster`` of sbatch --parsable is 12, and ``Your job 12 ("x") has been submitted`` as well.
    """
    lines = said.strip().splitlines()
    words = _BETWEEN_WORDS.split(lines[-1]) if lines else []
    return next((word.rstrip(".:") for word in words if _DIGIT.search(word)), "")


def listing(said: str, names: Collection[str], asked_at: float, column: int | None) -> Listing:
    """The jobs of a list: number, name if it is one of ``names``, state, reason. Others' are among them, and
    perhaps headings, which nobody asks for. ``column`` is that of the state, where it is elsewhere; a name
    that Grid Engine cuts short stands whole in a line of its own.
    """
    by_number, by_name = dict[str, Listed](), dict[str, Listed]()
    last: Listed | None = None
    for line in said.splitlines():
        words = line.split()
        if not words:
            continue
        if words[:2] == _WHOLE_NAME:
            if last is not None and words[-1] in names:
                by_name[words[-1]] = last
            continue
        number, named = plain_number(words[0]), next((word for word in words[1:4] if word in names), None)
        rest = words[column:][:1] if column is not None else words[1 + (words[1:2] == [named]) :]
        state, reason = (rest or [""])[0], " ".join(rest[1:])
        stuck = state.lower().startswith(_STUCK) or reason.strip("()") in _STUCK_REASONS
        last = by_number[number] = Listed(
            job=number,
            state=state,
            reason="" if reason in _NO_REASON else reason,
            waits=stuck or state.lower().startswith(_WAITING),
            stuck=stuck,
        )
        if named is not None:
            by_name[named] = last
    return Listing(asked_at, by_number, by_name)


def plain_number(word: str) -> str:
    """The number of a job without its server, and its place in an array: 12 of ``12.pbs01`` and ``12_3``."""
    return re.split(r"[._\[]", word, maxsplit=1)[0] or word


def last_line(said: str) -> str:
    """The last line that says anything, as far as it can be shown; empty if there is none."""
    lines = (line[: 2 * WORDS] for line in reversed(said.splitlines()))
    shown = ("".join(c for c in line if c.isprintable()).strip() for line in lines)
    return next((line[:WORDS] for line in shown if line), "")


def last_words(path: Path) -> str:
    """The last line that a job printed, as far as it can be shown; empty if there is none there."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - TAIL))
            return last_line(file.read().decode("utf-8", "replace"))
    except OSError:
        return ""
