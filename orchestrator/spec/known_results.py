"""Known results as they are written, inline or in a CSV file, turned into one form with places.

``{x: 3, value: 0.9}`` stands for ``{parameters: {x: 3}, value: 0.9}``; in both the objective's name may stand
for ``value``, and has to where a parameter is called so. A CSV file has a column for each parameter and one
named as the objective (or ``value``), perhaps ``variance``; other columns are left alone. Rows without a
value are skipped, and counted.

Where the spec has factors, ``factor_1``, ``factor_2`` and so on are what each of them gave, in a CSV file and
inline, where ``factors: [0.4, 0.5]`` says it as well. Where it has outcomes, what is called as one of them is
that, in a CSV file and inline, where ``outcomes: {lift: 0.4}`` stands beside ``parameters: {...}``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from orchestrator.spec.column_names import own_name
from orchestrator.spec.complaint import Complaint, Refusal, refusal
from orchestrator.spec.csv_table import CsvTable, read_csv
from orchestrator.spec.text_file import read_text
from orchestrator.spec.tree import Entry, Node, Place, find_all
from orchestrator.spec.yaml_tree import scalar
from orchestrator.spelling import did_you_mean, listed

CSV_LIMIT = 20_000_000
"""Bytes."""
LINES_SHOWN = 5
NAMED_BY_TEXT = ("choice", "fixed")
"""Parameters of these types have values that are named rather than measured: what a cell says is taken to the
letter, or the version `1.10` would be read as the number 1.1.
"""

PARTS = ("parameters", "value", "variance", "factors", "outcomes")
"""Of a result that names its parts."""

Role: TypeAlias = tuple[Literal["parameter", "told", "factor", "outcome"], str]
"""What a name stands for: a parameter, what was told (``value``, ``variance``, ``factors``), what the factor
of a number gave, or an outcome.
"""


@dataclass(frozen=True, slots=True)
class ReadResults:
    """The tree with ``initial.results`` as a list of {parameters, value, variance, factors}; what was wrong,
    and what was left out.
    """

    tree: Node
    complaints: tuple[Complaint, ...] = ()
    remarks: tuple[Complaint, ...] = ()


def read_known_results(tree: Node, folder: Path | None) -> ReadResults:
    """The known results of a spec's tree.

    ``folder`` is where the paths of CSV files start; None leaves such files unread, as for a run that has
    their content in its journal.
    """
    initial = tree.get("initial")
    results = initial.get("results") if initial else None
    if initial is None or results is None:
        return ReadResults(tree)
    complaints: tuple[Complaint, ...] = ()
    remarks: tuple[Complaint, ...] = ()
    if isinstance(results.content, str):
        try:
            rows, remarks = ((), ()) if folder is None else _in_file(tree, results, folder)
        except Refusal as error:
            rows, complaints = (), error.complaints
    elif results.sequence:
        rows = tuple(_nested(tree, item) for item in results.sequence)
        complaints = tuple(said for item in results.sequence for said in _told_twice(tree, item))
    else:
        return ReadResults(tree)
    complaints += (*_of_factors(tree, rows), *_of_outcomes(tree, rows))
    initial = initial.having(
        "results", Entry(initial.mapping["results"].key_place, Node(results.place, rows))
    )
    tree = tree.having("initial", Entry(tree.mapping["initial"].key_place, initial))
    return ReadResults(tree, complaints, remarks)


def file_named(tree: Node) -> str:
    """The file that the known results of a spec's tree are in; empty where they stand in the spec."""
    initial = tree.get("initial")
    results = initial.get("results") if initial else None
    return results.content if results and isinstance(results.content, str) else ""


def _names(tree: Node) -> list[str]:
    parameters = tree.get("parameters")
    return list(parameters.mapping) if parameters else []


def _outcomes(tree: Node) -> list[str]:
    return [str(node.content) for node in find_all(tree, ("outcomes",))]


def _value_keys(tree: Node) -> list[str]:
    objective = tree.get("objective")
    name = objective.get("name") if objective else None
    keys = [name.content, "value"] if name and isinstance(name.content, str) else ["value"]
    return [key for key in dict.fromkeys(keys) if key not in _names(tree)]


def _roles(tree: Node) -> dict[str, Role]:
    """What each name stands for that a result may bring, in a column or as a key of its own, called as
    `orchestrator export` calls them.
    """
    names, value_keys, outcomes = _names(tree), _value_keys(tree), _outcomes(tree)
    taken = {*names, *value_keys, *outcomes}
    factors = range(1, len(find_all(tree, ("factors",))) + 1)
    roles: dict[str, Role] = {name: ("outcome", name) for name in outcomes}
    roles |= {own_name("variance", taken): ("told", "variance")}
    roles |= {own_name(f"factor_{i}", taken): ("factor", str(i)) for i in factors}
    roles |= dict.fromkeys(value_keys, ("told", "value"))
    return roles | {name: ("parameter", name) for name in names}


def _nested(tree: Node, item: Node) -> Node:
    if _is_nested(tree, item):
        own = _own_value_key(tree, item)
        if own is None:
            return item
        return item.without(own).having("value", item.mapping.get("value", item.mapping[own]))
    roles = _roles_inline(tree)
    found = _Found()
    for key, entry in item.mapping.items():
        found.put(roles.get(key, ("parameter", key)), entry)
    return found.result(item.place)


def _is_nested(tree: Node, item: Node) -> bool:
    return not item.mapping or ("parameters" in item.mapping and "parameters" not in _names(tree))


def _own_value_key(tree: Node, item: Node) -> str | None:
    """The objective's name, where a result that names its parts says the value under it."""
    return next((key for key in _value_keys(tree) if key not in PARTS and key in item.mapping), None)


def _roles_inline(tree: Node) -> dict[str, Role]:
    return {"factors": ("told", "factors"), **_roles(tree)}


def _told_twice(tree: Node, item: Node) -> Iterator[Complaint]:
    """Two keys for the same: neither is more right than the other."""
    if _is_nested(tree, item):
        own = _own_value_key(tree, item)
        if own is not None and "value" in item.mapping:
            sentence = f"expected the value once, got both `value` and `{own}`"
            yield Complaint(item.mapping[own].key_place, sentence)
        return
    roles = _roles_inline(tree)
    by_role = {roles[key]: key for key in reversed(item.mapping) if key in roles}
    for key, entry in item.mapping.items():
        role = roles.get(key)
        if role == ("told", "value") and by_role[role] != key:
            sentence = f"expected the value once, got both `{by_role[role]}` and `{key}`"
            yield Complaint(entry.key_place, sentence)
    parts = [key for key in item.mapping if key in roles and roles[key][0] == "factor"]
    if parts and ("told", "factors") in by_role:
        ways = "as `factors` or as `factor_1`, `factor_2` …"
        sentence = f"expected what the factors gave once, {ways}, got both"
        yield Complaint(item.mapping[parts[0]].key_place, sentence)


class _Found:
    """What a result brings, by what it stands for."""

    def __init__(self) -> None:
        self._by_kind: dict[str, dict[str, Entry]] = {
            "parameter": {},
            "told": {},
            "factor": {},
            "outcome": {},
        }

    def put(self, role: Role, entry: Entry) -> None:
        kind, name = role
        self._by_kind[kind][name] = entry

    @property
    def has_value(self) -> bool:
        value = self._by_kind["told"].get("value")
        return value is not None and value.node.content is not None

    def result(self, place: Place) -> Node:
        """``{parameters: ..., value: ...}``."""
        told = dict(self._by_kind["told"])
        given = [entry for _, entry in sorted(self._by_kind["factor"].items(), key=lambda item: int(item[0]))]
        if given:
            first = given[0].key_place
            told["factors"] = Entry(first, Node(first, tuple(entry.node for entry in given)))
        if outcomes := self._by_kind["outcome"]:
            told["outcomes"] = Entry(place, Node(place, dict(outcomes)))
        parameters = Entry(place, Node(place, dict(self._by_kind["parameter"])))
        return Node(place, {"parameters": parameters, **told})


def _of_factors(tree: Node, rows: tuple[Node, ...]) -> Iterator[Complaint]:
    """One value for each factor, or none."""
    wanted = len(find_all(tree, ("factors",)))
    for row in rows:
        factors = row.get("factors")
        if factors is None or not isinstance(factors.content, tuple) or not wanted:
            continue
        if (came := len(factors.content)) != wanted:
            sentence = f"expected {wanted} factor values, as the spec has factors, or none, got {came}"
            yield Complaint(factors.place, sentence)


def _of_outcomes(tree: Node, rows: tuple[Node, ...]) -> Iterator[Complaint]:
    """Those of the spec, and no others."""
    known = _outcomes(tree)
    for row in rows:
        told = row.get("outcomes")
        for name, entry in told.mapping.items() if told is not None else ():
            if name not in known:
                expected = (
                    f"the outcomes {listed(known, 'and')}" if known else "no outcomes, as the spec has none"
                )
                sentence = f"expected {expected}, got `{name}`{did_you_mean(name, known)}"
                yield Complaint(entry.key_place, sentence)


def _in_file(tree: Node, results: Node, folder: Path) -> tuple[tuple[Node, ...], tuple[Complaint, ...]]:
    """The rows with a value, and what is to be said of the others."""
    if "\0" in str(results.content):
        raise refusal(
            [Complaint(results.place, "expected the name of a CSV file, got one with a null character")]
        )
    path = folder / str(results.content)
    if not path.resolve().is_relative_to(folder.resolve()):
        # Whoever wrote the spec must not have its reader's other files read, and quoted.
        sentence = f"expected a file in the folder of the spec, got {results.content}, which lies elsewhere"
        raise refusal([Complaint(results.place, f"{sentence}: put it beside the spec")])
    table = read_csv(read_text(path, CSV_LIMIT, results.place), str(results.content))
    columns = _columns(tree, table)
    texts = _named_by_text(tree)
    rows = [(line, _row(table, line, cells, columns, texts)) for line, cells in table.rows]
    kept = tuple(row for _, row in rows if row is not None)
    skipped = [str(line) for line, row in rows if row is None]
    objective = table.header[next(i for i, role in columns.items() if role == ("told", "value"))]
    if not kept:
        came = f"{len(rows)} without" if rows else "no row"
        sentence = f"expected a row with a value of `{objective}`, got {came}"
        raise refusal([Complaint(Place(table.source, 1, 1), sentence)])
    if not skipped:
        return kept, ()
    where = f"line {skipped[0]}" if len(skipped) == 1 else f"lines {', '.join(skipped[:LINES_SHOWN])}"
    more = f" and {len(skipped) - LINES_SHOWN} more" if len(skipped) > LINES_SHOWN else ""
    sentence = (
        f"{len(rows)} rows read from {results.content}, of which {len(skipped)} skipped for want of a value "
        f"of `{objective}`: {where}{more}"
    )
    return kept, (Complaint(results.place, sentence),)


def _is_it(name: str, header: Sequence[str]) -> str:
    return did_you_mean(name, header).replace("did you mean", "is it")


def _columns(tree: Node, table: CsvTable) -> dict[int, Role]:
    """From the number of a column to what it holds."""
    names, header, top = _names(tree), table.header, Place(table.source, 1, 1)
    parameters = tree.get("parameters")
    told = {name: entry.node for name, entry in parameters.mapping.items()} if parameters else {}
    spared = {name for name, node in told.items() if _need_not_be_told(node)}
    value_key = next((key for key in _value_keys(tree) if key in header), None)
    complaints: list[Complaint] = []
    for name in names:
        if name not in header and name not in spared:
            near = _is_it(name, header)
            complaints.append(Complaint(top, f"expected a column for the parameter `{name}`, got none{near}"))
    if value_key is None:
        keys = _value_keys(tree)
        near = next(filter(None, (_is_it(key, header) for key in keys)), "")
        complaints.append(Complaint(top, f"expected a column named {listed(keys)}, got none{near}"))
    others = {key for key in _value_keys(tree) if key != value_key}
    roles = {name: role for name, role in _roles(tree).items() if name not in others}
    factors = sum(kind == "factor" for kind, _ in roles.values())
    if factors and (beyond := f"factor_{factors + 1}") in header and beyond not in roles:
        sentence = f"expected {factors} columns of factors, as the spec has factors, got `{beyond}` as well"
        complaints.append(Complaint(top, sentence))
    complaints += [
        Complaint(top, f"expected each column once, got `{name}` {header.count(name)} times")
        for name in dict.fromkeys(header)
        if header.count(name) > 1 and name in roles
    ]
    if complaints:
        raise refusal(complaints)
    return {i: roles[name] for i, name in enumerate(header) if name in roles}


def _need_not_be_told(parameter: Node) -> bool:
    """Whether it is fixed, or may not count."""
    kind = parameter.get("type")
    return parameter.get("when") is not None or (kind is not None and kind.content == "fixed")


def _named_by_text(tree: Node) -> frozenset[str]:
    parameters = tree.get("parameters")
    kinds = {name: entry.node.get("type") for name, entry in parameters.mapping.items()} if parameters else {}
    return frozenset(name for name, kind in kinds.items() if kind and kind.content in NAMED_BY_TEXT)


def _row(
    table: CsvTable, line: int, cells: tuple[str, ...], columns: dict[int, Role], texts: frozenset[str]
) -> Node | None:
    found = _Found()
    column = 1
    for i, text in enumerate(cells):
        place = Place(table.source, line, column)
        column += len(text) + 1
        if i in columns and (told := text.strip()):
            kind, name = columns[i]
            content = told if kind == "parameter" and name in texts else scalar(told)
            found.put(columns[i], Entry(place, Node(place, content)))
    return found.result(Place(table.source, line, 1)) if found.has_value else None
