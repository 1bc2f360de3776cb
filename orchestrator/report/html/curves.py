"""What evaluations reported on their way, as a chart of a run's page: which were stopped, and where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from orchestrator.curves.curve import Readings
from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.html.charts import COLOURS, RED, SOFT, Plot, cross, document
from orchestrator.report.html.parts import section, soft
from orchestrator.report.html.value_axis import shown_axis
from orchestrator.scheduler.transitions import TrialState

DRAWN: Final = 200
"""Curves: the last so many, and the best."""
_HEIGHT: Final = 300


def curves_drawn(run: RunSoFar) -> str:
    """The curve of every trial that has one; nothing where none has."""
    rule, state = run.spec.evaluation.stop_when, run.state
    trials = [trial for trial in state.trials.values() if trial.curve and not trial.forgotten]
    if rule is None or not trials:
        return ""
    best = None if state.found.best is None or not state.found.best.curve else state.found.best
    shown = [trial for trial in trials[-DRAWN:] if trial is not best]
    stopped = [trial.curve for trial in shown if trial.state is TrialState.STOPPED]
    ended = [trial.curve for trial in shown if trial.state is not TrialState.STOPPED]
    chart = curves_chart(ended, stopped, None if best is None else best.curve, rule.quantity)
    legend = "Grey: evaluations that came to their ends"
    legend += "; red: those that were stopped, with a mark where" if stopped else ""
    legend += "; blue: that of the best trial" if best is not None else ""
    left_out = f" The last {DRAWN} are drawn." if len(trials) > DRAWN else ""
    return section(
        f"What was reported of {rule.quantity}", f"<figure>{chart}</figure>{soft(f'{legend}.{left_out}')}"
    )


def curves_chart(
    ended: Sequence[Readings], stopped: Sequence[Readings], best: Readings | None, quantity: str
) -> str:
    """Curves of evaluations that ended, of those that were stopped, and of the best, if it has one."""
    best_last = [] if best is None else [best]
    curves = [*ended, *stopped, *best_last]
    steps = [step for curve in curves for step, _ in curve]
    values = [value for curve in curves for _, value in curve]
    middle = sorted(curve[-1][1] for curve in curves)[len(curves) // 2] if best is None else best[-1][1]
    extreme = max(values) if middle >= (max(values) + min(values)) / 2 else min(values)
    plot = Plot(min(steps), max(*steps, min(steps) + 1), shown_axis(extreme, values), _HEIGHT)
    shapes = plot.axes(quantity, "step")
    shapes += [_line(plot, curve, SOFT, 0.45, 1.2) for curve in ended]
    for curve in stopped:
        shapes.append(_line(plot, curve, RED, 0.6, 1.2))
        shapes.append(cross(*_at(plot, *curve[-1])))
    shapes += [_line(plot, curve, COLOURS[0], 1.0, 2.5) for curve in best_last]
    words = f"{quantity} by step, of {len(curves)} evaluations, {len(stopped)} of which were stopped early."
    return document(_HEIGHT, shapes, words)


def _at(plot: Plot, step: int, value: float) -> tuple[float, float]:
    return plot.at(step, plot.axis.within(value))


def _line(plot: Plot, curve: Readings, colour: str, opacity: float, width: float) -> str:
    if len(curve) == 1:
        x, y = _at(plot, *curve[0])
        return f'<circle cx="{x:g}" cy="{y:g}" r="{width + 1:g}" fill="{colour}" fill-opacity="{opacity}"/>'
    points = " ".join(f"{x:g},{y:g}" for x, y in (_at(plot, *reading) for reading in curve))
    return (
        f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-opacity="{opacity}" '
        f'stroke-width="{width:g}" stroke-linejoin="round"/>'
    )
