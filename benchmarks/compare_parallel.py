"""What asynchronous workers cost: regret at the same number of evaluations, eight at a time and one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.compare_standing import least, middle
from benchmarks.compare_store import Store
from benchmarks.compare_suite import PARALLEL, Contest, find, parallel_suite
from benchmarks.regret_run import Contender, Record
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
class SideBySide:
    """Median regrets of a contender on a problem over ``seeds`` runs, at half and at the full budget: one
    evaluation at a time, and several. ``likely`` is where the ratio at the full budget lies in nine of ten
    draws of the seeds, with replacement.
    """

    problem: str
    contender: str
    seeds: int
    half: tuple[float, float]
    full: tuple[float, float]
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
            half, full = (
                (middle(both[0], share, floor), middle(both[1], share, floor)) for share in (0.5, 1.0)
            )
            likely = _likely(both[0], both[1], floor)
            found.append(SideBySide(alone.name, contender.title, len(seeds), half, full, likely))
    return found


def table(rows: Sequence[SideBySide]) -> list[str]:
    """Markdown: median regret alone and in parallel, and their ratio."""
    lines = [
        f"| problem | algorithm | seeds | half: one | {PARALLEL} | ratio | full: one | {PARALLEL} | ratio"
        " | 9 of 10 |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        cells = [
            cell
            for both in (row.half, row.full)
            for cell in (*(f"{v:.3g}" for v in both), f"{_ratio(both):.2f}")
        ]
        cells.append(" to ".join(f"{ratio:.2g}" for ratio in row.likely))
        lines.append(f"| {row.problem} | {row.contender} | {row.seeds} | {' | '.join(cells)} |")
    return lines


def verdict(rows: Sequence[SideBySide], contender: str) -> str:
    """On how many problems a contender keeps to the target at half and at the full budget, in sentences."""
    own = [row for row in rows if row.contender == contender]
    halves = [(row.problem, _ratio(row.half)) for row in own]
    fulls = [(row.problem, _ratio(row.full)) for row in own]
    return f"{_kept_to(fulls, 'At the full budget')} {_kept_to(halves, 'At half of it')}"


def _kept_to(ratios: Sequence[tuple[str, float]], when: str) -> str:
    missed = [f"{problem} ({ratio:.2g})" for problem, ratio in ratios if ratio > TARGET]
    if not missed:
        return f"{when} it is met on all {len(ratios)}."
    return f"{when} it is **missed** on {len(missed)} of {len(ratios)}: {', '.join(missed)}."


def _likely(one: Sequence[Record], eight: Sequence[Record], floor: float) -> tuple[float, float]:
    """The runs of a seed are drawn together: they see the same function from the same start."""
    finals = np.array(
        [
            [max(floor, record.simple_regret(record.job.budget)) for record in sorted(runs, key=_seed)]
            for runs in (one, eight)
        ]
    )
    drawn = stream(0, "parallel ratio").integers(finals.shape[1], size=(DRAWS, finals.shape[1]))
    alone, parallel = np.median(finals[:, drawn], axis=2)
    ratios = [_ratio((float(a), float(b))) for a, b in zip(alone, parallel, strict=True)]
    low, high = np.percentile(ratios, NINE_OF_TEN)
    return float(low), float(high)


def _seed(record: Record) -> int:
    return record.job.seed


def _ratio(both: tuple[float, float]) -> float:
    alone, parallel = both
    return parallel / alone if alone else 1.0
