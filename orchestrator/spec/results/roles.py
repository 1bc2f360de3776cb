"""What a name stands for that a known result may bring, and what one brought, by that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from orchestrator.spec.document.tree import Entry, Node, Place, find_all
from orchestrator.spec.results.column_names import own_name
from orchestrator.spec.results.failed_states import says_failed, says_pruned
from orchestrator.values.derivatives import column_of

Role: TypeAlias = tuple[Literal["parameter", "told", "factor", "outcome", "derivative"], str]
"""What a name stands for: a parameter, what was told (``value``, ``state``, ``variance``, ``factors``,
``seconds``, ``block``), what the factor of a number gave, an outcome, or the derivative by a parameter.
"""

BLOCK: Role = ("told", "block")
WEIGHS = "weigh_duration"
"""The option of an algorithm by which it learns how long evaluations take."""


def parameter_names(tree: Node) -> list[str]:
    """Those of the spec, as far as it has any."""
    parameters = tree.get("parameters")
    return list(parameters.mapping) if parameters else []


def outcome_names(tree: Node) -> list[str]:
    """Those of the spec, as far as it has any."""
    return [str(node.content) for node in find_all(tree, ("outcomes",))]


def derivative_names(tree: Node) -> list[str]:
    """The parameters by which results may bring derivatives."""
    objective, parameters = tree.get("objective"), tree.get("parameters")
    told = objective.get("derivatives") if objective else None
    if told is None or parameters is None or told.content is False:
        return []
    named = [str(node.content) for node in told.sequence]
    return [
        name
        for name, entry in parameters.mapping.items()
        if (name in named or told.content is True)
        and (kind := entry.node.get("type")) is not None
        and kind.content == "float"
    ]


def names_of_the_value(tree: Node) -> list[str]:
    """What the value may be called: as the objective, or ``value``, where no parameter is called so."""
    objective = tree.get("objective")
    name = objective.get("name") if objective else None
    keys = [name.content, "value"] if name and isinstance(name.content, str) else ["value"]
    return [key for key in dict.fromkeys(keys) if key not in parameter_names(tree)]


def roles_of(tree: Node) -> dict[str, Role]:
    """What each name stands for that a result may bring, in a column or as a key of its own, called as
    `orchestrator export` calls them.
    """
    names, value_keys, outcomes = parameter_names(tree), names_of_the_value(tree), outcome_names(tree)
    taken = {*names, *value_keys, *outcomes}
    factors = range(1, len(find_all(tree, ("factors",))) + 1)
    roles: dict[str, Role] = {name: ("outcome", name) for name in outcomes}
    timed = _weighs_durations(tree) or _learns_costs(tree)
    told = ("state", "variance", "seconds") if timed else ("state", "variance")
    roles |= {own_name(name, taken): ("told", name) for name in told}
    roles |= {column_of(name): ("derivative", name) for name in derivative_names(tree)}
    roles |= {own_name(f"factor_{i}", taken): ("factor", str(i)) for i in factors}
    roles |= dict.fromkeys(value_keys, ("told", "value"))
    blocks = tree.get("blocks")
    # One that is called as the value is refused, at its place.
    if blocks is not None and isinstance(blocks.content, str) and blocks.content not in value_keys:
        roles[blocks.content] = BLOCK
    return roles | {name: ("parameter", name) for name in names}


def _weighs_durations(tree: Node) -> bool:
    """Whether how long evaluations take is learned, of an algorithm that can."""
    algorithm = tree.get("algorithm")
    options = algorithm.get("options") if algorithm else None
    weighs = options.get(WEIGHS) if options else None
    return weighs is not None and weighs.content is True


def _learns_costs(tree: Node) -> bool:
    """Whether what evaluations cost is learned from how long they take, each of them the whole of it."""
    fidelity = tree.get("fidelity")
    if fidelity is None or not fidelity.mapping or "cost" in fidelity.mapping:
        return False
    continues = fidelity.get("continues")
    # Of one that went on, what it took is of the last part alone.
    return continues is None or continues.content is not True


def is_known_failure(told: Mapping[str, Entry]) -> bool:
    """Whether what was told is no value, but a state that says why: that it failed."""
    value, state = told.get("value"), told.get("state")
    none = value is None or value.node.content is None
    return none and state is not None and says_failed(state.node.content)


def with_no_value_of_failures(told: Mapping[str, Entry]) -> dict[str, Entry]:
    """What was told, of a known failure with nothing in the place of the value."""
    if not is_known_failure(told):
        return dict(told)
    state = told["state"]
    return {**told, "value": Entry(state.key_place, Node(state.node.place, None))}


def outcomes_composed(tree: Node) -> tuple[str, ...]:
    """The outcomes from which the value of a spec's objective is computed, if it is: as far as known results
    have to say them, all that there are.
    """
    objective = tree.get("objective")
    is_computed = objective is not None and {"value", "fit"} & objective.mapping.keys()
    return tuple(outcome_names(tree)) if is_computed else ()


def with_a_value(told: Mapping[str, Entry], composed: tuple[str, ...], place: Place) -> dict[str, Entry]:
    """What was told of a result, of one whose value is computed with a number that stands for it, which is
    put there once all else is known to be right; unless it failed.
    """
    if not composed or is_known_failure(told):
        return dict(told)
    return {**told, "value": Entry(place, Node(place, 0.0))}


class Brought:
    """What a result brings, by what it stands for; its value may be ``composed`` of outcomes."""

    def __init__(self, composed: tuple[str, ...]) -> None:
        self._composed = composed
        self._by_kind: dict[str, dict[str, Entry]] = {
            "parameter": {},
            "told": {},
            "factor": {},
            "outcome": {},
            "derivative": {},
        }

    def put(self, role: Role, entry: Entry) -> None:
        """One thing that it brings."""
        kind, name = role
        self._by_kind[kind][name] = entry

    @property
    def is_result(self) -> bool:
        """Whether a value is among it, and not left empty, or it failed; what was given up early is none."""
        told = self._by_kind["told"]
        value, state = told.get("value"), told.get("state")
        if state is not None and says_pruned(state.node.content):
            return False
        if self._composed and not is_known_failure(told):
            return any(name in self._by_kind["outcome"] for name in self._composed)
        return (value is not None and value.node.content is not None) or is_known_failure(told)

    def result(self, place: Place) -> Node:
        """As one node, ``{parameters: ..., value: ...}``, with the value nothing where it failed."""
        told = with_a_value(with_no_value_of_failures(self._by_kind["told"]), self._composed, place)
        given = [entry for _, entry in sorted(self._by_kind["factor"].items(), key=lambda item: int(item[0]))]
        if given:
            first = given[0].key_place
            told["factors"] = Entry(first, Node(first, tuple(entry.node for entry in given)))
        if outcomes := self._by_kind["outcome"]:
            told["outcomes"] = Entry(place, Node(place, dict(outcomes)))
        if derivatives := self._by_kind["derivative"]:
            told["derivatives"] = Entry(place, Node(place, dict(derivatives)))
        parameters = Entry(place, Node(place, dict(self._by_kind["parameter"])))
        return Node(place, {"parameters": parameters, **told})
