"""What is expected over the two parameters that matter most, the others staying as they are, as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.html.map_chart import DOTS, Dot, Side, map_chart
from orchestrator.report.html.parts import section, soft
from orchestrator.report.words.goals import goals_of, titled
from orchestrator.report.words.no_best import some_unsatisfied
from orchestrator.report.words.wording import number
from orchestrator.scheduler.corrections import as_corrected
from orchestrator.values.printable import printable

if TYPE_CHECKING:
    from orchestrator.parameters.space import Parameter
    from orchestrator.report.models.sensitivity import RunSensitivity

SHADES: Final = 10


def maps_drawn(run: RunSoFar, told: Sequence[RunSensitivity]) -> str:
    """Of each quantity that was analysed, where two parameters count."""
    return "".join(_drawn(run, one) for one in told)


def _drawn(run: RunSoFar, told: RunSensitivity) -> str:
    found = told.found.together
    if found is None or not np.isfinite(found.expected).any():
        return ""
    goal = goals_of(run.spec).get(told.quantity, "maximise")
    shown = found.expected[np.isfinite(found.expected)]
    least, most = float(shown.min()), float(shown.max())
    across, down = (told.space.parameters[i] for i in (found.across, found.down))
    described = (
        f"{told.quantity} expected over {across.name} and {down.name}: from {least:.5g} to {most:.5g}."
    )
    sides = Side.of(across, found.columns), Side.of(down, found.rows)
    dots = list(_dots(run, told, (across, down)))[-DOTS:]
    chart = map_chart(_shades(found.expected, goal == "maximise"), *sides, dots, described)
    quantity, names = titled(told.quantity, told.units), [printable(one.name) for one in (across, down)]
    better = "higher" if goal == "maximise" else "lower"
    others = len(told.space.parameters) > 2
    legend = (
        f"{quantity}, as expected over {names[0]} and {names[1]}"
        f"{f', the others as in {told.point}' if others else ''}: from {number(least)} to {number(most)}."
        f" The darker, the {better}, in ten shades of as many places each."
        f" Dots are trials{', wherever their other settings were' if others else ''}; the full one is"
        f" {told.point}.{_of_constraints(run, found.expected)}"
    )
    title = f"What is expected of {told.quantity} over {names[0]} and {names[1]}"
    return section(title, f"<figure>{chart}</figure>{soft(legend)}")


def _of_constraints(run: RunSoFar, expected: FloatArray) -> str:
    said = " Grey: where constraints between parameters are broken." if np.isnan(expected).any() else ""
    if some_unsatisfied(run.state.policy, run.state.trials.values()):
        said += " Constraints on outcomes, which some trials do not satisfy, are not in it."
    return said


def _shades(expected: FloatArray, rises: bool) -> FloatArray:
    """By rank: where values fall by magnitudes, what is near the best is still told apart."""
    shades = np.full(expected.shape, np.nan)
    shown = np.isfinite(expected)
    values = expected[shown] if rises else -expected[shown]
    ranks = np.searchsorted(np.sort(values), values, side="left") / max(1, len(values) - 1)
    shades[shown] = np.minimum(np.floor(ranks * SHADES) / (SHADES - 1), 1.0)
    return shades


def _dots(run: RunSoFar, told: RunSensitivity, sides: Sequence[Parameter]) -> Iterator[Dot]:
    """The one that it runs through last, which is so drawn above the others."""
    for trial in as_corrected(run.state, run.state.trials.values()):
        if trial.value is not None and run.state.counts(trial) and trial.number != told.trial:
            yield trial.parameters, False
    if all(one.name in told.settings for one in sides):
        yield told.settings, True
