"""Several good places of a run: as a table for people, and for programs."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.models.good_places import RunPlaces
from orchestrator.report.tables.table import Table, rounded
from orchestrator.report.tables.trials import trials_table
from orchestrator.report.words.goals import titled, units_of
from orchestrator.report.words.good_places import places_apart
from orchestrator.report.words.prediction import trust_sentences
from orchestrator.report.words.wording import which_in_a_cell
from orchestrator.spec.results.column_names import own_name


def places_words(run: RunSoFar, told: RunPlaces, width: int | None) -> str:
    """For a terminal of so many columns, or of any: a row a place, the best first, and what columns are."""
    name = run.spec.objective.name
    said = [*places_apart(name, told.how), *trust_sentences({name: told.model}, told.space)]
    return shown_places(run, told, list(run.spec.parameters)).with_sentences(said, width)


def shown_places(run: RunSoFar, told: RunPlaces, parameters: Sequence[str]) -> Table:
    """For people: the best trial of each place with what is told of it, and some of its parameters."""
    spec = run.spec
    units = units_of(spec) | {name: one.unit for name, one in spec.parameters.items() if one.unit}
    rows = [
        [
            which_in_a_cell(good.trial.number),
            good.trial.value,
            rounded(good.expected),
            rounded(good.between),
            *(good.trial.extras.get(name) for name in spec.outcomes),
            *(good.trial.parameters.get(name) for name in parameters),
        ]
        for good in told.found
    ]
    names = (spec.objective.name, "expected", "between", *spec.outcomes, *parameters)
    return Table(("trial", *(titled(name, units) for name in names)), rows)


def places_table(run: RunSoFar, told: RunPlaces) -> Table:
    """The same as rows of `trials_table`, with ``expected`` and ``expected_between``, for programs. What an
    experiment calls so keeps the name.
    """
    table = trials_table(run, [good.trial for good in told.found])
    own = [own_name(name, set(table.columns)) for name in ("expected", "expected_between")]
    rows = [[*row, good.expected, good.between] for row, good in zip(table.rows, told.found, strict=True)]
    return Table((*table.columns, *own), rows, table.units, table.foreign)
