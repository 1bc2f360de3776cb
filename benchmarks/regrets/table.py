"""Contenders over their seeds, as rows of a table: simple regret, and seconds an ask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.aligned_table import aligned
from benchmarks.regrets.run import Record


@dataclass(frozen=True)
class Quartiles:
    """Of some numbers: lower quartile, median, upper quartile, interpolated linearly."""

    lower: float
    median: float
    upper: float

    @classmethod
    def of(cls, numbers: Sequence[float]) -> Quartiles:
        """Of one number or more."""
        return cls(*(float(q) for q in np.percentile(numbers, [25, 50, 75])))

    def __str__(self) -> str:
        return f"{self.median:.3g} [{self.lower:.3g}, {self.upper:.3g}]"


@dataclass(frozen=True)
class Row:
    """A contender over its seeds: simple regret after half of the budget and all of it, mean seconds an ask
    (after the start design), and how many of its runs a cap on time ended early.
    """

    title: str
    seeds: int
    half: Quartiles
    full: Quartiles
    ask_s: float
    capped: int


def summarise(records: Sequence[Record]) -> list[Row]:
    """A row for each contender, in the order of its first record. The records are of one case and budget."""
    rows = []
    for title in dict.fromkeys(record.job.contender.title for record in records):
        own = [record for record in records if record.job.contender.title == title]
        rows.append(
            Row(
                title,
                len(own),
                Quartiles.of([r.simple_regret(max(1, r.job.budget // 2)) for r in own]),
                Quartiles.of([r.simple_regret(r.job.budget) for r in own]),
                float(np.mean([r.mean_ask_s for r in own])),
                sum(r.cap_s is not None for r in own),
            )
        )
    return rows


def table(rows: Sequence[Row], budget: int) -> str:
    """The rows in Markdown, aligned to be read as text: median [quartiles]."""
    head = ("algorithm", "seeds", f"regret at {max(1, budget // 2)}", f"regret at {budget}", "s an ask")
    body = [
        (
            row.title + (f" ({row.capped} capped)" if row.capped else ""),
            str(row.seeds),
            str(row.half),
            str(row.full),
            f"{row.ask_s:.3g}",
        )
        for row in rows
    ]
    return aligned(head, body)
