"""What is traded off, as SVG: each pair of objectives against each other, and the front's edge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from orchestrator.objectives import Goal
from orchestrator.report.html.charts import SOFT, WIDTH, document, label
from orchestrator.report.html.front_panel import MARGIN, Axis, Dot, Kind, panels_of
from orchestrator.report.words.wording import counted
from orchestrator.values.printable import printable


def front_chart(goals: Mapping[str, Goal], dots: Sequence[Dot]) -> str:
    """A panel for each pair of two to four objectives, the earlier one across and the later one upwards.

    Trade-offs are marked, and joined by the edge of what they attain in the two objectives of the panel.
    There must be a trade-off.
    """
    axes = [
        Axis.of(name, goal, [_of(dot, i) for dot in dots]) for i, (name, goal) in enumerate(goals.items())
    ]
    panels, height = panels_of(axes)
    shapes: list[str] = []
    outside = 0
    for panel, first, second in panels:
        shown = [(dot, (dot.objectives[first], dot.objectives[second])) for dot in dots]
        shapes += panel.shapes(shown, alone=len(panels) == 1)
        outside += sum(not panel.inside(place) for _, place in shown)
    if outside:
        height += 16
        words = f"{outside:,} outside the ranges shown: at their edges"
        shapes.append(label(WIDTH - MARGIN, height - 4, words, "end", SOFT))
    front = counted(sum(dot.kind == "trade-off" for dot in dots), "trade-off")
    described = f"{printable(' against '.join(goals))}: {front} among {counted(len(dots), 'trial')}."
    return document(height, shapes, described)


def _of(dot: Dot, index: int) -> tuple[float, Kind]:
    return dot.objectives[index], dot.kind
