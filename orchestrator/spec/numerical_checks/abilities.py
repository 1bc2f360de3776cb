"""What of a spec asks something of its algorithm that not every one can do."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.algorithms import registry
from orchestrator.algorithms.registry import Ability
from orchestrator.spec.checks.constraints import constraints_by_subject
from orchestrator.spec.checks.kept import kept_of
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, Place, find, find_key
from orchestrator.spec.numerical_checks.held import HOLDS
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.objective import BY_COMPARISON
from orchestrator.spec.sections.parameters import (
    ComputedParameter,
    changes_of,
    conditions_of,
    hunches_among,
    in_use_among,
    least_amounts_of,
    tolerances_of,
)


def check_abilities(tree: Node, parts: Parts, name: str) -> list[Complaint]:
    """What an algorithm of that name cannot do, each where it is asked for. Raises SpecError as
    `registry.load` does.
    """
    asked = [*_of_places(tree, parts), *_of_parameters(tree, parts), *_of_problem(tree, parts)]
    return [Complaint(place, one.lacking(name)) for one, place in asked if not one.of(name)]


def _of_places(tree: Node, parts: Parts) -> Iterator[tuple[Ability, Place]]:
    """What a section asks for that may as well be left out."""
    budget, objective = parts.get("budget"), parts.get("objective")
    # Of a computed objective no algorithm can tell it, which is said elsewhere.
    can_be_told = objective is None or not objective.is_computed
    if budget is not None and budget.expected_gain is not None and can_be_told:
        yield registry.FORESEES_GAIN, find_key(tree, ("budget", "expected_gain"))
    if parts.get("candidates"):
        yield registry.CHOOSES_ROWS, find_key(tree, ("candidates",))
    if constraints_by_subject(parts)[0]:
        yield registry.KEEPS_CONSTRAINTS, find_key(tree, ("constraints",))


def _of_parameters(tree: Node, parts: Parts) -> Iterator[tuple[Ability, Place]]:
    parameters = parts.get("parameters") or {}
    for name, told in parameters.items():
        if isinstance(told, ComputedParameter) and told.bounds is not None:
            yield registry.KEEPS_CONSTRAINTS, find_key(tree, ("parameters", name, "bounds"))
    for name in least_amounts_of(parameters):
        yield registry.KEEPS_CONSTRAINTS, find_key(tree, ("parameters", name, "least"))
    if hunches := hunches_among(parameters):
        yield registry.HEEDS_HUNCHES, find_key(tree, ("parameters", next(iter(hunches)), "promising"))
    if conditional := conditions_of(parameters):
        yield registry.TAKES_CONDITIONS, find_key(tree, ("parameters", next(iter(conditional)), "when"))


def _of_problem(tree: Node, parts: Parts) -> Iterator[tuple[Ability, Place]]:
    """What the whole search is about, so that another algorithm is the way out."""
    initial, place = parts.get("initial"), find(tree, ("algorithm",)).place
    mode = parts.get("mode")
    shared = mode is not None and mode.sharing
    parameters, objective = parts.get("parameters") or {}, parts.get("objective")
    slow = changes_of(parameters)
    asked = {
        registry.LEARNS_COMPARISONS: objective is not None and objective.told == BY_COMPARISON,
        registry.FINDS_CROSSINGS: objective is not None and objective.threshold is not None,
        registry.LEARNS_DERIVATIVES: objective is not None and objective.derivatives,
        registry.HEEDS_USE: in_use_among(parameters),
        registry.KEEPS_LIMITS: kept_of(parts),
        registry.TRADES_OFF: parts.get("further_objectives"),
        registry.CHOOSES_FIDELITY: parts.get("fidelity") is not None,
        registry.SEEKS_AVERAGES: tolerances_of(parameters),
        registry.INFERS_OFFSETS: parts.get("blocks") is not None,
        registry.LEARNS_FROM_RELATED: initial is not None and initial.related,
        HOLDS: parts.get("held") or parts.get("clock") or shared or slow,
    }
    for ability, is_asked in asked.items():
        if is_asked:
            yield ability, place
