"""What a run's page shows of how well a fit determines its parameters: a chart of all pairs, and a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from orchestrator.report.html.parts import section, soft, table

if TYPE_CHECKING:
    from orchestrator.report.html.corner_chart import Axis
    from orchestrator.report.models.posterior import RunPosterior


def posterior_drawn(told: RunPosterior | None) -> str:
    """Nothing where it was not asked for."""
    if told is None:
        return ""
    # What it is made of takes long to import, and most pages have none of it.
    from orchestrator.report.html.corner_chart import MOST_DRAWN, corner_chart
    from orchestrator.report.tables.posterior import shown_table
    from orchestrator.report.words.posterior import sentences
    from orchestrator.report.words.wording import listed

    axes = list(_axes(told))
    parts = []
    if axes:
        legend = (
            "Each parameter by itself, and below every two together: dark where 68 % of what is plausible"
            " lies, light where 95 % does; orange: the best trial"
        )
        beyond = [one.name for one in axes[:MOST_DRAWN] if not one.low <= one.best <= one.high]
        legend += f", which lies beyond what is shown of {listed(beyond)}." if beyond else "."
        if len(axes) > MOST_DRAWN:
            legend += f" The first {MOST_DRAWN} are drawn."
        parts = [f"<figure>{corner_chart(axes[:MOST_DRAWN])}</figure>", soft(legend)]
    shown = shown_table(told)
    parts.append(table(shown.columns, shown.rows, unbroken=True))
    said = sentences(told.space, told.found, told.calibration, told.model, told.least)
    words = ". ".join(one[0].upper() + one[1:] for one in said)
    return section("Which settings are plausible", "".join([*parts, soft(f"{words}.")]))


def _axes(told: RunPosterior) -> Iterator[Axis]:
    """Of the parameters that are numbers and always count."""
    from orchestrator.report.html.corner_chart import Axis, shown_ends
    from orchestrator.report.words.wording import number

    best = told.space.encode(told.space.nearest(told.best.parameters))
    for name in told.found.numbers:
        j = told.space.index(name)
        parameter, positions = told.space.parameters[j], told.calibration.points[:, j]
        low, high = shown_ends(positions)
        titled = f"{name} ({parameter.unit})" if parameter.unit else name
        words = (number(parameter.decode(low), 3), number(parameter.decode(high), 3))
        yield Axis(titled, positions, float(best[j]), low, high, words)
