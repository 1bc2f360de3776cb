"""Known results as they are written, inline, in a CSV file or in several, turned into one form with places.

``{x: 3, value: 0.9}`` stands for ``{parameters: {x: 3}, value: 0.9}``; in both the objective's name may stand
for ``value``, and has to where a parameter is called so. A CSV file has a column for each parameter and one
named as the objective (or ``value``), perhaps ``variance``; other columns are left alone. Rows without a
value are skipped, and counted. ``state: failed`` in its place, or in a column of that name, says that there
is none because the point failed. ``{file: old.csv, where: {humidity: 40}}`` is a file with what all of its
results had of what it has no column of.

Where durations are weighed, or costs learned, ``seconds`` is what the evaluation took; elsewhere such a
column is left alone.
Where the spec has factors, ``factor_1``, ``factor_2`` and so on are what each of them gave, in a CSV file and
inline, where ``factors: [0.4, 0.5]`` says it as well. Where it has outcomes, what is called as one of them is
that, in a CSV file and inline, where ``outcomes: {lift: 0.4}`` stands beside ``parameters: {...}``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from orchestrator.spec.document.complaint import Complaint, Refusal
from orchestrator.spec.document.tree import Entry, Node, find_all
from orchestrator.spec.results.csv_results import results_in_file
from orchestrator.spec.results.named_files import FILE, NamedFile, items_of, named_file, names_a_file
from orchestrator.spec.results.roles import (
    Brought,
    Role,
    derivative_names,
    is_known_failure,
    names_of_the_value,
    outcome_names,
    outcomes_composed,
    parameter_names,
    roles_of,
    with_a_value,
    with_no_value_of_failures,
)
from orchestrator.spec.rewritten import Rewritten
from orchestrator.spelling import did_you_mean, listed
from orchestrator.values.derivatives import DERIVATIVES

PARTS = ("parameters", "value", "variance", "factors", "seconds", "block", "outcomes", "derivatives")
"""Of a result that names its parts."""


def read_known_results(tree: Node, folder: Path | None) -> Rewritten:
    """A spec's tree with ``initial.results`` as a list of {parameters, value, variance, factors}.

    ``folder`` is where the paths of CSV files start; None leaves such files unread, as for a run that has
    their content in its journal.
    """
    initial = tree.get("initial")
    results = initial.get("results") if initial else None
    if initial is None or results is None:
        return Rewritten(tree)
    rows: list[Node] = []
    complaints: list[Complaint] = []
    remarks: list[Complaint] = []
    if not (items := items_of(tree, results)):
        return Rewritten(tree)
    for item in items:
        if not names_a_file(tree, item):
            row = _nested(tree, item)
            complaints += (*_told_twice(tree, item), *_without_value(row))
            rows.append(row)
        elif folder is not None:
            try:
                in_file, said = results_in_file(tree, named_file(tree, item), folder)
            except Refusal as error:
                complaints += error.complaints
            else:
                rows += in_file
                remarks += said
    complaints += (*_named_again(tree, items), *_of_factors(tree, rows), *_of_outcomes(tree, rows))
    complaints += _of_derivatives(tree, rows)
    initial = initial.having(
        "results", Entry(initial.mapping["results"].key_place, Node(results.place, tuple(rows)))
    )
    tree = tree.having("initial", Entry(tree.mapping["initial"].key_place, initial))
    return Rewritten(tree, complaints, remarks)


def files_named(tree: Node) -> list[NamedFile]:
    """The files that known results of a spec's tree are in; none where all stand in the spec."""
    initial = tree.get("initial")
    results = initial.get("results") if initial else None
    items = () if results is None else items_of(tree, results)
    return [named_file(tree, item) for item in items if names_a_file(tree, item)]


def _named_again(tree: Node, items: Sequence[Node]) -> Iterator[Complaint]:
    """Files whose results would count twice."""
    seen: set[str] = set()
    for item in items:
        name = item.get(FILE) or item
        if names_a_file(tree, item) and isinstance(name.content, str):
            if name.content in seen:
                yield Complaint(name.place, f"expected each file once, got `{name.content}` again")
            seen.add(name.content)


def _nested(tree: Node, item: Node) -> Node:
    if _is_nested(tree, item):
        own = _own_value_key(tree, item)
        if own is not None:
            item = item.without(own).having("value", item.mapping.get("value", item.mapping[own]))
        told = with_no_value_of_failures(item.mapping)
        return replace(item, content=with_a_value(told, outcomes_composed(tree), item.place))
    roles = _roles_inline(tree)
    found = Brought(outcomes_composed(tree))
    for key, entry in item.mapping.items():
        found.put(roles.get(key, ("parameter", key)), entry)
    return found.result(item.place)


def _is_nested(tree: Node, item: Node) -> bool:
    return not item.mapping or ("parameters" in item.mapping and "parameters" not in parameter_names(tree))


def _own_value_key(tree: Node, item: Node) -> str | None:
    """The objective's name, where a result that names its parts says the value under it."""
    return next((key for key in names_of_the_value(tree) if key not in PARTS and key in item.mapping), None)


def _roles_inline(tree: Node) -> dict[str, Role]:
    derivatives: dict[str, Role] = {DERIVATIVES: ("told", DERIVATIVES)} if derivative_names(tree) else {}
    return {"factors": ("told", "factors"), **derivatives, **roles_of(tree)}


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


def _without_value(row: Node) -> Iterator[Complaint]:
    """A value that was left out where it is written; in a table its row is skipped."""
    value = row.mapping.get("value")
    if value is not None and value.node.content is None and not is_known_failure(row.mapping):
        sentence = "expected a number, got nothing; of what failed, say `state: failed` instead"
        yield Complaint(value.key_place, sentence)


def _of_factors(tree: Node, rows: Sequence[Node]) -> Iterator[Complaint]:
    """One value for each factor, or none."""
    wanted = len(find_all(tree, ("factors",)))
    for row in rows:
        factors = row.get("factors")
        if factors is None or not isinstance(factors.content, tuple) or not wanted:
            continue
        if (came := len(factors.content)) != wanted:
            sentence = f"expected {wanted} factor values, as the spec has factors, or none, got {came}"
            yield Complaint(factors.place, sentence)


def _of_outcomes(tree: Node, rows: Sequence[Node]) -> Iterator[Complaint]:
    """Those of the spec, and no others."""
    known = outcome_names(tree)
    for row in rows:
        told = row.get("outcomes")
        for name, entry in told.mapping.items() if told is not None else ():
            if name not in known:
                expected = (
                    f"the outcomes {listed(known, 'and')}" if known else "no outcomes, as the spec has none"
                )
                sentence = f"expected {expected}, got `{name}`{did_you_mean(name, known)}"
                yield Complaint(entry.key_place, sentence)


def _of_derivatives(tree: Node, rows: Sequence[Node]) -> Iterator[Complaint]:
    """By parameters by which there may be some."""
    known = derivative_names(tree)
    for row in rows:
        told = row.get(DERIVATIVES)
        for name, entry in told.mapping.items() if told is not None else ():
            if name not in known:
                expected = (
                    f"derivatives by {listed(known, 'and')}"
                    if known
                    else "no derivatives, as the spec has none"
                )
                sentence = f"expected {expected}, got one by `{name}`{did_you_mean(name, known)}"
                yield Complaint(entry.key_place, sentence)
