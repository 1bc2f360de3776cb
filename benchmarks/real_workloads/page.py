"""`docs/workloads.md`: the table of what was measured, and the pictures of the best trials."""

from __future__ import annotations

import os
import platform
import re
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.project import PROJECT
from benchmarks.real_workloads.tasks import TASKS, Task, spec_of
from evaluators.pictures import picture

PAGE = PROJECT / "docs" / "workloads.md"
PICTURES = PROJECT / "docs" / "workloads"
BEGIN, END = "<!-- measured -->", "<!-- end of measured -->"
USUAL_SEEDS = 5
Rows = Sequence[dict[str, Any]]


def cost_of(measured: dict[str, Any]) -> float:
    """Seconds of a core that an evaluation takes; of the clock, where they are too few to be counted."""
    core_s: float = measured["core_s"]
    return core_s if core_s >= 0.05 else statistics.median(measured["walls"])


def write_page(rows: Rows, algorithms: Sequence[str], trials: int) -> None:
    """Put the table between the page's marks. What is not among ``rows`` stays as the page has it."""
    text = PAGE.read_text(encoding="utf-8")
    before = re.search(f"{re.escape(BEGIN)}(.*?){re.escape(END)}", text, flags=re.DOTALL)
    standing = before[1] if before else ""
    found = re.search(r"Measured (\d{4}-\d\d-\d\d)", standing)
    lines = list(_lines(rows, algorithms, standing))
    kept_some = any(line in standing.splitlines() for line in lines)
    days = sorted({row["date"] for row in rows} | ({found[1]} if found and kept_some else set()))
    when = days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"
    said = (
        f"Measured {when} with `python -m benchmarks.workloads`: {os.cpu_count()} cores that others used as "
        f"well, {platform.machine()}, Python {platform.python_version()}, one thread a process, one local "
        f"worker, sequential. Values after {trials} trials: the median of {USUAL_SEEDS} seeds (lowest … "
        "highest) or of as many as the cell says; a value alone is that of one seed. ↑ is to be maximised, "
        "↓ to be minimised."
    )
    inside = "\n".join(
        [
            BEGIN,
            said,
            "",
            f"| workload | s of a core | memory, MB | added a trial, ms | {' | '.join(algorithms)} |",
            f"|---|--:|--:|--:|{'--:|' * len(algorithms)}",
            *lines,
            END,
        ]
    )
    changed = re.sub(f"{re.escape(BEGIN)}.*?{re.escape(END)}", lambda _: inside, text, flags=re.DOTALL)
    PAGE.write_text(changed, encoding="utf-8")


def _lines(rows: Rows, algorithms: Sequence[str], standing: str) -> Iterator[str]:
    """A line a workload: of what was measured, or else the one that stands."""
    for task in TASKS:
        own = [row for row in rows if row["task"] == task.name]
        line = _line(task, own, algorithms)
        for old in standing.splitlines():
            if line is None and re.match(rf"\| {re.escape(task.name)} [^|]*\|", old):
                line = old
        if line is not None:
            yield line


def _line(task: Task, rows: Rows, algorithms: Sequence[str]) -> str | None:
    runs = [row for row in rows if row["kind"] == "run"]
    costs = [row for row in rows if row["kind"] == "bare"]
    between = [row["seconds"] for row in rows if row["kind"] == "added"]
    if not runs or not costs or not between:
        return None
    memory = max(costs[0]["megabytes"], costs[0]["megabytes_of_children"])
    goal = spec_of(task, Path())["objective"]["goal"]
    values = [_values([r["best"] for r in runs if r["algorithm"] == name]) for name in algorithms]
    said = costs[0].get("note", task.note)
    note = f" ({said})" if said else ""
    arrow = "↑" if goal == "maximise" else "↓"
    return (
        f"| {task.name}{note} {arrow} | {cost_of(costs[0]):.2g} | {memory:.0f} | "
        f"{1e3 * statistics.median(between[0]):.1f} | {' | '.join(values)} |"
    )


def _values(values: list[float]) -> str:
    if not values:
        return ""
    if len(values) == 1:
        return f"{values[0]:.4g}".replace("-", "−")
    ranked = sorted(values)
    spread = f"{ranked[0]:.3g} … {ranked[-1]:.3g}".replace("-", "−")
    seeds = "" if len(values) == USUAL_SEEDS else f"; {len(values)} seeds"
    return f"**{statistics.median(values):.4g}**".replace("-", "−") + f" ({spread}{seeds})"


def draw(rows: Rows) -> None:
    """The best trial of each workload whose picture the page shows."""
    shown = re.findall(r"workloads/([\w-]+)\.svg", PAGE.read_text(encoding="utf-8"))
    for task in TASKS:
        spec = spec_of(task, Path())
        runs = [row for row in rows if row["task"] == task.name and row["kind"] == "run"]
        if not runs or task.name not in shown:
            continue
        sign = 1.0 if spec["objective"]["goal"] == "maximise" else -1.0
        best = max(runs, key=lambda row: sign * row["best"])
        evaluator = spec["evaluation"]["evaluator"]
        svg = picture(evaluator, best["best_parameters"], {"value": best["best"], **best["best_extras"]})
        if svg is not None:
            PICTURES.mkdir(parents=True, exist_ok=True)
            (PICTURES / f"{task.name}.svg").write_text(svg, encoding="utf-8")
