"""What `auto` is to reach beyond the best of its peers, and what it reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from benchmarks.comparison.standing import Runs


@dataclass(frozen=True, slots=True)
class Aim:
    """A median regret on a problem of the suite, after so many evaluations."""

    problem: str
    evaluations: int
    regret: float


AIMS = (
    Aim("hartmann-6", 75, 1e-5),
    Aim("shekel-4", 150, 1e-3),
    Aim("michalewicz-10", 150, 0.5),
    Aim("ackley-5", 150, 1e-3),
    Aim("trimodal-10-3-3", 150, 1e-4),
    Aim("powell-24", 200, 10.0),
    Aim("trimodal-40-5-8", 200, 0.05),
    Aim("rastrigin-100", 300, 100.0),
    Aim("rover", 300, 2.0),
)


def table(problems: Mapping[str, Runs], algorithm: str) -> list[str]:
    """Markdown: a row for each aim on a problem that the algorithm has run."""
    lines = ["| problem | evaluations | aim | median | seeds | reached |", "|---|--:|--:|--:|--:|---|"]
    for aim in AIMS:
        if not (records := problems.get(aim.problem, {}).get(algorithm)):
            continue
        found = median(record.simple_regret(aim.evaluations) for record in records)
        reached = "yes" if found <= aim.regret else "**no**"
        lines.append(
            f"| {aim.problem} | {aim.evaluations} | {aim.regret:g} | {found:.2g} | {len(records)} |"
            f" {reached} |"
        )
    return lines
