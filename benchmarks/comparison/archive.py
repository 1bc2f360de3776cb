"""What the page is written from, in files beside it: so that another machine can write it again and go on.

A line of `runs.jsonl` is a run; see `compact_record`.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.comparison import speed as compare_speed
from benchmarks.comparison.store import Kept, Store
from benchmarks.regrets.compact_record import RUNS, compact, expanded, folder_of
from benchmarks.regrets.store import job_from


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
    if kept.record is not None:
        told["record"] = compact(kept.record)
    return told


def _kept(told: Mapping[str, Any]) -> Kept:
    job = job_from(told["job"])
    record = None if told["record"] is None else expanded(job, told["record"])
    return Kept(**{**told, "job": job, "record": record})
