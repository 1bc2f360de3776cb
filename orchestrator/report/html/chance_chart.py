"""How likely a value is above a threshold, over the two parameters that matter most, as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

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
)
from orchestrator.report.html.parts import said, section, soft
from orchestrator.report.words.goals import threshold_words
from orchestrator.report.words.wording import number
from orchestrator.scheduler.corrections import as_corrected
from orchestrator.values.named import Values
from orchestrator.values.printable import printable

if TYPE_CHECKING:
    from orchestrator.parameters.space import Parameter
    from orchestrator.report.models.sensitivity import RunSensitivity
    from orchestrator.sensitivity.chance_map import ChanceMap

Dot: TypeAlias = tuple[Values, bool]
"""A trial's settings, and whether its value is above."""
_LEFT, _RIGHT, _TOP, _BOTTOM, _DEEP = 110, 16, 10, 44, 330
DOTS: Final = 400
"""Trials that are drawn, the newest."""


def chances_drawn(run: RunSoFar, told: Sequence[RunSensitivity]) -> str:
    """Of the objective, if a threshold is sought and it was analysed."""
    threshold = run.spec.objective.threshold
    found = told[0].found.chances if told else None
    if threshold is None or found is None:
        return ""
    chart = _chart(found, told[0].space.parameters, list(_dots(run, threshold))[-DOTS:])
    names = [printable(told[0].space.parameters[i].name) for i in (found.across, found.down)]
    what = f"{printable(run.spec.objective.name)} is above {threshold_words(run.spec)}"
    legend = (
        f"How likely {what}, on average over all settings of the parameters but {names[0]} and {names[1]}:"
        " the darker, the likelier. Dots are trials, full where their value was above."
    )
    return section(f"Where {said(what)}", f"<figure>{chart}</figure>{soft(said(legend))}")


def _dots(run: RunSoFar, threshold: float) -> Iterator[Dot]:
    for trial in as_corrected(run.state, run.state.trials.values()):
        if trial.value is not None and run.state.counts(trial):
            yield trial.parameters, trial.value > threshold


def _chart(told: ChanceMap, parameters: Sequence[Parameter], dots: Sequence[Dot]) -> str:
    across, down = parameters[told.across], parameters[told.down]
    wide, deep = WIDTH - _LEFT - _RIGHT, _DEEP - _TOP - _BOTTOM
    rows, columns = told.chances.shape
    shapes = []
    width, height = f"{wide / columns + 0.3:.1f}", f"{deep / rows + 0.3:.1f}"
    for place, chance in enumerate(told.chances.ravel().tolist()):
        row, column = divmod(place, columns)
        x, y = _LEFT + column * wide / columns, _TOP + (rows - 1 - row) * deep / rows
        corner = f'x="{x:.1f}" y="{y:.1f}" width="{width}" height="{height}"'
        nowhere = f'fill="{FAINT}"'
        shade = f'fill="{COLOURS[0]}" fill-opacity="{0.85 * chance:.2f}"'
        shapes.append(f"<rect {corner} {nowhere if math.isnan(chance) else shade}/>")
    frame = f'x="{_LEFT}" y="{_TOP}" width="{wide}" height="{deep}"'
    shapes.append(f'<rect {frame} fill="none" stroke="{SOFT}"/>')
    for settings, is_above in dots:
        if across.name not in settings or down.name not in settings:
            continue
        x = _LEFT + wide * _share(across, settings[across.name])
        y = _TOP + deep * (1.0 - _share(down, settings[down.name]))
        fill = INK if is_above else "#fff"
        shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{fill}" stroke="{INK}"/>')
    low, high = (_words(across, share) for share in (0.0, 1.0))
    shapes += [
        label(_LEFT, _TOP + deep + 16, low, "start", SOFT),
        label(_LEFT + wide, _TOP + deep + 16, high, "end", SOFT),
        label(_LEFT + wide / 2, _TOP + deep + 32, name_on_chart(_titled(across)), "middle", INK),
        label(_LEFT - 8, _TOP + deep, _words(down, 0.0), "end", SOFT),
        label(_LEFT - 8, _TOP + 10, _words(down, 1.0), "end", SOFT),
        label(_LEFT - 8, _TOP + deep / 2, name_on_chart(_titled(down), _LEFT - 8), "end", INK),
    ]
    described = f"How likely it is above the threshold over {across.name} and {down.name}."
    return document(_DEEP, shapes, printable(described))


def _titled(parameter: Parameter) -> str:
    return f"{parameter.name} ({parameter.unit})" if parameter.unit else parameter.name


def _share(parameter: Parameter, value: object) -> float:
    return min(1.0, max(0.0, float(parameter.encode(value))))


def _words(parameter: Parameter, share: float) -> str:
    value = parameter.decode(share)
    return number(value, 4) if isinstance(value, int | float) else printable(str(value))
