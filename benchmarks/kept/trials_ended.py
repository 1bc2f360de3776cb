"""A table of how many trials ended within a budget of time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from benchmarks.aligned_table import aligned


class _Job(Protocol):
    @property
    def function(self) -> str: ...
    @property
    def title(self) -> str: ...


class _Run(Protocol):
    @property
    def job(self) -> _Job: ...
    @property
    def trials(self) -> int: ...


def trials_ended(runs: Sequence[_Run], functions: Iterable[str]) -> str:
    """The medians over the runs, a row for each of the functions and a column for whoever ran."""
    titles = list(dict.fromkeys(found.job.title for found in runs))
    body = []
    for name in functions:
        own = [[r.trials for r in runs if (r.job.function, r.job.title) == (name, t)] for t in titles]
        body.append((name, *(f"{np.median(counts):g}" if counts else "" for counts in own)))
    return aligned(("function", *titles), body)
