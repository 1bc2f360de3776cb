"""What the page is written from, in files beside it: so that another machine can write it again and go on.

A line of `runs.jsonl` is a run without what no table needs: of its regrets those that were the best yet, of
its seconds a sum and a mean.

Notation: n evaluations, numbered from 1.
"""

from __future__ import annotations

import itertools
import json
import math
import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks import compare_speed
from benchmarks.compare_store import Kept, Store, job_from
from benchmarks.regret_run import Job, Record

RUNS = "runs.jsonl"
DIGITS = 6


def folder_of(page: Path) -> Path:
    """Where a page's pictures and runs are."""
    return page.parent / page.stem


def archive(store: Store, page: Path) -> None:
    """Write the store's runs and speeds beside the page, in an order that changes as little as they do."""
    folder = folder_of(page)
    folder.mkdir(parents=True, exist_ok=True)
    lines = sorted(json.dumps(_told(kept)) for kept in store.everything())
    (folder / RUNS).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    _copied(store.folder, folder)


def restore(store: Store, page: Path) -> int:
    """Bring into the store what is beside the page and not in it. Returns how many runs."""
    folder = folder_of(page)
    brought = 0
    if (folder / RUNS).exists():
        for line in (folder / RUNS).read_text(encoding="utf-8").splitlines():
            kept = _kept(json.loads(line))
            if store.find(kept.job) is None:
                store.keep(kept)
                brought += 1
    if not (store.folder / compare_speed.FILE).exists():
        _copied(folder, store.folder)
    return brought


def _copied(source: Path, target: Path) -> None:
    if (source / compare_speed.FILE).exists():
        target.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / compare_speed.FILE, target / compare_speed.FILE)


def _told(kept: Kept) -> dict[str, Any]:
    told = asdict(kept) | {"megabytes": round(kept.megabytes)}
    if (record := kept.record) is None:
        return told
    curve = [_short(regret) for regret in record.curve]
    rows = [i for i, regret in enumerate(curve) if i == 0 or regret < curve[i - 1]]
    start = record.start_points
    told["record"] = {
        "evaluations": len(curve),
        "best": [[i + 1, curve[i]] for i in rows],
        "start_points": start,
        "start_s": _short(math.fsum(record.seconds[:start])),
        "ask_s": _short(record.mean_ask_s) if len(curve) > start else 0.0,
        "cap_s": record.cap_s,
    }
    return told


def _kept(told: Mapping[str, Any]) -> Kept:
    job = job_from(told["job"])
    record = None if told["record"] is None else _record(job, told["record"])
    return Kept(**{**told, "job": job, "record": record})


def _record(job: Job, told: Mapping[str, Any]) -> Record:
    ends = [n for n, _ in told["best"][1:]] + [told["evaluations"] + 1]
    regrets = itertools.chain.from_iterable(
        [regret] * (end - n) for (n, regret), end in zip(told["best"], ends, strict=True)
    )
    start = min(told["start_points"], told["evaluations"])
    seconds = [told["start_s"] / max(1, start)] * start + [told["ask_s"]] * (told["evaluations"] - start)
    return Record(job, tuple(regrets), tuple(seconds), told["start_points"], told["cap_s"])


def _short(number: float) -> float:
    return float(f"{number:.{DIGITS - 1}e}")
