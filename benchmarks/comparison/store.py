"""What the comparison has run: a file for each problem, seed and algorithm, so that it can be resumed.

A file holds the record of a run, or the sentence on why there is none, and in either case when it ran, with
which code, for how long and with how much memory.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.kept.code_closure import closure, fingerprint_of
from benchmarks.regrets.run import Job, Record
from benchmarks.regrets.store import RESULTS, job_from, record_of
from orchestrator.algorithms.peers.offered import PEERS
from orchestrator.algorithms.registry import BUILT_IN

FOLDER = RESULTS.parent / "compare"


@dataclass(frozen=True)
class Kept:
    """A run that ended, well or not.

    Attributes:
        job: the job, as it was asked for.
        record: what it gave; None where it ``failed``.
        failed: why there is no record, in words; empty where there is one.
        cap_s: the seconds that it was allowed.
        date: when it ended, as year-month-day.
        code: the fingerprint of the code that it ran with.
        megabytes: the largest memory of its process.
    """

    job: Job
    record: Record | None = None
    failed: str = ""
    cap_s: float | None = None
    date: str = ""
    code: str = ""
    megabytes: float = 0.0

    @property
    def stale(self) -> bool:
        """Whether the code has changed since."""
        return self.code != fingerprint(self.job.contender.algorithm)

    def final(self, cap_s: float | None) -> bool:
        """Whether running it again with this cap would give nothing new."""
        if self.record is not None and self.record.cap_s is None:
            return True
        if self.record is None and not self.failed.startswith(KILLED):
            return False
        return cap_s is not None and self.cap_s is not None and cap_s <= self.cap_s


KILLED = "killed"
"""What the sentence on a run begins with that took far longer than it was allowed."""


@dataclass(frozen=True)
class Store:
    """The files in a folder."""

    folder: Path = FOLDER

    def path(self, job: Job) -> Path:
        """Where a job's file is: readable, and another for every job whose points may differ."""
        digest = hashlib.blake2b(job.key.encode(), digest_size=4).hexdigest()
        case, contender = job.case, job.contender
        crew = f"_by-{case.crew.parallel}" if case.crew.parallel > 1 else ""
        return self.folder / f"{case.slug}{crew}" / contender.algorithm / f"seed-{job.seed}-{digest}.json"

    def find(self, job: Job) -> Kept | None:
        """What is kept of a job; None for nothing, or a file that cannot be read."""
        try:
            told = json.loads(self.path(job).read_text(encoding="utf-8"))
            return _kept(told, job)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, kept: Kept) -> Path:
        """Write the file, all of it or nothing."""
        path = self.path(kept.job)
        path.parent.mkdir(parents=True, exist_ok=True)
        torn = path.with_suffix(f".{os.getpid()}.part")
        torn.write_text(json.dumps(asdict(kept)), encoding="utf-8")
        torn.replace(path)
        return path

    def forget(self, job: Job) -> None:
        """Remove the file, if there is one."""
        self.path(job).unlink(missing_ok=True)

    def everything(self) -> list[Kept]:
        """Every file that can be read, in the order of their names."""
        found = []
        for path in sorted(self.folder.glob("*/*/seed-*.json")):
            try:
                told = json.loads(path.read_text(encoding="utf-8"))
                found.append(_kept(told, job_from(told["job"])))
            except (OSError, ValueError, KeyError, TypeError):
                continue
        return found

    def records(self, jobs: Sequence[Job]) -> list[Record]:
        """Those of the jobs that have one, in their order."""
        found = (self.find(job) for job in jobs)
        return [kept.record for kept in found if kept is not None and kept.record is not None]


@cache
def fingerprint(algorithm: str) -> str:
    """Of the code that chooses the points, or that connects a peer. Eight hexadecimal digits, the same ones
    for every algorithm of another package, whose code is not ours to follow.
    """
    places = {**BUILT_IN, **{name: peer.where for name, peer in PEERS.items()}}
    modules = [places[algorithm].partition(":")[0]] if algorithm in places else []
    return fingerprint_of(closure(modules))


def _kept(told: Mapping[str, Any], job: Job) -> Kept:
    record = None if told["record"] is None else record_of(told["record"])
    if record is not None:
        # Its label may have been another.
        record = replace(record, job=job)
    others = {name: told[name] for name in ("failed", "cap_s", "date", "code", "megabytes")}
    return Kept(job, record, **others)
