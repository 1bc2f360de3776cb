"""Points that a person asks about, or for, of a run that has begun: typed, or rows of a CSV file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from orchestrator.scheduler.rules.places import away, place_words
from orchestrator.spec.checks.clock import is_the_clock
from orchestrator.spec.document.complaint import Complaint, Refusal, refusal
from orchestrator.spec.document.csv_table import CsvTable
from orchestrator.spec.document.tree import Entry, Node, Place, Source, find
from orchestrator.spec.document.yaml_tree import scalar
from orchestrator.spec.model import Spec
from orchestrator.spec.partial_points import as_always
from orchestrator.spec.points.named_rows import need_no_column, with_row
from orchestrator.spec.points.starting_points import complete
from orchestrator.spec.results.headings import Headings, misspelt
from orchestrator.spec.results.typed_mappings import typed_mappings
from orchestrator.spec.sections.parameters import (
    FloatParameter,
    IntParameter,
    computed_of,
    conditions_of,
    varies,
)
from orchestrator.values.finite import is_number, written
from orchestrator.values.named import Values
from orchestrator.values.typed_pairs import name_and_value

IS_MISSING = "but it is missing"


def typed_point(spec: Spec, settings: Sequence[str], beside: Values) -> dict[str, object]:
    """The point of settings, ``x=0.3`` each; what is not among them is as it is ``beside``.

    Raises:
        SpecError: with every error at its place.
    """
    source = Source("settings", (" ".join(settings),))
    entries: dict[str, Entry] = {}
    complaints: list[Complaint] = []
    column = 1
    for text in settings:
        place = Place(source, 1, column)
        column += len(text) + 1
        name, equals, value = name_and_value(text, spec.parameters)
        if not (name and equals) or name in entries:
            came = f"`{name}` twice" if name and equals else text
            complaints.append(Complaint(place, f"expected settings NAME=VALUE, each name once, got {came}"))
            continue
        own = [str(one) for one in getattr(spec.parameters.get(name), "values", ())]
        if value not in own and any(f",{other}=" in value for other in spec.parameters):
            sentence = f"expected settings apart from one another, as x=3 y=2, got a comma between: {text}"
            raise refusal([Complaint(place, sentence)])
        entries[name] = Entry(place, _cell(Place(source, 1, place.column + len(name) + 1), value))
    return _points(spec, [Node(Place(source, 1, 1), entries)], beside, complaints)[0]


def columns_of(spec: Spec, path: Path) -> tuple[str, ...]:
    """What the columns of a CSV file are called in a spec. Raises SpecError for what is no table."""
    return Headings.of(spec).table(path, str(path)).header


def points_in_file(spec: Spec, path: Path, beside: Values) -> tuple[list[dict[str, object]], list[str]]:
    """The points of a CSV file that has a column for each parameter, as files of results have; other columns
    are left alone. What is ``beside`` need not have one, nor what is fixed or does not always count.
    And what is to be said of columns that are left alone.

    Raises:
        SpecError: with every error at its place.
    """
    headings = Headings.of(spec)
    table = headings.table(path, str(path))
    complaints = _of_columns(spec, table, headings, beside)
    texts = {
        name: [value for value in getattr(parameter, "values", ()) if isinstance(value, str)]
        for name, parameter in spec.parameters.items()
    }
    rows = [_row(table, line, cells, texts) for line, cells in table.rows] if not complaints else []
    points = _points(spec, rows, beside, complaints)
    objectives = [spec.objective.name, *spec.outcomes]
    return points, list(misspelt(table.header, {*spec.parameters, *objectives}, spec.parameters))


def name_of_point(text: str) -> str:
    """What comes before ``,x=0.3`` that is no setting, as ``best`` or ``17``; empty where nothing does."""
    first = text.partition(",")[0].strip()
    return "" if "=" in first else first


def points_to_try(
    spec: Spec, typed: Sequence[str], named: Mapping[str, Values] | None = None
) -> list[dict[str, Any]]:
    """The points that are to be evaluated, of ``x=0.3,kind=steel`` each, or of ``best,x=0.3``, by the
    settings that are ``named`` so. What is `as_always`, fixed, or does not count there need not be told;
    nothing else is guessed at.

    Raises:
        SpecError: with every error at its place.
    """
    always = as_always(spec)
    rows = [_row_to_try(spec, text, named or {}, always) for text in typed]
    if clocks := [row.mapping[spec.clock] for row in rows if spec.clock in row.mapping]:
        assert spec.clock is not None
        raise refusal([Complaint(clocks[0].key_place, is_the_clock(spec.clock))])
    try:
        return _points(spec, rows, always, [])
    except Refusal as error:
        complaints = [_with_remedy(spec, rows, one) for one in error.complaints]
        if spec.candidates is None and len(rows) == 1:
            complaints = _with_rest_to_be_chosen(complaints, _held_instead(spec, rows[0]))
        raise refusal(complaints) from None


def words_on_uncounted(
    spec: Spec, typed: Sequence[str], points: Sequence[Values], named: Mapping[str, Values]
) -> Iterator[str]:
    """Of each setting that was typed for one of the ``points`` to try where it does not count that it is left
    out, and where it counts.
    """
    conditions = conditions_of(spec.parameters)
    if not conditions or not points:
        return
    from orchestrator.spec.build import build_space

    space = build_space(spec)
    for text, point in zip(typed, points, strict=True):
        counted = space.counted(point)
        others = text.partition(",")[2] if name_of_point(text) in named else text
        said = typed_mappings(spec, "--try", [others])[0].mapping if others.strip() else {}
        for name in said:
            if name in conditions and name not in counted:
                yield f"--try {text}: left out, as `{name}` counts only where {conditions[name].words}"


def words_on_held(spec: Spec, typed: Sequence[str], named: Mapping[str, Values]) -> Iterator[str]:
    """Of each of the settings that are ``named`` and to be tried that it is not as it was where a parameter
    is held by now, unless that was typed beside the name.
    """
    for text in typed:
        name, _, others = text.partition(",")
        settings = named.get(name := name.strip(), {})
        said = typed_mappings(spec, "--try", [others])[0].mapping if others.strip() and settings else {}
        held = {one: value for one, value in spec.held.items() if one in settings and one not in said}
        if elsewhere := away(held, settings):
            which = f"trial {name}" if name.isdigit() else name
            now = place_words({one: held[one] for one in elsewhere})
            was = place_words({one: settings[one] for one in elsewhere})
            yield f"{which} is tried where parameters are held, {now}, and not as it was, {was}"


def _row_to_try(spec: Spec, text: str, named: Mapping[str, Values], always: Values) -> Node:
    name = name_of_point(text)
    if name not in named:
        return typed_mappings(spec, "--try", [text])[0]
    others = text.partition(",")[2]
    otherwise = typed_mappings(spec, "--try", [others])[0].mapping if others.strip() else {}
    place = Place(Source("--try", (text,)), 1, 1)
    follow = {*always, *_that_follow(spec, otherwise)}
    settings = {
        setting: Entry(place, Node(place, value))
        for setting, value in named[name].items()
        if setting not in follow and isinstance(value, str | int | float)
    }
    return Node(place, {**settings, **otherwise})


def _that_follow(spec: Spec, otherwise: Collection[str]) -> set[str]:
    """What a point has by its other settings, once some of these are ``otherwise``: what is computed, and of
    the candidates what goes with a row, or, where that is said, all of the row.
    """
    computed = {one.name for one in computed_of(spec.parameters)}
    candidates = None if spec.candidates is None else spec.candidates.candidates
    if candidates is None or candidates.by_name.keys().isdisjoint(otherwise):
        return computed
    named = not set(candidates.given).isdisjoint(otherwise)
    return computed.union(candidates.by_name if named else candidates.given)


def point_meant(spec: Spec, text: str, beside: Values) -> tuple[dict[str, object], tuple[str, ...]]:
    """The point of ``x=0.3,kind=steel``, what is not told being as it is ``beside``; and which it tells.

    Raises:
        SpecError: with every error at its place.
    """
    rows = typed_mappings(spec, "point", [text])
    return _points(spec, rows, beside, [])[0], tuple(rows[0].mapping)


def _with_remedy(spec: Spec, rows: Sequence[Node], complaint: Complaint) -> Complaint:
    """How to have a value that lies out of bounds."""
    for name, entry in (told for row in rows for told in row.mapping.items()):
        parameter, value = spec.parameters.get(name), entry.node.content
        # All settings of a point that has a name are at its place.
        is_meant = entry.node.place == complaint.place and f"`{name}`" in complaint.sentence
        if not is_meant or not isinstance(parameter, FloatParameter | IntParameter) or parameter.periodic:
            continue
        if spec.fidelity is not None and name == spec.fidelity.parameter:
            continue
        if spec.candidates is not None and name in spec.candidates.candidates.by_name:
            continue
        low, high = parameter.bounds
        if isinstance(value, float | int) and is_number(value) and not low <= value <= high:
            wider = f"{written(min(low, value))},{written(max(high, value))}"
            return replace(
                complaint, sentence=f"{complaint.sentence}; to widen them, also: --bounds {name}={wider}"
            )
    return complaint


def _with_rest_to_be_chosen(complaints: list[Complaint], how: str) -> list[Complaint]:
    """With how that is had behind the last of what is missing."""
    missing = [number for number, one in enumerate(complaints) if IS_MISSING in one.sentence]
    return [
        replace(one, sentence=f"{one.sentence}{how}") if number in missing[-1:] else one
        for number, one in enumerate(complaints)
    ]


def _held_instead(spec: Spec, row: Node) -> str:
    """How to have the rest of what is typed chosen, as a part of a sentence; empty where nothing is."""
    said = [
        (name, entry.node.written or str(entry.node.content))
        for name, entry in row.mapping.items()
        if name in spec.parameters and varies(spec.parameters[name])
    ]
    if not said:
        return ""
    held = " ".join(f"--held {name}={text}" for name, text in said)
    freed = " ".join(f"--free {name}" for name, _ in said)
    return f"; for the rest to be chosen, hold what it says for a while: {held}, and later {freed}"


def _of_columns(spec: Spec, table: CsvTable, headings: Headings, beside: Values) -> list[Complaint]:
    top, header = Place(table.source, 1, 1), table.header
    complaints = []
    of_rows = need_no_column(header, None if spec.candidates is None else spec.candidates.candidates)
    for name, parameter in spec.parameters.items():
        spared = (
            name in beside
            or name in of_rows
            or not varies(parameter)
            or name in conditions_of(spec.parameters)
        )
        if name not in header and not spared:
            what = f"a column for the parameter `{name}`"
            complaints.append(Complaint(top, headings.missing(what, [name], header)))
        if header.count(name) > 1:
            came = f"expected each column once, got `{name}` {header.count(name)} times"
            complaints.append(Complaint(top, came))
    if not table.rows:
        complaints.append(Complaint(top, "expected a row for each point, got none"))
    return complaints


def _row(table: CsvTable, line: int, cells: Sequence[str], texts: Mapping[str, Collection[str]]) -> Node:
    """``texts`` are those among the values of each parameter."""
    entries: dict[str, Entry] = {}
    column = 1
    for name, text in zip(table.header, cells, strict=True):
        place = Place(table.source, line, column)
        column += len(text) + 1
        if text.strip() and (own := texts.get(name)) is not None:
            entries[name] = Entry(place, _cell(place, table.meant(text, own)))
    return Node(Place(table.source, line, 1), entries)


def _cell(place: Place, text: str) -> Node:
    read = scalar(text)
    return Node(place, text if read is None else read, text)


def _points(
    spec: Spec, rows: Sequence[Node], beside: Values, complaints: list[Complaint]
) -> list[dict[str, object]]:
    candidates = None if spec.candidates is None else spec.candidates.candidates
    rows = [with_row(row, candidates, complaints) for row in rows]
    points = [complete(spec.parameters, row, (), complaints, beside) for row in rows]
    follows = conditions_of(spec.parameters) or computed_of(spec.parameters) or spec.candidates is not None
    if not complaints and follows:
        # Imported here because it is numpy, and mistakes that can be told without are told at once.
        from orchestrator.spec.build import build_space

        space = build_space(spec)
        complaints += [
            Complaint(find(row, (name,)).place, str(mistake))
            for row, point in zip(rows, points, strict=True)
            for name, mistake in space.mistakes(point).items()
        ]
        points = [dict(space.completed(point)) for point in points]
    if complaints:
        raise refusal(complaints)
    return points
