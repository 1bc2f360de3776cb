"""How the settings of the best trial changed on its way, as a table and a chart of a run's page."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.html.charts import (
    COLOURS,
    FAINT,
    INK,
    SOFT,
    WIDTH,
    document,
    label,
    name_on_chart,
    width_on_chart,
)
from orchestrator.report.html.parameter_axis import marks_along, share_along, titled_on_chart
from orchestrator.report.html.parameters import varied_parameters
from orchestrator.report.html.parts import section, soft, table
from orchestrator.report.seen.schedule import Stretch, schedule_of
from orchestrator.report.words.wording import counted, listed, number
from orchestrator.spec.sections.parameters import Varying
from orchestrator.values.printable import printable

SETTINGS: Final = 8
"""Parameters that are shown, of those that changed."""
_ACROSS: Final = 3
_WIDE: Final = WIDTH // _ACROSS
_DEEP, _MARGIN, _RIGHT, _TOP, _BOTTOM = 150, 62, 14, 26, 40


def schedule_drawn(run: RunSoFar) -> str:
    """With which settings the best trial came there; nothing where these were the same all along."""
    steps, best = run.spec.accumulates, run.state.found.best
    stretches = () if best is None else schedule_of(best, run.state, steps)
    if not stretches:
        return ""
    changed = [name for name in stretches[0].parameters if _changes(stretches, name)]
    shown, more = changed[:SETTINGS], len(changed) - SETTINGS
    drawn = {name: told for name, told in varied_parameters(run).items() if name in shown}
    chart = f"<figure>{schedule_chart(drawn, stretches, steps)}</figure>" if drawn else ""
    rows = (
        [one.until, listed(list(map(str, one.trials))), *(one.parameters.get(name) for name in shown)]
        for one in stretches
    )
    left_out = f"; {counted(more, 'more parameter')} changed: orchestrator best" if more > 0 else ""
    words = f"Trials went on from what others had left, with other settings{left_out}."
    told = table([f"to {steps}", "trials", *shown], rows)
    return section("How its settings changed on the way", f"{chart}{told}{soft(words)}")


def schedule_chart(parameters: Mapping[str, Varying], stretches: Sequence[Stretch], steps: str) -> str:
    """A panel for each parameter, with its values upwards along how many steps are done."""
    ends = [_after(one, place) for place, one in enumerate(stretches, 1)]
    shapes: list[str] = []
    for index, (name, parameter) in enumerate(parameters.items()):
        left, top = _WIDE * (index % _ACROSS) + _MARGIN, _DEEP * (index // _ACROSS) + _TOP
        shapes += _axes(name, parameter, left, top, stretches[-1].until, steps)
        values = [share_along(parameter, one.parameters.get(name)) for one in stretches]
        shapes.append(_line(values, ends, left, top))
    described = f"{', '.join(map(printable, parameters))} along {printable(steps)}."
    return document(_DEEP * math.ceil(len(parameters) / _ACROSS), shapes, described)


def _axes(name: str, parameter: Varying, left: float, top: float, last: object, steps: str) -> Iterator[str]:
    wide, deep = _WIDE - _MARGIN - _RIGHT, _DEEP - _TOP - _BOTTOM
    frame = f'x="{left}" y="{top}" width="{wide}" height="{deep}"'
    yield f'<rect {frame} fill="none" stroke="{FAINT}"/>'
    yield label(left, top - 8, titled_on_chart(name, parameter), "start", INK)
    for share, words, _ in marks_along(parameter):
        shown = name_on_chart(words, _MARGIN - 8)
        yield label(left - 6, top + (1 - share) * deep + 4, shown, "end", SOFT)
    yield label(left, top + deep + 16, "0", "start", SOFT)
    end = name_on_chart(printable(number(last)), wide / 2)
    yield label(left + wide, top + deep + 16, end, "end", SOFT)
    room = wide - 2 * width_on_chart(end) - 20
    yield label(left + wide / 2, top + deep + 16, name_on_chart(steps, room), "middle", SOFT)


def _line(values: Sequence[float | None], ends: Sequence[float], left: float, top: float) -> str:
    """Level while a value lasts, and up or down to the next at once; with gaps where there is none."""
    wide, deep = _WIDE - _MARGIN - _RIGHT, _DEEP - _TOP - _BOTTOM
    path, before = "", None
    for value, start, end in zip(values, [0.0, *ends], ends, strict=False):
        if value is not None:
            x, y = (round(left + wide * at / ends[-1], 1) for at in (start, end))
            up = round(top + (1 - value) * deep, 1)
            path += f"{f'M{x:g},{up:g}' if before is None else f'V{up:g}'}H{y:g}"
        before = value
    return f'<path d="{path}" fill="none" stroke="{COLOURS[0]}" stroke-width="2.5" stroke-linejoin="round"/>'


def _after(stretch: Stretch, place: int) -> float:
    """How far along its end is: so many steps, or, where they have names, its place among the stretches."""
    return float(stretch.until) if isinstance(stretch.until, int | float) else float(place)


def _changes(stretches: Sequence[Stretch], name: str) -> bool:
    first = stretches[0].parameters.get(name)
    return any(one.parameters.get(name) != first for one in stretches)
