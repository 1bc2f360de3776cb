"""`docs/results.md`: the papers' tables as measured here, whatever has been measured of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.measuring.machine import machine
from benchmarks.project import PROJECT
from benchmarks.published.tables import TABLES, Entry, Experiment, PaperTable
from benchmarks.regrets.run import Record
from benchmarks.regrets.store import Bench
from benchmarks.regrets.table import Quartiles

PAGE = PROJECT / "docs" / "results.md"

INTRODUCTION = (
    "Regret is the optimum minus the best noiseless value found, at the end of the budget. A paper's value "
    "is the mean over its repeats; ours is the median with quartiles, and the mean beside it. *Reached*: "
    "both are no worse than the paper's value. *Shifted*: the same on copies with the optimum moved and "
    "the parameters permuted, another copy for each seed, so that an optimum at the centre helps nobody. "
    "*Seeds* says how many ran, and of how many repeats in the paper. All rows of a seed begin with the "
    "same scrambled Sobol points (10 up to 10 parameters, 20 above), which count in the budget, but for "
    "DIRECT, SOO, REMBO and random, which begin in their own ways; values have no noise, which is known. "
    "The papers' own algorithms are in bold, with our defaults but for what a row's name says: their "
    "docstrings say how these deviate from the papers' settings, which the specs in `configs/papers` have. "
    "A row that has not run says so. Runs are kept when the code changes: `--results` and `--page` "
    "elsewhere measure afresh."
)

Unavailable = Callable[[Entry], str | None]


@dataclass(frozen=True)
class Outcome:
    """The records of a row, at most as many seeds as the paper has repeats."""

    entry: Entry
    plain: Sequence[Record]
    moved: Sequence[Record]
    missing: str | None = None

    @property
    def median(self) -> float | None:
        """Regret at the end of the budget; None where nothing ran."""
        return None if not self.plain else Quartiles.of(regrets(self.plain)).median

    @property
    def mean(self) -> float | None:
        """What the papers give."""
        return None if not self.plain else float(np.mean(regrets(self.plain)))

    @property
    def reaches(self) -> bool | None:
        """Whether median and mean are no worse than the paper's mean; None where one is missing."""
        if self.entry.paper is None or self.median is None or self.mean is None:
            return None
        return max(self.median, self.mean) <= self.entry.paper


def regrets(records: Sequence[Record]) -> list[float]:
    """Simple regret of each at the end."""
    return [record.simple_regret(record.job.budget) for record in records]


def outcomes(
    bench: Bench, table: PaperTable, experiment: Experiment, unavailable: Unavailable
) -> list[Outcome]:
    """A row for each entry, from what is kept."""
    found = []
    for entry in experiment.entries:
        plain, moved = (_kept(bench, experiment, entry, shifted, table.repeats) for shifted in (False, True))
        found.append(Outcome(entry, plain, moved, unavailable(entry)))
    return found


def write_page(bench: Bench, page: Path, unavailable: Unavailable) -> Path:
    """Write the page from the bench's folder, and return its path."""
    measured = {
        table.name: [(e, outcomes(bench, table, e, unavailable)) for e in table.experiments]
        for table in TABLES.values()
    }
    page.write_text("\n".join(_page(measured)) + "\n", encoding="utf-8")
    return page


def table_of(rows: Sequence[Outcome], repeats: int) -> list[str]:
    """Markdown of one function."""
    timed = any(row.entry.paper_s is not None for row in rows)
    head = ["algorithm", "paper", "ours: median [quartiles]", "mean", "seeds", "reached", "shifted", "seeds"]
    head += ["s a run: paper", "ours"] if timed else []
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for row in rows:
        name = f"**{row.entry.name}**" if row.entry.own else row.entry.name
        cells = [name, _number(row.entry.paper)]
        if row.plain or row.moved:
            cells += [
                _spread(row.plain),
                _number(row.mean),
                _seeds(row.plain, repeats),
                _verdict(row),
                _spread(row.moved),
                _seeds(row.moved, repeats),
            ]
        else:
            cells += [f"({row.missing})" if row.missing else "(not run)", "", "0", "", "", "0"]
        if timed:
            seconds = [sum(record.seconds) for record in row.plain]
            cells += [_number(row.entry.paper_s), _number(float(np.mean(seconds)) if seconds else None)]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def beaten(rows: Sequence[Outcome]) -> list[str]:
    """Sentences on which baselines do better than the paper's own algorithm, by the median."""
    sentences = []
    for name, records in _columns(rows).items():
        medians = {o.entry.name: Quartiles.of(regrets(r)).median for o, r in records if r}
        ours = [o.entry.name for o, _ in records if o.entry.own and o.entry.name in medians]
        others = sorted((n for n in medians if n not in ours), key=lambda n: medians[n])
        for own in ours if others else []:
            ahead = [n for n in others if medians[n] < medians[own]]
            listed = ", ".join(f"{n} ({_number(medians[n])})" for n in ahead or others)
            verb = "loses to" if ahead else "is ahead of all baselines that ran:"
            sentences.append(f"{name}, {own} ({_number(medians[own])}) {verb} {listed}.")
    return sentences


def _columns(rows: Sequence[Outcome]) -> Mapping[str, list[tuple[Outcome, Sequence[Record]]]]:
    return {
        "As published": [(row, row.plain) for row in rows],
        "Shifted": [(row, row.moved) for row in rows],
    }


def _page(measured: Mapping[str, Sequence[tuple[Experiment, Sequence[Outcome]]]]) -> list[str]:
    lines = [
        "# The papers' tables, measured",
        "",
        f"Runs: {_dates(measured)}. Written on {machine()}, with `python -m benchmarks.papers --write`, from"
        " what is kept in `benchmarks/results/papers` and beside this page.",
        "",
        INTRODUCTION,
        "",
        "## In short",
        "",
        *_summary(measured),
        "",
        "The papers on Add-GP-UCB, EGP-TS and BOO print curves and no values: their tables are below, with"
        " who is ahead of whom.",
    ]
    for name, experiments in measured.items():
        table = TABLES[name]
        lines += [
            "",
            f"## {table.title}",
            "",
            f"{table.source}; {table.repeats} repeats. `python -m benchmarks.papers --table {name} --write`",
            *(["", *table.remarks] if table.remarks else []),
        ]
        for experiment, rows in experiments:
            lines += ["", f"### {experiment.function}, {experiment.budget} evaluations", ""]
            lines += table_of(rows, table.repeats)
            if sentences := beaten(rows):
                lines += ["", " ".join(sentences)]
    return lines


def _dates(measured: Mapping[str, Sequence[tuple[Experiment, Sequence[Outcome]]]]) -> str:
    rows = (row for experiments in measured.values() for _, rows in experiments for row in rows)
    dates = {record.date for row in rows for record in (*row.plain, *row.moved)} - {""}
    return " to ".join(sorted({min(dates), max(dates)})) if dates else "none yet"


def _summary(measured: Mapping[str, Sequence[tuple[Experiment, Sequence[Outcome]]]]) -> list[str]:
    lines = ["| paper's own algorithm | paper | ours | seeds | reached |", "|---|---|---|---|---|"]
    for experiments in measured.values():
        for experiment, rows in experiments:
            for row in rows:
                if row.entry.own and row.entry.paper is not None:
                    seeds, ours = str(len(row.plain)), _number(row.median)
                    what = f"{row.entry.name}, {experiment.function}"
                    lines.append(
                        f"| {what} | {_number(row.entry.paper)} | {ours} | {seeds} | {_verdict(row)} |"
                    )
    return lines


def _kept(bench: Bench, experiment: Experiment, entry: Entry, shifted: bool, repeats: int) -> list[Record]:
    stored = bench.stored(experiment.case(entry, shifted))
    found = (stored.get(job.key) for job in experiment.jobs(entry, shifted, repeats))
    return [record for record in found if record is not None]


def _verdict(row: Outcome) -> str:
    if row.reaches is None:
        return "not run" if row.entry.paper is not None and not row.plain else ""
    return "yes" if row.reaches else "**no**"


def _seeds(records: Sequence[Record], repeats: int) -> str:
    capped = sum(record.cap_s is not None for record in records)
    return f"{len(records)} of {repeats}" + (f", {capped} ended early" if capped else "")


def _spread(records: Sequence[Record]) -> str:
    if not records:
        return "(not run)"
    return str(Quartiles.of(regrets(records))) if len(records) > 1 else _number(regrets(records)[0])


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
