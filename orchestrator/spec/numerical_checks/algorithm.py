"""What of a spec its algorithm refuses: options that it does not take, problems that it cannot be told."""

from __future__ import annotations

from dataclasses import dataclass, field

from orchestrator.algorithms import registry
from orchestrator.errors import SpecError
from orchestrator.spec.build import build_parameter, build_problem, build_space
from orchestrator.spec.checks.constraints import constraints_by_subject
from orchestrator.spec.checks.related import check_related
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find, find_key, plain
from orchestrator.spec.document.validation import validate
from orchestrator.spec.model import Spec
from orchestrator.spec.numerical_checks.constrained_points import check_constrained_points
from orchestrator.spec.numerical_checks.counting_points import check_counting_points
from orchestrator.spec.numerical_checks.fidelity import check_fidelity
from orchestrator.spec.numerical_checks.held import HOLDS, check_held_points
from orchestrator.spec.numerical_checks.safe_beginning import check_safe_beginning
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections import parameters as spec_parameters
from orchestrator.spelling import did_you_mean, listed


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
        near = did_you_mean(choice.name, names)
        sentence = f"expected an algorithm ({listed(names)}), got `{choice.name}`{near}"
        return WithOptions(spec, [Complaint(find(tree, ("algorithm", "name")).place, sentence)])
    try:
        options = registry.options(choice.name)
    except SpecError as error:
        return WithOptions(spec, [Complaint(find(tree, ("algorithm", "name")).place, str(error))])
    section = find(tree, ("algorithm",))
    complaints = _foresight(tree, parts, choice.name)
    among_rows = bool(parts.get("candidates"))
    if among_rows and not options.chooses_rows:
        place = find_key(tree, ("candidates",))
        complaints.append(Complaint(place, registry.CHOOSES_ROWS.lacking(choice.name)))
    if constraints_by_subject(parts)[0] and not options.keeps_constraints:
        place = find_key(tree, ("constraints",))
        complaints.append(Complaint(place, registry.KEEPS_CONSTRAINTS.lacking(choice.name)))
    parameters = parts.get("parameters") or {}
    for name, told in parameters.items():
        bounded = isinstance(told, spec_parameters.ComputedParameter) and told.bounds is not None
        if bounded and not options.keeps_constraints:
            place = find_key(tree, ("parameters", name, "bounds"))
            complaints.append(Complaint(place, registry.KEEPS_CONSTRAINTS.lacking(choice.name)))
    for name in () if options.keeps_constraints else spec_parameters.least_amounts_of(parameters):
        place = find_key(tree, ("parameters", name, "least"))
        complaints.append(Complaint(place, registry.KEEPS_CONSTRAINTS.lacking(choice.name)))
    conditional = spec_parameters.conditions_of(parameters)
    if conditional and not options.takes_conditions:
        place = find_key(tree, ("parameters", next(iter(conditional)), "when"))
        complaints.append(Complaint(place, registry.TAKES_CONDITIONS.lacking(choice.name)))
    if parts.get("further_objectives") and not options.trades_off:
        complaints.append(Complaint(section.place, registry.TRADES_OFF.lacking(choice.name)))
    complaints += check_fidelity(tree, parts)
    if parts.get("fidelity") is not None and not options.chooses_fidelity:
        complaints.append(Complaint(section.place, registry.CHOOSES_FIDELITY.lacking(choice.name)))
    tolerances = spec_parameters.tolerances_of(parameters)
    if tolerances and not options.seeks_averages:
        complaints.append(Complaint(section.place, registry.SEEKS_AVERAGES.lacking(choice.name)))
    if parts.get("blocks") is not None and not options.infers_offsets:
        complaints.append(Complaint(section.place, registry.INFERS_OFFSETS.lacking(choice.name)))
    initial = parts.get("initial")
    if initial is not None and initial.related and not options.learns_from_related:
        complaints.append(Complaint(section.place, registry.LEARNS_FROM_RELATED.lacking(choice.name)))
    if (parts.get("held") or parts.get("clock")) and not HOLDS.of(choice.name):
        complaints.append(Complaint(section.place, HOLDS.lacking(choice.name)))
    options_node = section.get("options") or Node(section.place, {})
    validated = validate(options, options_node)
    if validated.value is None or spec is None:
        return WithOptions(spec, [*complaints, *validated.complaints])
    spec = spec.model_copy(update={"algorithm": choice.model_copy(update={"options": plain(validated.tree)})})
    complaints += _spatial(tree, spec)
    if not complaints:
        complaints = check_counting_points(tree, build_space(spec), spec.initial)
    if not complaints:
        complaints = check_constrained_points(tree, build_space(spec), spec)
    if not complaints:
        complaints = check_held_points(tree, spec)
    if not complaints:
        complaints = list(check_related(tree, spec))
    if not complaints:
        complaints = list(check_safe_beginning(tree, spec))
    if not complaints:
        place = find_key(tree, ("algorithm", "options"))
        complaints = [Complaint(place, sentence) for sentence in validated.value.check(build_problem(spec))]
    return WithOptions(spec, complaints)


def _foresight(tree: Node, parts: Parts, name: str) -> list[Complaint]:
    """That an algorithm cannot tell what is left to gain, where the budget has it do so."""
    budget = parts.get("budget")
    if budget is None or budget.expected_gain is None:
        return []
    place = find_key(tree, ("budget", "expected_gain"))
    foreseeing = registry.FORESEES_GAIN
    return [] if foreseeing.of(name) else [Complaint(place, foreseeing.lacking(name))]


def _spatial(tree: Node, spec: Spec) -> list[Complaint]:
    """What only the unit cube's arithmetic refuses, such as bounds too close for double precision."""
    complaints: list[Complaint] = []
    for name, told in spec.parameters.items():
        if spec_parameters.varies(told):
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
