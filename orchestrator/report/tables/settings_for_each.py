"""The settings believed best for each condition: as a table for people, and for programs."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.models.settings_for_each import NEAR, ForEach
from orchestrator.report.tables.table import Table
from orchestrator.report.words.goals import titled, units_of
from orchestrator.report.words.wording import (
    counted,
    number,
    parameter_words,
    uncertain,
    which_in_a_cell,
)
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.results.column_names import own_name
from orchestrator.values.named import Values
from orchestrator.values.percent import percentage
from orchestrator.values.printable import printable

OWN = ("expected", "expected_deviation", "measured", "trial")


def for_each_words(run: RunSoFar, told: ForEach, width: int | None) -> str:
    """For a terminal of so many columns, or of any: a row a condition, and what columns are."""
    return shown_for_each(run, told).with_sentences(sentences(run, told), width)


def shown_for_each(run: RunSoFar, told: ForEach) -> Table:
    """For people: conditions first, then settings, what is expected of these, and what was measured near by,
    with the condition that it was measured in.
    """
    units = units_of(run.spec) | {name: one.unit for name, one in run.spec.parameters.items() if one.unit}
    names = _names(told)
    rows = [
        [
            *({**one.condition, **one.settings}.get(name) for name in names),
            uncertain(one.expected.mean, one.expected.deviation),
            None if one.trial is None else _measured(one.trial, run, one.condition),
            None if one.trial is None else which_in_a_cell(one.trial.number),
        ]
        for one in told.found
    ]
    objective = titled(run.spec.objective.name, units)
    own = (own_name(name, {*names, objective}) for name in ("measured", "trial"))
    return Table((*(titled(name, units) for name in names), objective, *own), rows)


def _measured(trial: Trial, run: RunSoFar, condition: Values) -> str:
    """Its value, and what was otherwise than in a condition."""
    assert trial.value is not None, "a trial that was measured"
    otherwise = {n: trial.parameters[n] for n, value in condition.items() if trial.parameters[n] != value}
    words = parameter_words(run.spec, otherwise)
    where = ", ".join(text if len(condition) == 1 else f"{name} = {text}" for name, text in words)
    return f"{number(trial.value, 6)} at {where}" if where else number(trial.value, 6)


def for_each_table(told: ForEach) -> Table:
    """The same for programs, each number whole: conditions first, so that a controller looks settings up."""
    names = _names(told)
    rows = [
        [
            *({**one.condition, **one.settings}.get(name) for name in names),
            one.expected.mean,
            one.expected.deviation,
            None if one.trial is None else one.trial.value,
            None if one.trial is None else one.trial.number,
        ]
        for one in told.found
    ]
    return Table((*names, *(own_name(name, set(names)) for name in OWN)), rows)


def sentences(run: RunSoFar, told: ForEach) -> Iterator[str]:
    """What the columns are, and what is not among the rows."""
    name = printable(run.spec.objective.name)
    results = counted(told.results, "result")
    yield (
        f"Settings are those believed best in each condition, with what is expected of {name} there, by"
        f" models of {results}; measured is the value of a trial {_near(told)}: of the one whose settings are"
        " believed to do best here"
    )
    for condition in told.empty:
        where = ", ".join(f"{own} = {text}" for own, text in parameter_words(run.spec, condition))
        yield f"No settings were found that satisfy the constraints where {where}"


def _near(told: ForEach) -> str:
    """How near a trial is that is shown beside a condition."""
    parameters = [told.space.parameters[told.space.index(name)] for name in told.space.in_use]
    if all(one.coordinate.kind == "categorical" for one in parameters):
        return "in the same condition"
    return f"near by, in a condition within {percentage(NEAR)} of the range of each"


def _names(told: ForEach) -> list[str]:
    """Conditions first, then settings; of those that do not always count as well."""
    conditions = list(dict.fromkeys(name for one in told.found for name in one.condition))
    counted_somewhere = {name for one in told.found for name in one.settings}
    return [*conditions, *(name for name in told.space.given_names if name in counted_somewhere)]
