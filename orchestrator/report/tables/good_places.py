"""Several good places of a run: as a table for people, and for programs."""

from __future__ import annotations

from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.models.good_places import RunPlaces
from orchestrator.report.tables.table import Table, rounded
from orchestrator.report.tables.trials import trials_table
from orchestrator.report.words.goals import titled, units_of
from orchestrator.report.words.good_places import HowTold, sentences
from orchestrator.report.words.wording import which_in_a_cell
from orchestrator.spec.results.column_names import own_name


def places_words(run: RunSoFar, told: RunPlaces, width: int | None) -> str:
    """For a terminal of so many columns, or of any: a row a place, the best first, and what columns are."""
    spec, parameters = run.spec, run.spec.parameters
    units = units_of(spec) | {name: one.unit for name, one in parameters.items() if one.unit}
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
    heads = ("trial", *(titled(name, units) for name in names))
    choices = bool(told.model.domain.is_categorical.any())
    how = HowTold(len(rows), told.asked, told.may, choices, told.as_believed, told.averages)
    return Table(heads, rows).with_sentences(sentences(spec.objective.name, how, told.model), width)


def places_table(run: RunSoFar, told: RunPlaces) -> Table:
    """The same as rows of `trials_table`, with ``expected`` and ``expected_between``, for programs. What an
    experiment calls so keeps the name.
    """
    table = trials_table(run, [good.trial for good in told.found])
    own = [own_name(name, set(table.columns)) for name in ("expected", "expected_between")]
    rows = [[*row, good.expected, good.between] for row, good in zip(table.rows, told.found, strict=True)]
    return Table((*table.columns, *own), rows, table.units, table.foreign)
