"""Known results as they are written, inline or in a CSV file, turned into one form with places.

``{x: 3, value: 0.9}`` stands for ``{parameters: {x: 3}, value: 0.9}``; the objective's name may stand for
``value``. A CSV file has a column for each parameter and one named as the objective (or ``value``), perhaps
``variance``; other columns are left alone, as are rows without a value.
"""

from __future__ import annotations

import csv
from pathlib import Path

from orchestrator.spec.complaint import Complaint, Refusal, refusal
from orchestrator.spec.spelling import did_you_mean, listed
from orchestrator.spec.text_file import read_text
from orchestrator.spec.tree import Entry, Node, Place, Source
from orchestrator.spec.yaml_tree import scalar

CSV_LIMIT = 20_000_000
"""Bytes."""


def read_known_results(tree: Node, folder: Path | None) -> tuple[Node, tuple[Complaint, ...]]:
    """The tree with ``initial.results`` as a list of {parameters, value, variance}, and what was wrong.

    ``folder`` is where the paths of CSV files start; None leaves such files unread, as for a run that has
    their content in its journal.

    Raises:
        SpecError: the file cannot be read, lies outside the folder, or lacks a column.
    """
    initial = tree.get("initial")
    results = initial.get("results") if initial else None
    if initial is None or results is None:
        return tree, ()
    complaints: tuple[Complaint, ...] = ()
    if isinstance(results.content, str):
        try:
            rows = () if folder is None else _rows(tree, results, folder)
        except Refusal as error:
            rows, complaints = (), error.complaints
    elif results.sequence:
        rows = tuple(_nested(tree, item) for item in results.sequence)
    else:
        return tree, ()
    initial = initial.having(
        "results", Entry(initial.mapping["results"].key_place, Node(results.place, rows))
    )
    return tree.having("initial", Entry(tree.mapping["initial"].key_place, initial)), complaints


def _names(tree: Node) -> list[str]:
    parameters = tree.get("parameters")
    return list(parameters.mapping) if parameters else []


def _value_keys(tree: Node) -> list[str]:
    objective = tree.get("objective")
    name = objective.get("name") if objective else None
    keys = [name.content, "value"] if name and isinstance(name.content, str) else ["value"]
    return [key for key in dict.fromkeys(keys) if key not in _names(tree)]


def _nested(tree: Node, item: Node) -> Node:
    names, value_keys = _names(tree), _value_keys(tree)
    if not item.mapping or ("parameters" in item.mapping and "parameters" not in names):
        return item
    parameters: dict[str, Entry] = {}
    told: dict[str, Entry] = {}
    for key, entry in item.mapping.items():
        if key in value_keys:
            told["value"] = entry
        elif key == "variance" and key not in names:
            told[key] = entry
        else:
            parameters[key] = entry
    return Node(item.place, {"parameters": Entry(item.place, Node(item.place, dict(parameters))), **told})


def _rows(tree: Node, results: Node, folder: Path) -> tuple[Node, ...]:
    path = folder / str(results.content)
    if not path.resolve().is_relative_to(folder.resolve()):
        # Whoever wrote the spec must not have its reader's other files read, and quoted.
        sentence = f"expected a file in the folder of the spec, got {results.content}, which lies elsewhere"
        raise refusal([Complaint(results.place, f"{sentence}: put it beside the spec")])
    text = read_text(path, CSV_LIMIT, results.place)
    source = Source(str(results.content), tuple(text.splitlines()))
    reader = csv.reader(text.splitlines(keepends=True))
    try:
        header = [name.strip() for name in next(reader, [])]
        columns = _columns(tree, header, Place(source, 1, 1))
        rows = [
            _row(source, reader.line_num, fields, columns)
            for fields in reader
            if any(f.strip() for f in fields)
        ]
    except csv.Error as error:
        place = Place(source, max(reader.line_num, 1), 1)
        raise refusal([Complaint(place, f"expected comma-separated values, got an error: {error}")]) from None
    return tuple(row for row in rows if row is not None)


def _columns(tree: Node, header: list[str], top: Place) -> dict[int, str]:
    """From the number of a column to the parameter's name, ``value`` or ``variance``."""
    names = _names(tree)
    parameters = tree.get("parameters")
    kinds = {name: entry.node.get("type") for name, entry in parameters.mapping.items()} if parameters else {}
    fixed = {name for name, kind in kinds.items() if kind is not None and kind.content == "fixed"}
    value_key = next((key for key in _value_keys(tree) if key in header), None)
    complaints: list[Complaint] = []
    for name in names:
        if name not in header and name not in fixed:
            near = did_you_mean(name, header).replace("did you mean", "is it")
            complaints.append(Complaint(top, f"expected a column for the parameter `{name}`, got none{near}"))
    if value_key is None:
        complaints.append(Complaint(top, f"expected a column named {listed(_value_keys(tree))}, got none"))
    complaints += [
        Complaint(top, f"expected each column once, got `{name}` {header.count(name)} times")
        for name in dict.fromkeys(header)
        if header.count(name) > 1 and name in (*names, value_key, "variance")
    ]
    if complaints:
        raise refusal(complaints)
    roles = {name: name for name in names} | {str(value_key): "value"}
    roles = {"variance": "variance"} | roles
    return {i: roles[name] for i, name in enumerate(header) if name in roles}


def _row(source: Source, line: int, fields: list[str], columns: dict[int, str]) -> Node | None:
    start = Place(source, line, 1)
    parameters: dict[str, Entry] = {}
    told: dict[str, Entry] = {}
    column = 1
    for i, text in enumerate(fields):
        place = Place(source, line, column)
        column += len(text) + 1
        role = columns.get(i)
        if role is None or (text.strip() == "" and role != "value"):
            continue
        entry = Entry(place, Node(place, scalar(text.strip())))
        if role in ("value", "variance"):
            told[role] = entry
        else:
            parameters[role] = entry
    if "value" not in told or told["value"].node.content is None:
        return None
    return Node(start, {"parameters": Entry(start, Node(start, dict(parameters))), **told})
