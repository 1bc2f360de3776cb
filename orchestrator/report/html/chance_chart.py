"""How likely a value is above a threshold, over the two parameters that matter most, as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.html.map_chart import DOTS, Dot, Side, map_chart
from orchestrator.report.html.parts import section, soft
from orchestrator.report.words.goals import threshold_words
from orchestrator.scheduler.corrections import as_corrected
from orchestrator.values.printable import printable

if TYPE_CHECKING:
    from orchestrator.report.models.sensitivity import RunSensitivity


def chances_drawn(run: RunSoFar, told: Sequence[RunSensitivity]) -> str:
    """Of the objective, if a threshold is sought and it was analysed."""
    threshold = run.spec.objective.threshold
    found = told[0].found.chances if told else None
    if threshold is None or found is None:
        return ""
    across, down = (told[0].space.parameters[i] for i in (found.across, found.down))
    described = f"How likely it is above the threshold over {across.name} and {down.name}."
    sides = Side.of(across, found.columns), Side.of(down, found.rows)
    chart = map_chart(found.chances, *sides, list(_dots(run, threshold))[-DOTS:], described)
    names = [printable(one.name) for one in (across, down)]
    what = f"{printable(run.spec.objective.name)} is above {threshold_words(run.spec)}"
    legend = (
        f"How likely {what}, on average over all settings of the parameters but {names[0]} and {names[1]}:"
        " the darker, the likelier. Dots are trials, full where their value was above."
    )
    return section(f"Where {what}", f"<figure>{chart}</figure>{soft(legend)}")


def _dots(run: RunSoFar, threshold: float) -> Iterator[Dot]:
    for trial in as_corrected(run.state, run.state.trials.values()):
        if trial.value is not None and run.state.counts(trial):
            yield trial.parameters, trial.value > threshold
