"""The trade-offs of a run on the screen: their ranges, and the first of them as rows."""

from __future__ import annotations

from textwrap import wrap

from rich.text import Text

from orchestrator.report.seen.trade_offs import TradeOff, newest, range_of_each
from orchestrator.report.seen.view import View
from orchestrator.report.tables.table import Table
from orchestrator.report.terminal.sections import Section
from orchestrator.report.words.without_best import WORDS
from orchestrator.report.words.wording import passing, where_words, which_in_a_cell
from orchestrator.scheduler.transitions import Phase
from orchestrator.values.printable import printable

NO_BREAK = "\N{NO-BREAK SPACE}"
ROWS = 12
"""Trade-offs that room is asked for: workers and events are to be seen as well."""


def trade_off_section(view: View, width: int, *, roomy: bool) -> Section:
    """In the place of the best point, where there are several objectives."""
    if not view.found.trade_offs:
        return Section("Trade-offs", [Text(WORDS[view.found.why_no_best or "no value"], style="dim")])
    lines = [Text(line, style="bold green") for line in _ranges(view, width)]
    last = f"  {_newest(view, newest(view.found.trade_offs))}"
    if lines[-1].cell_len + len(last) <= width:
        lines[-1] = Text.assemble(lines[-1], last)
    else:
        lines.append(Text(last.strip()))
    head, *rows = _rows(view.found.trade_offs[:ROWS])
    lines += [Text(head, style="dim"), *map(Text, rows)]
    title, beyond = f"Trade-offs  {len(view.found.trade_offs):,}", len(view.found.trade_offs) - len(rows)
    least = min(len(lines), 8 if roomy else 5)
    return Section(title, lines, least=least, unit="trade-offs", beyond=beyond)


def _ranges(view: View, width: int) -> list[str]:
    """On as many lines as they need, none broken in the middle."""
    whole = ", ".join(
        words.replace(" ", NO_BREAK) for words in range_of_each(view.found.trade_offs, view.units)
    )
    return [line.replace(NO_BREAK, " ") for line in wrap(whole, width, break_on_hyphens=False)]


def _newest(view: View, last: TradeOff) -> str:
    when = "" if last.at is None or view.phase is Phase.FINISHED else f", {passing(view.now - last.at)} ago"
    return f"the newest {where_words(last.trial)}{when}"


def _rows(trade_offs: tuple[TradeOff, ...]) -> list[str]:
    names = list(trade_offs[0].objectives)
    outcomes = list(dict.fromkeys(name for one in trade_offs for name in one.outcomes))
    rows = [
        [
            which_in_a_cell(one.trial),
            *one.objectives.values(),
            *(one.outcomes.get(name) for name in outcomes),
        ]
        for one in trade_offs
    ]
    text = Table(tuple(map(printable, ("trial", *names, *outcomes))), rows).written("table")
    return [f"  {line}" for line in text.splitlines()]
