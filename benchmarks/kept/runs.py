"""Runs of a comparison that are kept as JSON lines: what is there is not run again."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field, asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np

from benchmarks.aligned_table import aligned
from benchmarks.contenders.searches import J, SearchJob
from benchmarks.kept.json_lines import add_line, lines_of
from benchmarks.measuring.apart import apart
from benchmarks.measuring.machine import machine


class _Run(Protocol):
    """A frozen dataclass, with the ``date`` of the day it was made on."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def job(self) -> SearchJob: ...
    @property
    def seconds(self) -> float: ...
    @property
    def date(self) -> str: ...


R = TypeVar("R", bound=_Run)


@dataclass(frozen=True)
class KeptRuns(Generic[J, R]):
    """Those of one comparison. ``run`` does a ``job`` and gives what is ``made``, and ``brief`` says in a few
    words how it ended.
    """

    run: Callable[[J], R]
    job: type[J]
    made: type[R]
    brief: Callable[[R], str]

    def kept(self, *paths: Path) -> list[R]:
        """The runs there are, the last of each job."""
        return list({found.job: found for path in paths for found in lines_of(path, self.read)}.values())

    def read(self, told: Mapping[str, Any]) -> R:
        """The run of a line: lists in it are tuples."""
        parts = {name: _tuples(one) for name, one in told.items()}
        return self.made(**{**parts, "job": self.job(**told["job"])})

    def run_all(self, jobs: Iterable[J], path: Path, *elsewhere: Path) -> None:
        """Run, each in a process of its own with one thread, and keep, those of the jobs that are not kept
        yet, here or ``elsewhere``. One that raises is said, and no more.
        """
        known = {found.job for found in self.kept(path, *elsewhere)}
        for job in jobs:
            if job in known:
                continue
            try:
                found = apart(self.run, job)
            except Exception as error:
                print(f"{job}: {type(error).__name__}: {error}", file=sys.stderr)
                continue
            add_line(path, asdict(replace(found, date=date.today().isoformat())))
            print(f"{job}: {self.brief(found)}", file=sys.stderr)


def _tuples(told: Any) -> Any:
    return tuple(map(_tuples, told)) if isinstance(told, list) else told


def archive(runs: Iterable[_Run], path: Path) -> None:
    """Write runs to a file that `KeptRuns.kept` reads, in an order that changes as little as they do, their
    values to twelve digits.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = sorted(json.dumps(_to_twelve_digits(asdict(found))) for found in runs)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _to_twelve_digits(told: Any) -> Any:
    if isinstance(told, float):
        return float(f"{told:.12g}")
    if isinstance(told, Mapping):
        return {name: _to_twelve_digits(one) for name, one in told.items()}
    return [_to_twelve_digits(one) for one in told] if isinstance(told, list | tuple) else told


def days(runs: Sequence[_Run]) -> str:
    """When runs were made, in words."""
    dates = sorted({found.date for found in runs if found.date})
    if not dates:
        return "never"
    return dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"


def measured(benchmark: str, runs: Sequence[_Run]) -> str:
    """When runs were made, by which command, and where the page is written, in a sentence."""
    return f"Measured {days(runs)} with `python -m benchmarks.{benchmark}`; written on {machine()}."


def in_seconds(runs: Sequence[_Run], of: str = "an ask, what refits take included") -> str:
    """What an ask takes each contender: over the runs, the median of the means, in a table that is told."""
    titles = list(dict.fromkeys(found.job.title for found in runs))
    body = [
        (title, f"{np.median([found.seconds for found in runs if found.job.title == title]):.2g}")
        for title in titles
    ]
    told = f"Seconds are of the processor, of {of} (median over the runs):"
    return f"{told}\n\n{aligned(('algorithm', 's an ask'), body)}"


def page_of(title: str, *blocks: str) -> str:
    """A page of paragraphs, tables and sections, each of which knows of no other."""
    return "\n\n".join([f"# {title}", *blocks]) + "\n"
