"""What it costs to say nothing of noise: regret where it is told, or that there is none, and where not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.comparison.standing import reached
from benchmarks.comparison.store import Store
from benchmarks.comparison.suite import Contest, untold_suite
from benchmarks.regrets.run import Contender, Record
from orchestrator.errors import UsageError

EVALUATIONS = (20, 30, 75)


@dataclass(frozen=True, slots=True)
class Silence:
    """A contender on a problem over ``seeds`` runs: median regrets after `EVALUATIONS` and at the full
    budget, where noise, or that there is none, was ``told`` and where it was not.
    """

    problem: str
    contender: str
    seeds: int
    told: tuple[float, ...]
    untold: tuple[float, ...]


def pairs(names: Sequence[str] | None = None) -> list[tuple[Contest, Contest]]:
    """The suite's problems, or some of them, told and not told. Raises UsageError for others."""
    suite = {both[0].name: both for both in untold_suite()}
    if others := [name for name in names or () if name not in suite]:
        raise UsageError(
            f"--problems: expected some of {', '.join(suite)} for the suite untold, got `{others[0]}`"
        )
    return [both for name, both in suite.items() if names is None or name in names]


def measured(
    both_ways: Sequence[tuple[Contest, Contest]], contenders: Sequence[Contender], store: Store
) -> list[Silence]:
    """Over the seeds that ran both ways, more than the suite asks for too; without any there is no row."""
    found = []
    for told, untold in both_ways:
        for contender in contenders:
            ways = [store.records(contest.jobs(contender, told.seeds)) for contest in (told, untold)]
            seeds = set.intersection(*({record.job.seed for record in records} for records in ways))
            if seeds:
                known, unknown = ([r for r in records if r.job.seed in seeds] for records in ways)
                found.append(
                    Silence(told.name, contender.title, len(seeds), _medians(known), _medians(unknown))
                )
    return found


def table(rows: Sequence[Silence]) -> list[str]:
    """Markdown."""
    moments = [f"at {n}" for n in EVALUATIONS] + ["in the end"]
    lines = [
        f"| problem | algorithm | seeds | {' | '.join(f'{m}: told | not told' for m in moments)} |",
        "|---|---|--:|" + "--:|--:|" * len(moments),
    ]
    for row in rows:
        cells = [f"{regret:.2g}" for both in zip(row.told, row.untold, strict=True) for regret in both]
        lines.append(f"| {row.problem} | {row.contender} | {row.seeds} | {' | '.join(cells)} |")
    return lines


def _medians(records: Sequence[Record]) -> tuple[float, ...]:
    budget = records[0].job.budget
    return tuple(
        median(reached(record, min(n, budget)) for record in records) for n in (*EVALUATIONS, budget)
    )
