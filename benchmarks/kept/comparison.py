"""A comparison of contenders on some functions, whose runs are kept and whose page is written from them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np

from benchmarks.aligned_table import aligned
from benchmarks.contenders.searches import J
from benchmarks.kept.page_out import add_page, hand_over
from benchmarks.kept.runs import KeptRuns, R, archive
from benchmarks.project import PROJECT
from benchmarks.typed_seeds import typed_seeds

RUNS = "runs.jsonl"


class _Function(Protocol):
    @property
    def evaluations(self) -> int: ...


F = TypeVar("F", bound=_Function)


def regret_in_words(median: float) -> str:
    """In two digits; below the least there is only by its own rounding."""
    return f"{max(median, 0.0):.2g}"


@dataclass(frozen=True)
class MediansTable(Generic[F, R]):
    """What a page shows of runs: a row for each of the ``functions`` after its evaluations divided by each of
    ``parts``, with its ``sizes`` by their titles, and a column for each contender.

    ``measured`` is what a run had reached after so many evaluations, the less the better, infinite for
    nothing; ``written`` has a finite median in words. What is at most ``level`` counts as equal.
    """

    functions: Mapping[str, F]
    sizes: Mapping[str, Callable[[F], int]]
    measured: Callable[[R, int], float]
    written: Callable[[float], str]
    level: Callable[[F], float]
    parts: Sequence[int] = (2, 1)

    def of(self, runs: Sequence[R]) -> str:
        """Of the functions that any ran on. Medians, and in brackets of how many runs; the least in bold. A
        dash: half of them or more reached nothing.
        """
        titles = list(dict.fromkeys(found.job.title for found in runs))
        there = {found.job.function for found in runs}
        body = []
        for name, function in self.functions.items():
            if name not in there:
                continue
            sizes = [str(size(function)) for size in self.sizes.values()]
            for evaluations in (function.evaluations // part for part in self.parts):
                medians = [self._median(runs, title, name, evaluations) for title in titles]
                least = max(min((m for m, _ in medians), default=np.inf), self.level(function))
                cells = [self._cell(median, count, least=least) for median, count in medians]
                body.append((f"{name} ({evaluations})", *sizes, *cells))
        return aligned(("function (evaluations)", *self.sizes, *titles), body)

    def _median(self, runs: Sequence[R], title: str, function: str, evaluations: int) -> tuple[float, int]:
        own = [r for r in runs if r.job.title == title and r.job.function == function]
        reached = [self.measured(found, evaluations) for found in own]
        return (float(np.median(reached)), len(own)) if own else (float("inf"), 0)

    def _cell(self, median: float, count: int, *, least: float) -> str:
        if not count:
            return ""
        if not np.isfinite(median):
            return f"– ({count})"
        words = self.written(median)
        return f"**{words}** ({count})" if median <= least else f"{words} ({count})"


@dataclass(frozen=True)
class KeptComparison(Generic[J, R]):
    """``kept`` in the folder ``name`` of the results, and beside the page of the same name among the
    documents, so that another machine can write it again and go on; ``jobs`` are those of an algorithm on a
    function under a seed; ``titles`` are what the page calls the contenders, in its order.
    """

    name: str
    kept: KeptRuns[J, R]
    algorithms: Sequence[str]
    functions: Sequence[str]
    titles: Sequence[str]
    jobs: Callable[[str, str, int], Sequence[J]]
    page: Callable[[Sequence[R]], str]

    def main(self, description: str | None, arguments: Sequence[str] | None) -> int:
        """Run, and print the page or write it."""
        parser = argparse.ArgumentParser(
            description=description, formatter_class=argparse.RawTextHelpFormatter
        )
        parser.add_argument("--seeds", type=typed_seeds, default=5)
        parser.add_argument("--algorithms", default=",".join(self.algorithms))
        parser.add_argument("--functions", default=",".join(self.functions))
        add_page(parser)
        asked = parser.parse_args(arguments)
        # Seeds outside, so that an interrupted run has some of every function.
        jobs = [
            job
            for seed in range(asked.seeds)
            for function in asked.functions.split(",")
            for algorithm in asked.algorithms.split(",")
            for job in self.jobs(algorithm, function, seed)
        ]
        here = PROJECT / "benchmarks" / "results" / self.name / RUNS
        beside_the_page = PROJECT / "docs" / self.name / RUNS
        self.kept.run_all(jobs, here, beside_the_page)
        order = {title: i for i, title in enumerate(self.titles)}
        runs = self.kept.kept(beside_the_page, here)
        words = self.page(sorted(runs, key=lambda found: order.get(found.job.title, len(order))))
        hand_over(words, asked.page)
        if asked.page is not None:
            archive(runs, asked.page.with_suffix("") / RUNS)
        return 0
