"""How good points are where settings are off: what the figures are, and how far to trust them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from orchestrator.report.words.prediction import Chances, trust_in_model
from orchestrator.report.words.sensitivity import stretched
from orchestrator.report.words.wording import number
from orchestrator.sensitivity.least_affected import AS_LIKELY, ENOUGH
from orchestrator.sensitivity.tolerances import Tolerances
from orchestrator.sensitivity.value_model import ValueModel
from orchestrator.values.named import Values
from orchestrator.values.percent import percentage
from orchestrator.values.printable import printable


def sentences(
    objective: str,
    tolerances: Tolerances,
    models: Mapping[str, ValueModel],
    chances: Chances,
    now: Values,
) -> Iterator[str]:
    """What the columns are, and how far to trust them. ``models`` are of the objective and of the outcomes
    that are constrained, by name; ``now`` is what a clock shows, if there is one.
    """
    units = tolerances.space.units
    off = " and ".join(
        f"{printable(name)} by {number(width)}" + (f" {units[name]}" if units[name] else "")
        for name, width in tolerances.widths.items()
    )
    exact = "; what is left out is 0 exactly" if tolerances.counted & tolerances.widths.keys() else ""
    yield f"off by up to so much, evenly, and never beyond the bounds: {off}{exact}"
    for clock, shown in now.items():
        time = f"{number(shown)} {units[clock]}".rstrip()
        yield (
            f"all is of now, {printable(clock)} = {time}: of trials what their settings would give at that"
            " time, whatever came of them at theirs"
        )
    yield f"poor: one in twenty is poorer. All is expected of {printable(objective)}, without noise"
    if chances.constrained:
        yield (
            "satisfied: how likely it is that the constraints on outcomes hold, what is off and what is not"
            f" known of outcomes both being left to chance; of points that reach {percentage(ENOUGH)}, the"
            " one is shown that is best on average, else the likeliest"
        )
    if chances.failed:
        yield (
            f"succeeds: how likely an evaluation is to give a value, {chances.failed} of {chances.tried}"
            f" having failed; of points that are {percentage(AS_LIKELY)} as likely to as any that was tried,"
            " or more, the one is shown that is best on average"
        )
    for name, model in models.items():
        trust = trust_in_model(model, tolerances.space)
        # Of the objective nothing is told of how unsure it is.
        yield f"{printable(name)}: {trust}{'' if name == objective else stretched(model.stretch)}"
