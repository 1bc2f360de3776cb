"""What asynchronous workers cost: regret at the same number of evaluations, eight at a time and one."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.compare_standing import least, middle
from benchmarks.compare_store import Store
from benchmarks.compare_suite import PARALLEL, Contest, find, parallel_suite
from benchmarks.regret_run import Contender

TARGET = 1.5


def pairs(names: Sequence[str] | None = None) -> list[tuple[Contest, Contest]]:
    """The problems of the suite, or some of them, one at a time and in parallel."""
    wanted = None if names is None else {contest.name for contest in find(names)}
    return [both for both in parallel_suite() if wanted is None or both[0].name in wanted]


def table(
    both_ways: Sequence[tuple[Contest, Contest]], contenders: Sequence[Contender], store: Store
) -> list[str]:
    """Markdown: median regret alone and in parallel over the seeds that ran both ways, and their ratio."""
    lines = [
        f"| problem | algorithm | seeds | half: one | {PARALLEL} | ratio | full: one | {PARALLEL} | ratio |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for alone, crowd in both_ways:
        for contender in contenders:
            one, eight = (store.records(c.jobs(contender)) for c in (alone, crowd))
            seeds = {r.job.seed for r in one} & {r.job.seed for r in eight}
            if not seeds:
                continue
            cells = []
            both = [[r for r in records if r.job.seed in seeds] for records in (one, eight)]
            floor = least({"one": both[0]})
            for share in (0.5, 1.0):
                sequential, parallel = (middle(records, share, floor) for records in both)
                ratio = parallel / sequential if sequential else 1.0
                cells += [f"{sequential:.3g}", f"{parallel:.3g}", f"{ratio:.2f}"]
            lines.append(f"| {alone.name} | {contender.title} | {len(seeds)} | {' | '.join(cells)} |")
    return lines
