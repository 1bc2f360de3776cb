"""What models of a run's results expect at points, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from orchestrator.parameters.space import Space
from orchestrator.report.words.sensitivity import trust_in
from orchestrator.report.words.wording import number, percentage, printable
from orchestrator.scheduler.story import which
from orchestrator.sensitivity.prediction import HIGH, LOW
from orchestrator.sensitivity.results_model import ResultsModel

DIGITS = 5
BOUNDS = f"{100 * LOW:.0f} to {percentage(HIGH)}"


@dataclass(frozen=True, slots=True)
class Where:
    """Points of a space that were asked about; what is ``left_out`` is as in the trial that is ``best``."""

    space: Space
    points: Sequence[Mapping[str, Any]]
    left_out: Sequence[str]
    best: int | None


def sentences(asked: Where, models: Mapping[str, ResultsModel], *, constrained: bool) -> Iterator[str]:
    """Where it is, what is told of it, and how far to trust the ``models``, by the names of quantities;
    ``constrained``: whether there is anything to be satisfied.
    """
    if len(asked.points) == 1:
        typed = [name for name in asked.space.names if name not in asked.left_out]
        if where := _settings(asked, typed):
            yield f"at {where}"
        if asked.left_out and asked.best is not None:
            yield f"as in the best, {which(asked.best)}: {_settings(asked, asked.left_out)}"
    yield (
        f"±: the deviation of what is expected; {BOUNDS}: nine times out of ten it lies in there, if the"
        " models are right. All of it is without noise"
    )
    if constrained:
        yield (
            "satisfied: how likely all constraints are to hold, what is not known of outcomes being left to"
            " chance"
        )
    for i, settings in enumerate(asked.points):
        if broken := asked.space.broken_by(settings):
            where = f"point {i + 1} breaks" if len(asked.points) > 1 else "it breaks"
            yield f"{where} `{'`, `'.join(map(printable, broken))}`, and so would not be asked for"
    for name, model in models.items():
        yield f"{printable(name)}: {trust_in(model.hypotheses, model.left_out(), model.measured)}"


def _settings(asked: Where, names: Sequence[str]) -> str:
    """Of the one point those of these parameters that count."""
    (point,) = asked.points
    units = {parameter.name: parameter.unit for parameter in asked.space.parameters}
    return ", ".join(
        printable(f"{name} = {number(point[name], DIGITS)} {units[name]}".rstrip())
        for name in names
        if name in point
    )
