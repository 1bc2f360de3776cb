"""What asynchronous workers cost: regret at the same number of evaluations, eight at a time and one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from benchmarks.comparison.standing import after, least, middle, reached
from benchmarks.comparison.store import Store
from benchmarks.comparison.suite import PARALLEL, Contest, find, parallel_suite
from benchmarks.regrets.run import Contender, Record
from orchestrator.errors import UsageError
from orchestrator.numerics.rng import stream

TARGET = 1.5
# A ratio of medians of few runs is largely luck: between which values nine of ten lie when its seeds are
# drawn again from those that ran.
DRAWS, NINE_OF_TEN = 2000, (5.0, 95.0)


def pairs(names: Sequence[str] | None = None) -> list[tuple[Contest, Contest]]:
    """The suite's problems, or some of them, one at a time and in parallel. Raises UsageError for others."""
    suite = {both[0].name: both for both in parallel_suite()}
    wanted = suite if names is None else [contest.name for contest in find(names)]
    if others := [name for name in wanted if name not in suite]:
        raise UsageError(
            f"--problems: expected some of {', '.join(suite)} for the suite parallel, got `{others[0]}`"
        )
    return [both for name, both in suite.items() if name in wanted]


@dataclass(frozen=True, slots=True)
class Moment:
    """Median regrets at a number of evaluations: one at a time (``alone``), several (``crowd``), and one at a
    time as many evaluations before as run beside each of several (``behind``): who chooses among eight has
    seen seven results fewer, however well it chooses.
    """

    alone: float
    behind: float
    crowd: float

    @property
    def ratio(self) -> float:
        """Of several to one."""
        return self.crowd / self.alone if self.alone else 1.0

    @property
    def cells(self) -> list[str]:
        """As the table has them."""
        return [*(f"{regret:.3g}" for regret in (self.alone, self.behind, self.crowd)), f"{self.ratio:.2f}"]


@dataclass(frozen=True, slots=True)
class SideBySide:
    """A contender on a problem over ``seeds`` runs, at half and at the full budget. ``likely`` is where the
    ratio at the full budget lies in nine of ten draws of the seeds, with replacement.
    """

    problem: str
    contender: str
    seeds: int
    half: Moment
    full: Moment
    likely: tuple[float, float]


def measured(
    both_ways: Sequence[tuple[Contest, Contest]], contenders: Sequence[Contender], store: Store
) -> list[SideBySide]:
    """Over the seeds that ran both ways; those that none did are left out."""
    found = []
    for alone, crowd in both_ways:
        for contender in contenders:
            one, eight = (store.records(c.jobs(contender)) for c in (alone, crowd))
            seeds = {r.job.seed for r in one} & {r.job.seed for r in eight}
            if not seeds:
                continue
            both = [[r for r in records if r.job.seed in seeds] for records in (one, eight)]
            floor = least({"one": both[0]})
            half, full = (_moment(both[0], both[1], share, floor) for share in (0.5, 1.0))
            likely = _likely(both[0], both[1], floor)
            found.append(SideBySide(alone.name, contender.title, len(seeds), half, full, likely))
    return found


def table(rows: Sequence[SideBySide]) -> list[str]:
    """Markdown: median regret alone and in parallel, and their ratio."""
    columns = f"one | one, {PARALLEL - 1} fewer | {PARALLEL} | ratio"
    lines = [
        f"| problem | algorithm | seeds | half: {columns} | full: {columns} | 9 of 10 |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        cells = [*row.half.cells, *row.full.cells]
        cells.append(" to ".join(f"{ratio:.2g}" for ratio in row.likely))
        lines.append(f"| {row.problem} | {row.contender} | {row.seeds} | {' | '.join(cells)} |")
    return lines


def verdict(rows: Sequence[SideBySide], contender: str) -> str:
    """On how many problems a contender keeps to the target at half and at the full budget, in sentences."""
    own = [row for row in rows if row.contender == contender]
    halves = [(row.problem, row.half.ratio) for row in own]
    fulls = [(row.problem, row.full.ratio) for row in own]
    return f"{_kept_to(fulls, 'At the full budget')} {_kept_to(halves, 'At half of it')}"


def _kept_to(ratios: Sequence[tuple[str, float]], when: str) -> str:
    missed = [f"{problem} ({ratio:.2g})" for problem, ratio in ratios if ratio > TARGET]
    if not missed:
        return f"{when} it is met on all {len(ratios)}."
    return f"{when} it is **missed** on {len(missed)} of {len(ratios)}: {', '.join(missed)}."


def _moment(one: Sequence[Record], eight: Sequence[Record], share: float, floor: float) -> Moment:
    """At a share of the budget."""
    behind = [reached(record, max(1, after(record, share) - (PARALLEL - 1))) for record in one]
    return Moment(middle(one, share, floor), max(floor, median(behind)), middle(eight, share, floor))


def _likely(one: Sequence[Record], eight: Sequence[Record], floor: float) -> tuple[float, float]:
    """The runs of a seed are drawn together: they see the same function from the same start."""
    finals = np.array(
        [
            [max(floor, reached(record, record.job.budget)) for record in sorted(runs, key=_seed)]
            for runs in (one, eight)
        ]
    )
    drawn = stream(0, "parallel ratio").integers(finals.shape[1], size=(DRAWS, finals.shape[1]))
    alone, parallel = np.median(finals[:, drawn], axis=2)
    ratios = np.divide(parallel, alone, out=np.ones_like(alone), where=alone > 0.0)
    low, high = np.percentile(ratios, NINE_OF_TEN)
    return float(low), float(high)


def _seed(record: Record) -> int:
    return record.job.seed
