"""What of a spec its algorithm refuses: options that it does not take, problems that it cannot be told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from orchestrator.algorithms import registry
from orchestrator.algorithms.names_elsewhere import algorithm_elsewhere
from orchestrator.algorithms.options import Options
from orchestrator.errors import SpecError
from orchestrator.spec.build import build_parameter, build_problem, build_space
from orchestrator.spec.checks.related import check_related
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find, find_key, plain
from orchestrator.spec.document.validation import validate
from orchestrator.spec.model import Spec
from orchestrator.spec.numerical_checks.abilities import check_abilities
from orchestrator.spec.numerical_checks.constrained_points import check_constrained_points
from orchestrator.spec.numerical_checks.counting_points import check_counting_points
from orchestrator.spec.numerical_checks.fidelity import check_fidelity
from orchestrator.spec.numerical_checks.held import check_held_points
from orchestrator.spec.numerical_checks.parts_of_points import check_parts_of_points
from orchestrator.spec.numerical_checks.room import check_room
from orchestrator.spec.numerical_checks.safe_beginning import check_safe_beginning
from orchestrator.spec.numerical_checks.sharing import check_shared
from orchestrator.spec.partial_points import parts_among
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.parameters import varies
from orchestrator.spelling import listed


@dataclass(frozen=True, slots=True)
class WithOptions:
    """The spec with the algorithm's options in British spelling, and what was wrong with them."""

    spec: Spec | None
    complaints: list[Complaint] = field(default_factory=list)


def check_algorithm(tree: Node, parts: Parts, spec: Spec | None) -> WithOptions:
    """Whether the algorithm exists, takes its options, and can make sense of the problem.

    ``spec`` is None where other parts are wrong; then what depends on the whole problem is not asked.
    """
    choice = parts.get("algorithm")
    if choice is None:
        return WithOptions(spec)
    names = registry.names()
    if choice.name not in names:
        near = algorithm_elsewhere(choice.name, names)
        sentence = f"expected an algorithm ({listed(names)}), got `{choice.name}`{near}"
        return WithOptions(spec, [Complaint(find(tree, ("algorithm", "name")).place, sentence)])
    try:
        options = registry.options(choice.name)
    except SpecError as error:
        return WithOptions(spec, [Complaint(find(tree, ("algorithm", "name")).place, str(error))])
    section = find(tree, ("algorithm",))
    complaints = [*check_abilities(tree, parts, choice.name), *check_fidelity(tree, parts)]
    options_node = section.get("options") or Node(section.place, {})
    validated = validate(options, options_node)
    if validated.value is None or spec is None:
        return WithOptions(spec, [*complaints, *validated.complaints])
    spec = spec.model_copy(update={"algorithm": choice.model_copy(update={"options": plain(validated.tree)})})
    complaints += _spatial(tree, spec)
    in_turn = _of_whole_problem(tree, spec, validated.value)
    return WithOptions(spec, complaints or next(filter(None, in_turn), []))


def _of_whole_problem(tree: Node, spec: Spec, options: Options) -> Iterator[list[Complaint]]:
    """Each can be told only where nothing before it is wrong."""
    yield check_counting_points(tree, build_space(spec), spec.initial, parts_among(spec))
    yield check_constrained_points(tree, build_space(spec), spec)
    yield check_held_points(tree, spec)
    yield list(check_room(tree, build_space(spec), spec))
    yield list(check_parts_of_points(tree, build_space(spec), spec))
    yield check_shared(tree, spec)
    yield list(check_related(tree, spec))
    yield list(check_safe_beginning(tree, spec))
    place = find_key(tree, ("algorithm", "options"))
    yield [Complaint(place, sentence) for sentence in options.check(build_problem(spec))]


def _spatial(tree: Node, spec: Spec) -> list[Complaint]:
    """What only the unit cube's arithmetic refuses, such as bounds too close for double precision."""
    complaints: list[Complaint] = []
    for name, told in spec.parameters.items():
        if varies(told):
            try:
                build_parameter(name, told)
            except SpecError as error:
                complaints.append(Complaint(find_key(tree, ("parameters", name)), str(error)))
    if not complaints:
        try:
            build_space(spec)
        except SpecError as error:
            key = "candidates" if "candidates" in str(error) else "constraints"
            complaints.append(Complaint(find_key(tree, (key,)), str(error)))
    return complaints
