"""What several runs with several objectives trade off, as a chart: the trade-offs of each, and their edge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from orchestrator.objectives import Goal
from orchestrator.report.html.charts import colour_of, dashes_of, document, legend_below
from orchestrator.report.html.front_panel import Axis, Dot, panels_of
from orchestrator.report.words.wording import counted
from orchestrator.values.printable import printable


@dataclass(frozen=True, slots=True)
class Front:
    """The trade-offs of a run that is called so. There must be one."""

    name: str
    dots: Sequence[Dot]


@dataclass(frozen=True, slots=True)
class FrontsAlike:
    """Those of runs that differ in their seeds alone, and what these are called together."""

    name: str
    fronts: Sequence[Front]


def overlaid_fronts(goals: Mapping[str, Goal], groups: Sequence[FrontsAlike]) -> str:
    """A panel for each pair of two to four objectives, a colour for each group. There must be a front."""
    fronts = [front for group in groups for front in group.fronts]
    dots = [dot for front in fronts for dot in front.dots]
    axes = [
        Axis.of(name, goal, [(dot.objectives[i], dot.kind) for dot in dots])
        for i, (name, goal) in enumerate(goals.items())
    ]
    panels, height = panels_of(axes)
    shapes: list[str] = []
    for panel, first, second in panels:
        shapes += panel.axes()
        for index, group in enumerate(groups):
            colour = colour_of(index)
            for front in group.fronts:
                places = [(dot.objectives[first], dot.objectives[second]) for dot in front.dots]
                shapes.append(panel.edge(places, f'stroke="{colour}"{dashes_of(index)}', front.name))
                for dot, place in zip(front.dots, places, strict=True):
                    called = replace(dot, name=f"{front.name}, {_which(dot)}")
                    shapes.append(panel.marked(called, place, 3.5, colour))
    legend, rows = legend_below([group.name for group in groups], height + 18)
    described = f"{printable(' against '.join(goals))}: the trade-offs of {counted(len(fronts), 'run')}."
    return document(height + 12 + 20 * rows, [*shapes, *legend], described)


def _which(dot: Dot) -> str:
    return f"trial {dot.name}" if dot.name.isdigit() else dot.name
