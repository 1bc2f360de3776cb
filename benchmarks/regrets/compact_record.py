"""A record in one short line, as it is kept beside a page: without what no table needs. Of its regrets those
that were the best yet, of its seconds a sum and a mean.

Notation: n evaluations, numbered from 1.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.regrets.run import Job, Record

RUNS = "runs.jsonl"
DIGITS = 6


def folder_of(page: Path) -> Path:
    """Where a page's runs and pictures are."""
    return page.parent / page.stem


def compact(record: Record) -> dict[str, Any]:
    """JSON values of all but the job."""
    curve = [rounded(regret) for regret in record.curve]
    rows = [i for i, regret in enumerate(curve) if i == 0 or regret < curve[i - 1]]
    start = record.start_points
    told = {
        "evaluations": len(curve),
        "best": [[i + 1, curve[i]] for i in rows],
        "start_points": start,
        "start_s": rounded(math.fsum(record.seconds[:start])),
        "ask_s": rounded(record.mean_ask_s) if len(curve) > start else 0.0,
        "cap_s": record.cap_s,
    }
    return told | ({"date": record.date} if record.date else {})


def expanded(job: Job, told: Mapping[str, Any]) -> Record:
    """A record with the same curve, whose seconds have the same sums. KeyError for what is none."""
    ends = [n for n, _ in told["best"][1:]] + [told["evaluations"] + 1]
    regrets = itertools.chain.from_iterable(
        [regret] * (end - n) for (n, regret), end in zip(told["best"], ends, strict=True)
    )
    start = min(told["start_points"], told["evaluations"])
    seconds = [told["start_s"] / max(1, start)] * start + [told["ask_s"]] * (told["evaluations"] - start)
    date = told.get("date", "")
    return Record(job, tuple(regrets), tuple(seconds), told["start_points"], told["cap_s"], date)


def rounded(number: float) -> float:
    """As it is kept."""
    return float(f"{number:.{DIGITS - 1}e}")
