"""Who is ahead after few evaluations: where one takes hours, there are no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.comparison.standing import Runs, early_rank, shared

EVALUATIONS = (15, 20, 30, 50)
# By then a larger start design has hardly ended.
LARGEST_START = 10


def contest(problems: Mapping[str, Runs], algorithms: Sequence[str]) -> dict[str, Runs]:
    """The problems that start with few points and that all of those algorithms have run which ran half of
    the problems at least: of these, their runs alone.
    """
    often = [
        name for name in algorithms if 2 * sum(name in runs for runs in problems.values()) >= len(problems)
    ]
    small = {
        problem: runs
        for problem, runs in problems.items()
        if all(record.start_points <= LARGEST_START for own in runs.values() for record in own)
        and all(record.job.budget >= max(EVALUATIONS) for own in runs.values() for record in own)
    }
    return shared(small, often)


def table(problems: Mapping[str, Runs]) -> list[str]:
    """Markdown: mean ranks among those that all of these problems have been run by."""
    lines = [
        f"| algorithm | {' | '.join(f'at {n}' for n in EVALUATIONS)} |",
        "|---|" + "--:|" * len(EVALUATIONS),
    ]
    names = next(iter(problems.values()), {})
    ranks = {name: [early_rank(problems, name, n) for n in EVALUATIONS] for name in names}
    for name in sorted(ranks, key=lambda name: ranks[name][-1]):
        lines.append(f"| {name} | {' | '.join(f'{rank:.2f}' for rank in ranks[name])} |")
    return lines
