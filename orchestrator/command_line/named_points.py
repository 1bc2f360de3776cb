"""Points to try that a run has a name for: the best, the reference, or a trial by its number."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.spec.begun.asked_points import name_of_point
from orchestrator.values.named import Values


def points_by_name(run: RunSoFar, typed: Sequence[str]) -> dict[str, Values]:
    """The settings of those that are ``typed`` with a name, alone or before what is to be otherwise there, by
    which a trial may come to lie within bounds that it is outside of.

    Raises what `orchestrator.report.models.meant_points.meant` does.
    """
    names = dict.fromkeys(filter(None, map(name_of_point, typed)))
    if not names:
        return {}
    # Imported here because models are.
    from orchestrator.report.models.meant_points import meant

    return {name: meant(run, name, anywhere=True).settings for name in names}
