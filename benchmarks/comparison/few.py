"""Few trials: regret where the start design is as long as in long runs, and where it leaves some of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.comparison.store import Store
from benchmarks.comparison.suite import FEW_BUDGETS, Contest, few_suite
from benchmarks.regrets.run import Contender
from orchestrator.errors import UsageError


@dataclass(frozen=True, slots=True)
class Brevity:
    """A contender on a problem over ``seeds`` runs: median final regrets of each of `FEW_BUDGETS`, ``long``
    where the start design has ten points, or all that there are, and ``short`` where it is `auto`'s own; and
    in how many of all these runs the short one ended lower by more than a tenth, and the long one.
    """

    problem: str
    contender: str
    seeds: int
    long: tuple[float, ...]
    short: tuple[float, ...]
    lower: int
    higher: int


def pairs(names: Sequence[str] | None = None) -> list[tuple[Contest, Contest]]:
    """The suite's problems, or some of them, both ways for each budget. Raises UsageError for others."""
    suite = few_suite()
    known = list(dict.fromkeys(both[0].name for both in suite))
    if others := [name for name in names or () if name not in known]:
        raise UsageError(
            f"--problems: expected some of {', '.join(known)} for the suite few, got `{others[0]}`"
        )
    return [both for both in suite if names is None or both[0].name in names]


def measured(
    both_ways: Sequence[tuple[Contest, Contest]], contenders: Sequence[Contender], store: Store
) -> list[Brevity]:
    """Over the seeds that ran both ways with each budget; without any there is no row."""
    found = []
    for name in dict.fromkeys(long.name for long, _ in both_ways):
        own = [both for both in both_ways if both[0].name == name]
        for contender in contenders:
            runs = [
                tuple(
                    {record.job.seed: record.regrets for record in store.records(contest.jobs(contender))}
                    for contest in both
                )
                for both in own
            ]
            seeds = set.intersection(*(set(way) for both in runs for way in both))
            if seeds:
                found.append(_compared(name, contender, [_ends(both, seeds) for both in runs]))
    return found


def words(rows: Sequence[Brevity], own: str) -> list[str]:
    """What the table is of, and what it comes to for our own."""
    ours = [row for row in rows if row.contender == own]
    lower, higher = sum(row.lower for row in ours), sum(row.higher for row in ours)
    return [
        "`python -m benchmarks.compare --suite few`: median regret after so few evaluations, which are told,"
        " of the same seeds with ten points for a start, or as many as there are evaluations, and with as"
        f" many as `{own}` takes of so few by itself. Of its runs {lower} ended lower by more than a tenth"
        f" with fewer, and {higher} higher.",
        "",
    ]


def table(rows: Sequence[Brevity]) -> list[str]:
    """Markdown, with how many runs ended lower and higher in all."""
    of_budgets = " | ".join(f"{n}: ten first | fewer" for n in FEW_BUDGETS)
    lines = [
        f"| problem | algorithm | seeds | {of_budgets} | lower with fewer | higher |",
        "|---|---|--:|" + "--:|--:|" * len(FEW_BUDGETS) + "--:|--:|",
    ]
    for row in rows:
        cells = [f"{regret:.2g}" for both in zip(row.long, row.short, strict=True) for regret in both]
        counts = f"{row.lower} | {row.higher}"
        lines.append(f"| {row.problem} | {row.contender} | {row.seeds} | {' | '.join(cells)} | {counts} |")
    return lines


def _ends(both: Sequence[dict[int, tuple[float, ...]]], seeds: set[int]) -> list[tuple[float, float]]:
    """The least regrets of each seed, long and short."""
    long, short = both
    return [(min(long[seed]), min(short[seed])) for seed in sorted(seeds)]


def _compared(name: str, contender: Contender, ends: Sequence[list[tuple[float, float]]]) -> Brevity:
    every = [pair for own in ends for pair in own]
    return Brevity(
        name,
        contender.title,
        len(ends[0]),
        tuple(median(long for long, _ in own) for own in ends),
        tuple(median(short for _, short in own) for own in ends),
        sum(short < 0.9 * long for long, short in every),
        sum(long < 0.9 * short for long, short in every),
    )
