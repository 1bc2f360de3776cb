"""Short forms written out, so that one model reads them all. Places stay those of what was written.

| written | stands for |
|---|---|
| ``mode: sequential``, ``mode: {synchronous: 4}`` | ``mode: {kind: synchronous, batch: 4}`` |
| ``parameters: {x: 3}`` | ``parameters: {x: {type: fixed, value: 3}}`` |
| ``fixed: {x: 3}`` at the top | the same |
| ``listen: tcp://...`` at the top | ``workers: {listen: ...}`` |
| ``workers: 4`` | ``workers: {local: 4}`` |
| ``algorithm: egp-ts`` | ``algorithm: {name: egp-ts}`` |
| ``optimiser:`` (or ``optimizer:``) at the top | ``algorithm:`` |
| ``initial: 10`` | ``initial: {count: 10}`` |
| ``budget: 30``, ``budget: 2 h`` | ``budget: {trials: 30}``, ``budget: {time: 2 h}`` |
| ``constraints: a < b``, ``outcomes: a`` | ``constraints: [a < b]``, ``outcomes: [a]`` |
| ``when: a > 2``, ``when: {a: x}`` of a parameter | ``when: [a > 2]``, ``when: [{a: [x]}]`` |
| ``objectives: {a: minimise, b: maximise}`` | ``objectives: [{name: a, goal: minimise}, ...]`` |
| ``objectives: [a, b]`` | ``objective: a``, ``objectives: [b]``, and b's name first of the ``outcomes`` |
"""

from __future__ import annotations

import re
from types import NoneType

from orchestrator.objectives import MOST_OBJECTIVES
from orchestrator.parameters.types_elsewhere import TYPES
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.section import shown
from orchestrator.spec.document.tree import Entry, Node
from orchestrator.spec.document.units_beside import in_one_unit
from orchestrator.spec.rewritten import Rewritten
from orchestrator.spelling import british
from orchestrator.values.finite import is_number, written

MODES = ("asynchronous", "synchronous", "sequential")
VALUES_SHOWN = 5
"""Of a list that is long, in the words for what it probably is."""


def write_out(tree: Node) -> Rewritten:
    """Every short form of a spec written out. What is no short form is left for the model to judge."""
    result = Rewritten(tree)
    for name in list(tree.mapping):
        if british(name) == "optimiser" and "algorithm" not in tree.mapping:
            result.tree = result.tree.renamed(name, "algorithm")
    _within(result, "algorithm", "name")
    _within(result, "workers", "local")
    _within(result, "initial", "count")
    budget = result.tree.get("budget")
    _within(result, "budget", "time" if _is_text(budget) and not _is_count(budget) else "trials")
    for key in ("constraints", "outcomes"):
        _one_of(result, key)
    _objectives(result)
    _mode(result)
    _bare_constants(result)
    _fixed(result)
    _conditions(result)
    _listen(result)
    return result


def _set(result: Rewritten, key: str, node: Node) -> None:
    result.tree = result.tree.having(key, Entry(result.tree.mapping[key].key_place, node))


def _within(result: Rewritten, section: str, key: str) -> None:
    node = result.tree.get(section)
    if node is not None and isinstance(node.content, str | int | float):
        _set(result, section, Node(node.place, {key: Entry(node.place, node)}))


def _is_text(node: Node | None) -> bool:
    return node is not None and isinstance(node.content, str)


def _is_count(node: Node | None) -> bool:
    """Whether a text would be a number of trials, as ``1,000`` or ``30 trials``: it needs to be told so."""
    return node is not None and re.fullmatch(r"[\d_,.' ]+(trials?)?", str(node.content)) is not None


def _one_of(result: Rewritten, key: str) -> None:
    node = result.tree.get(key)
    if node is not None and isinstance(node.content, str):
        _set(result, key, Node(node.place, (node,)))


def _objectives(result: Rewritten) -> None:
    entry = result.tree.mapping.get("objectives")
    if entry is None:
        return
    result.tree = result.tree.without("objectives")
    every = _each_with_its_goal(entry.node)
    if not every:
        sentence = "expected objectives as `[{name: drag, goal: minimise}, {name: lift, goal: maximise}]`"
        result.complaints.append(Complaint(entry.key_place, f"{sentence}, got none"))
        every = (
            Node(entry.node.place, {"goal": Entry(entry.node.place, Node(entry.node.place, "minimise"))}),
        )
    if "objective" in result.tree.mapping:
        sentence = "expected `objective` or `objectives`, got both; the first of several is the objective"
        result.complaints.append(Complaint(entry.key_place, sentence))
        return
    if len(every) > MOST_OBJECTIVES:
        sentence = f"expected at most {MOST_OBJECTIVES} objectives, got {len(every)}"
        result.complaints.append(Complaint(entry.key_place, sentence))
    first, *rest = every[:MOST_OBJECTIVES]
    result.tree = result.tree.having("objective", Entry(entry.key_place, first))
    if not rest:
        return
    further = Node(entry.node.place, tuple(rest))
    result.tree = result.tree.having("objectives", Entry(entry.key_place, further))
    names = [name for one in rest if isinstance((name := one.get("name") or one).content, str)]
    outcomes = result.tree.mapping.get("outcomes", Entry(entry.key_place, Node(entry.key_place, ())))
    if isinstance(outcomes.node.content, tuple):
        node = Node(outcomes.node.place, (*names, *outcomes.node.content))
        result.tree = result.tree.having("outcomes", Entry(outcomes.key_place, node))


def _each_with_its_goal(node: Node) -> tuple[Node, ...]:
    """The objectives of a list, or of a mapping of names to goals."""
    if isinstance(node.content, tuple):
        return node.content
    return tuple(
        Node(entry.key_place, {"name": Entry(entry.key_place, Node(entry.key_place, name)), "goal": entry})
        for name, entry in node.mapping.items()
    )


def _mode(result: Rewritten) -> None:
    node = result.tree.get("mode")
    if node is None:
        return
    if isinstance(node.content, str):
        _set(result, "mode", Node(node.place, {"kind": Entry(node.place, node)}))
        return
    others = [key for key in node.mapping if key not in ("kind", "batch", "sharing")]
    # What stands beside one that is known is wrong by itself.
    kinds = [key for key in others if key in MODES] or others
    if len(kinds) == 1 and not {"kind", "batch"} & node.mapping.keys():
        entry = node.mapping[kinds[0]]
        entries = {"kind": Entry(entry.key_place, Node(entry.key_place, kinds[0]))}
        if entry.node.content is not None:
            entries["batch"] = entry
        entries |= {key: beside for key, beside in node.mapping.items() if key != kinds[0]}
        _set(result, "mode", Node(node.place, entries))


def _parameter(kind: str, key: str, node: Node) -> Node:
    entries = {"type": Entry(node.place, Node(node.place, kind)), key: Entry(node.place, node)}
    return Node(node.place, entries)


def _constant(node: Node) -> Node:
    return _parameter("fixed", "value", node)


def _probably(node: Node) -> tuple[str, str, tuple[Node, ...]] | None:
    """The type that a list in the place of a parameter is meant to have, the key that it is of, and what of
    it: two numbers are bounds, the lower one first, all else are values, each once.
    """
    once: dict[str, Node] = {}
    for one in node.sequence:
        value = one.content
        if isinstance(value, str | bool):
            once.setdefault(str(value), one)
        elif isinstance(value, int | float) and is_number(value):
            once.setdefault(written(value), one)
        else:
            return None
    items = tuple(once.values())
    told = [one.content for one in items]
    if len(told) < 2:
        return None
    if len(told) > 2 or not all(is_number(one) for one in told):
        return "choice", "values", items
    whole = all(isinstance(one, int) for one in told)
    return (
        "int" if whole else "float",
        "bounds",
        tuple(sorted(items, key=lambda one: float(str(one.content)))),
    )


def _bare_constants(result: Rewritten) -> None:
    parameters = result.tree.get("parameters")
    if parameters is None:
        return
    for name, entry in parameters.mapping.items():
        content = entry.node.content
        if content is None or isinstance(content, tuple):
            came = "nothing" if content is None else "a list"
            # Stands in, so that the one error is said once.
            stands_in, instead = _constant(Node(entry.node.place, 0)), ""
            if told := in_one_unit([one.content for one in entry.node.sequence]):
                instead = f"; is it `{{type: float, bounds: {shown(list(told[0]))}, unit: {told[1]}}}`?"
            elif probably := _probably(entry.node):
                kind, key, items = probably
                # What else is said of it may be of numbers between whole ones.
                listed = Node(entry.node.place, items)
                stands_in = _parameter("float" if kind == "int" else kind, key, listed)
                values = [one.content for one in items]
                some = values if len(values) <= VALUES_SHOWN else [*values[:VALUES_SHOWN], "..."]
                instead = f"; is it `{{type: {kind}, {key}: {shown(some)}}}`?"
            sentence = (
                "expected {type: float, bounds: [low, high]} or alike, or a value to fix it at, got"
                f" {came}{instead}"
            )
            result.complaints.append(Complaint(entry.node.place, sentence))
            parameters = parameters.having(name, Entry(entry.key_place, stands_in))
        elif not isinstance(content, dict):
            # Who writes no more than that did not mean a constant.
            if content in TYPES:
                sentence = (
                    f"expected more than a type, as {{type: float, bounds: [low, high]}}, got `{content}`; a"
                    f" constant of that name is {{type: fixed, value: {content}}}"
                )
                result.complaints.append(Complaint(entry.node.place, sentence))
            parameters = parameters.having(name, Entry(entry.key_place, _constant(entry.node)))
    _set(result, "parameters", parameters)


def _conditions(result: Rewritten) -> None:
    parameters = result.tree.get("parameters")
    if parameters is None or not parameters.mapping:
        return
    for name, entry in parameters.mapping.items():
        when = entry.node.mapping.get("when")
        if when is None or not isinstance(when.node.content, str | dict | tuple):
            continue
        every = when.node.content if isinstance(when.node.content, tuple) else (when.node,)
        listed = Entry(when.key_place, Node(when.node.place, tuple(map(_lists_of_values, every))))
        parameters = parameters.having(name, Entry(entry.key_place, entry.node.having("when", listed)))
    _set(result, "parameters", parameters)


def _lists_of_values(node: Node) -> Node:
    """``{a: x, b: [y, z]}`` with a list for x, too."""
    if not isinstance(node.content, dict):
        return node
    return Node(
        node.place,
        {
            name: entry
            if isinstance(entry.node.content, tuple | NoneType)
            else Entry(entry.key_place, Node(entry.node.place, (entry.node,)))
            for name, entry in node.mapping.items()
        },
    )


def _fixed(result: Rewritten) -> None:
    fixed, parameters = result.tree.mapping.get("fixed"), result.tree.get("parameters")
    if fixed is None:
        return
    result.tree = result.tree.without("fixed")
    if not isinstance(fixed.node.content, dict):
        sentence = "expected parameters at constant values, as `fixed: {span: 3}`, got another value"
        result.complaints.append(Complaint(fixed.key_place, sentence))
    if parameters is None or not parameters.mapping:
        return
    for name, entry in fixed.node.mapping.items():
        if name in parameters.mapping:
            sentence = f"expected `{name}` once, got it under `parameters` as well; remove one"
            result.complaints.append(Complaint(entry.key_place, sentence))
            continue
        is_full = entry.node.get("type") is not None
        node = entry.node if is_full else _constant(entry.node)
        parameters = parameters.having(name, Entry(entry.key_place, node))
    _set(result, "parameters", parameters)


def _listen(result: Rewritten) -> None:
    entry = result.tree.mapping.get("listen")
    if entry is None:
        return
    result.tree = result.tree.without("listen")
    workers = result.tree.mapping.get("workers", Entry(entry.key_place, Node(entry.key_place, {})))
    if "listen" in workers.node.mapping:
        sentence = "expected `listen` once, got it under `workers` as well; remove one"
        result.complaints.append(Complaint(entry.key_place, sentence))
    elif isinstance(workers.node.content, dict):
        node = workers.node.having("listen", entry)
        result.tree = result.tree.having("workers", Entry(workers.key_place, node))
