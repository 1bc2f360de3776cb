"""Several runs drawn for a terminal, of any size: a line each, those first that somebody works on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from rich.text import Text

from orchestrator.report.following.listed_run import IN_TROUBLE, ListedRun
from orchestrator.report.tables.runs import runs_words
from orchestrator.report.terminal.sections import fitted
from orchestrator.report.words.wording import counted

WORKED_ON = ("running", "paused", "stopping")
RED = ("interrupted", *IN_TROUBLE)


@dataclass(frozen=True, slots=True)
class RunsNow:
    """Runs as they stood at ``at``, the newest first; ``trouble`` is what keeps them from being looked at."""

    runs: Sequence[ListedRun]
    at: datetime
    trouble: str = ""


def runs_screen(now: RunsNow, width: int, height: int) -> list[Text]:
    """At most ``height`` lines, and no line wider than ``width`` columns. There must be a run."""
    width, height = max(20, width), max(6, height)
    runs = sorted(now.runs, key=lambda run: run.state not in WORKED_ON)
    head = [_head(now, width), *([fitted(Text(now.trouble, style="red"), width)] if now.trouble else [])]
    # Below them there may be a line of columns for which there was no room, and one of runs.
    room = height - len(head) - 3
    shown = runs[: max(1, room)]
    first, *lines = runs_words(shown, width).splitlines()
    told = [fitted(Text(line, style=_style(run)), width) for line, run in zip(lines, shown, strict=False)]
    below = [fitted(Text(line, style="dim"), width) for line in lines[len(shown) :] if line]
    if more := len(runs) - len(shown):
        below.insert(0, Text(f"and {counted(more, 'more run')}", style="dim"))
    return [*head, fitted(Text(first, style="bold"), width), *told, *below][:height]


def _head(now: RunsNow, width: int) -> Text:
    states = Counter(run.state for run in now.runs)
    order = sorted(states, key=lambda state: (state not in WORKED_ON, state))
    line = Text.assemble((counted(len(now.runs), "run"), "bold"))
    for state in order:
        line.append(f" · {states[state]:,} {state}", style="red" if state in RED else "")
    time = f"{now.at:%H:%M:%S}"
    line = fitted(line, max(8, width - len(time) - 2))
    line.append(" " * max(2, width - line.cell_len - len(time))).append(time, style="dim")
    return fitted(line, width)


def _style(run: ListedRun) -> str:
    if run.state in RED:
        return "red"
    return "" if run.state in WORKED_ON else "dim"
