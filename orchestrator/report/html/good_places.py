"""The best trials of several places, as a table of the page of a run."""

from __future__ import annotations

from orchestrator.report.following.runs import FollowedRun
from orchestrator.report.html.best_trials import COLUMNS
from orchestrator.report.html.parts import section, soft, table
from orchestrator.report.models.good_places import RunPlaces
from orchestrator.report.tables.good_places import shown_places
from orchestrator.report.words.good_places import places_apart
from orchestrator.spec.sections.parameters import FixedParameter


def places_listed(run: FollowedRun, told: RunPlaces | None) -> str:
    """A row a place, the best first, and what a place is; nothing where they were not asked for."""
    if told is None:
        return ""
    parameters = run.spec.parameters.items()
    names = [name for name, one in parameters if not isinstance(one, FixedParameter)]
    shown = shown_places(run, told, names[:COLUMNS])
    words = ". ".join(one[0].upper() + one[1:] for one in places_apart(run.spec.objective.name, told.how))
    return section("Several good places", f"{table(shown.columns, shown.rows)}{soft(f'{words}.')}")
