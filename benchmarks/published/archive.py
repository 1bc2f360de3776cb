"""The runs behind `docs/results.md`, kept beside it: another machine writes the page again and goes on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.regrets.compact_record import RUNS, compact, expanded, folder_of
from benchmarks.regrets.run import Job
from benchmarks.regrets.store import Bench, job_from


def archive(bench: Bench, jobs: Sequence[Job], page: Path) -> None:
    """Write what the jobs gave that have run beside the page, in an order that hardly changes."""
    known = {case: bench.stored(case) for case in dict.fromkeys(job.case for job in jobs)}
    records = [known[job.case][job.key] for job in jobs if job.key in known[job.case]]
    lines = sorted(json.dumps({"job": asdict(r.job), "record": compact(r)}) for r in records)
    folder = folder_of(page)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / RUNS).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def restore(bench: Bench, page: Path) -> int:
    """Bring into the bench what is beside the page and not in it. Returns how many runs."""
    path = folder_of(page) / RUNS
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    told = [json.loads(line) for line in lines]
    records = [expanded(job_from(line["job"]), line["record"]) for line in told]
    known = {case: bench.stored(case) for case in dict.fromkeys(record.job.case for record in records)}
    missing = [record for record in records if record.job.key not in known[record.job.case]]
    for record in missing:
        bench.keep(record)
    return len(missing)
