"""What a run's page shows of which parameters matter: a bar for each of them, and how far to trust it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from orchestrator.report.html.parts import section, soft, table
from orchestrator.report.html.shares_chart import shares_chart

if TYPE_CHECKING:
    from collections.abc import Iterable

    from orchestrator.report.html.parameter_chart import Expected
    from orchestrator.report.models.sensitivity import RunSensitivity


def shares_drawn(told: Iterable[RunSensitivity]) -> str:
    """Of each quantity that was analysed."""
    return "".join(map(_drawn, told))


def _drawn(told: RunSensitivity) -> str:
    # What it is made of takes long to import, and most pages have none of it.
    from orchestrator.report.tables.sensitivity import sensitivity_table
    from orchestrator.report.words.goals import titled
    from orchestrator.report.words.sensitivity import trust

    found = sensitivity_table(told)
    chart = shares_chart([(str(row[0]), row[2], row[3]) for row in found.rows], told.quantity)
    legend = (
        f"Dark: what of the variance of {told.quantity} over all settings goes once the parameter is known; "
        "light: what it does together with others."
    )
    if told.found.by_logarithm:
        legend += " Settings are spread evenly over ranges as they were told, also where a logarithm counts."
    cells = ([titled(str(row[0]), told.units), *(row[i] for i in (1, 4, 5))] for row in found.rows)
    along = table(["parameter", "at", "expected from", "to"], cells)
    quantity = escape(titled(told.quantity, told.units))
    title = f"What is expected of {quantity} along each, the others as in {escape(told.point)}"
    unfolded = f"<details><summary>{title}</summary>{along}</details>"
    inside = f"<figure>{chart}</figure>{soft(legend)}{unfolded}{soft(f'{trust(told.found)}.')}"
    return section(f"Which parameters matter for {told.quantity}", inside)


def expected_along(told: RunSensitivity) -> dict[str, list[Expected]]:
    """What a model of the results expects along each parameter that counts at one point."""
    expected = {}
    for parameter in told.space.parameters:
        if (along := told.found.influences[parameter.name].profile) is not None:
            values = [parameter.decode(float(position)) for position in along.positions]
            bands = (2.0 * along.deviation).tolist()
            expected[parameter.name] = list(zip(values, along.mean.tolist(), bands, strict=True))
    return expected
