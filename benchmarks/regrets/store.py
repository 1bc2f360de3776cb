"""Many jobs in parallel processes, each result kept as a JSON line as it comes, so that a run can be
resumed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.kept.json_lines import add_line, lines_of
from benchmarks.measuring.apart import ONE_THREAD, apart, environment
from benchmarks.project import PROJECT
from benchmarks.regrets.run import Case, Contender, Crew, Job, Record, run

RESULTS = PROJECT / "benchmarks" / "results" / "regret"


@dataclass(frozen=True)
class Bench:
    """Where and how jobs are run: ``cores`` processes; results in ``folder``, a file for each case;
    ``cap_s``, the optimiser's seconds that end a run early. ``say`` is called with a line whenever a job
    ends.
    """

    cores: int = os.cpu_count() or 1
    folder: Path = RESULTS
    cap_s: float | None = None
    say: Callable[[str], None] = print

    def run_all(self, jobs: Sequence[Job]) -> list[Record]:
        """The records of the jobs, in their order; only those that are not in the folder are run.

        A record that a smaller cap ended is run again. A job that raises is reported to ``say`` and has no
        record in the answer; the others are not held up.
        """
        known = {job.case.slug: self.stored(job.case) for job in jobs}
        missing = [job for job in jobs if not self._finished(known[job.case.slug].get(job.key))]
        # Around all of them: one thread of this process must not take the variables from under another.
        with environment(ONE_THREAD):
            for done, (job, outcome) in enumerate(self._outcomes(missing), start=1):
                where = f"[{done}/{len(missing)}] {job.case.slug}, {job.contender.title}, seed {job.seed}"
                if isinstance(outcome, BaseException):
                    self.say(f"{where}: {type(outcome).__name__}: {outcome}")
                    continue
                outcome = replace(outcome, date=date.today().isoformat())
                self.keep(outcome)
                known[job.case.slug][job.key] = outcome
                regret, ask_s = outcome.simple_regret(job.budget), outcome.mean_ask_s
                self.say(f"{where}: regret {regret:.3g}, {ask_s:.3g} s an ask")
        found = [(job, known[job.case.slug].get(job.key)) for job in jobs]
        # The job as it was asked for, whose label may be another.
        return [replace(record, job=job) for job, record in found if record is not None]

    def stored(self, case: Case) -> dict[str, Record]:
        """The records of a case's file by the key of their job, the last of each. A torn line is left out."""
        records = lines_of(self._path(case), record_of)
        return {record.job.key: record for record in records}

    def _outcomes(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, Record | BaseException]]:
        """Each job with its record, or with what it raised, as it ends."""
        # A process for each job: one that is killed costs its own job alone, and what a library's compiler
        # keeps of a run ends with it.
        pool = ThreadPoolExecutor(max(1, min(self.cores, len(jobs))))
        futures = {pool.submit(apart, run, job, self.cap_s): job for job in jobs}
        try:
            for future in as_completed(futures):
                yield futures[future], future.exception() or future.result()
        finally:
            # When interrupted, what has not begun never will.
            pool.shutdown(cancel_futures=True)

    def _finished(self, record: Record | None) -> bool:
        if record is None or record.cap_s is None:
            return record is not None
        return self.cap_s is not None and self.cap_s <= record.cap_s

    def keep(self, record: Record) -> None:
        """Add a record to its case's file."""
        add_line(self._path(record.job.case), asdict(record))

    def _path(self, case: Case) -> Path:
        return self.folder / f"{case.slug}.jsonl"


def record_of(told: Mapping[str, Any]) -> Record:
    """A record from what `asdict` made of it. KeyError or TypeError for what is none."""
    return Record(
        job_from(told["job"]),
        tuple(told["regrets"]),
        tuple(told["seconds"]),
        told["start_points"],
        told["cap_s"],
        told.get("date", ""),
    )


def job_from(told: Mapping[str, Any]) -> Job:
    """A job from what `asdict` made of it. KeyError or TypeError for what is none."""
    case = Case(**{**told["case"], "crew": Crew(**told["case"]["crew"])})
    return Job(case, Contender(**told["contender"]), told["budget"], told["seed"])
