"""Whether the constraints of a spec, and what they are about, can be read, each mistake at its character;
without numpy.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.constraints import Constraint, Nameable, by_subject, counted_by
from orchestrator.expressions.counts import NEVER_ZERO, NO_TOLERANCE, NO_TRAVEL, NOT_ALWAYS, is_count
from orchestrator.expressions.equalities import names_some
from orchestrator.expressions.one_of import Parent
from orchestrator.objectives import OF_THE_VALUE
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.section import shown
from orchestrator.spec.document.tree import Node, Place, find, find_key
from orchestrator.spec.parts import Parts, parameters_among
from orchestrator.spec.sections.parameters import (
    ChoiceParameter,
    ComputedParameter,
    FixedParameter,
    FloatParameter,
    GivenParameter,
    IntParameter,
    OrderedParameter,
    Parameter,
    least_amounts_of,
    steps_of,
    tolerances_of,
    travels_of,
)
from orchestrator.values.finite import is_number

# Values of a choice that `shown` names.
MOST_SHOWN = 6
COMMA_ADVICE = '; in a list in brackets put what has a comma in quotes, as "max(inner, outer) <= 1"'

RETURNED_BY_ANOTHER = "if that is meant, have evaluations return it by another name"
NO_NUMBER = "expected outcomes that are numbers, got `{}`, which is a curve"


def check_constraints(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong with them, as far as the parameters that they name are right."""
    if "outcomes" not in parts:
        return
    parameters, wrong = parameters_among(tree, parts)
    if not (parameters or wrong):
        return
    initial = parts.get("initial")
    # Where what is known beforehand is wrong, nobody knows whether there is one.
    reference = initial is None or initial.reference is not None
    right = nameable(parameters)
    names = replace(
        right,
        varied=(*right.varied, *wrong),
        outcomes=(*limited_in(parts), *_of_a_wrong_objective(tree, parts)),
        reference=reference,
    )
    constraints = parts.get("constraints") or ()
    # Equalities that are left beside parameters which are wrong are judged when these are right.
    left = {text for text in constraints if names_some(text, wrong)}
    for i in _beginnings(constraints):
        text = constraints[i]
        try:
            if text in left or any(one.name.name in wrong for one in Constraint.of(text).values):
                continue
            _refuse_the_value(text, (*parameters, *wrong), parts, names)
            _refuse_curves(text, parts)
            names.read(text)
        except ArithmeticMistake as mistake:
            node = find(tree, ("constraints", i))
            cut = text.count("(") != text.count(")")
            yield Complaint(character(node, text, mistake.offset), f"{mistake}{COMMA_ADVICE if cut else ''}")


def _beginnings(texts: Sequence[str]) -> Iterator[int]:
    """Where each begins: what follows of one that was cut at its commas closes its brackets."""
    opened = [text.count("(") - text.count(")") for text in texts]
    i = 0
    while i < len(texts):
        yield i
        after = range(i + 1, len(texts)) if opened[i] > 0 else ()
        i = next((end for end in after if sum(opened[i : end + 1]) <= 0), i) + 1


def check_counted(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What parameters have that cannot be where it is limited how many of them are used."""
    parameters = parts.get("parameters") or {}
    counted = counted_by([*(parts.get("constraints") or ()), *least_amounts_of(parameters).values()])
    for name in travels_of(parameters) if counted else ():
        yield Complaint(find_key(tree, ("parameters", name, "travel")), NO_TRAVEL)
    for name in tolerances_of(parameters):
        if name in counted:
            yield Complaint(find_key(tree, ("parameters", name, "tolerance")), NO_TOLERANCE)


def _refuse_the_value(text: str, parameters: Collection[str], parts: Parts, names: Nameable) -> None:
    """Raises ArithmeticMistake for a constraint of the only objective."""
    objective = parts.get("objective")
    if objective is None or objective.name in (*parameters, *names.outcomes):
        return
    is_it = "is the objective; what is good enough of it is a `target` of the budget"
    constraint = Constraint.of(text)
    if constraint.kept is not None or len(constraint.names) > 1:
        is_it = "is the objective; have it returned a second time, as an outcome by another name"
    for name in constraint.names:
        if name.name == objective.name:
            raise ArithmeticMistake(
                f"expected parameters and outcomes, got `{name.name}`, which {is_it}", name.offset
            )


def _refuse_curves(text: str, parts: Parts) -> None:
    """Raises ArithmeticMistake for a constraint of an outcome that is a curve."""
    objective = parts.get("objective")
    targets = {} if objective is None or objective.fit is None else objective.fit
    for name in Constraint.of(text).names:
        if name.name in targets and isinstance(targets[name.name].value, tuple):
            raise ArithmeticMistake(NO_NUMBER.format(name.name), name.offset)


def check_outcomes(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong with their names."""
    outcomes = parts.get("outcomes") or ()
    parameters, objective = parts.get("parameters") or {}, parts.get("objective")
    for i, name in enumerate(outcomes):
        taken = ""
        if name in parameters:
            taken = f", which is a parameter: {RETURNED_BY_ANOTHER}"
        elif name in OF_THE_VALUE or (objective is not None and name == objective.name):
            taken = ", which is the objective's own"
        elif name in outcomes[:i]:
            taken = " again"
        if taken:
            sentence = f"expected a name for what is returned beside the value, got `{name}`{taken}"
            yield Complaint(find(tree, ("outcomes", i)).place, sentence)


def _of_a_wrong_objective(tree: Node, parts: Parts) -> tuple[str, ...]:
    """What an objective that is wrong is called, which constraints may name where it is one of several."""
    told = tree.get("objective")
    if told is None or {"objective", "further_objectives"} <= parts.keys():
        return ()
    name = (told.get("name") or told).content
    return (name,) if isinstance(name, str) else ()


def limited_in(parts: Parts) -> tuple[str, ...]:
    """What constraints may be about that only an evaluation tells, as `Spec.limited` has it."""
    outcomes, objective = tuple(parts.get("outcomes") or ()), parts.get("objective")
    if objective is None or not parts.get("further_objectives"):
        return outcomes
    taken = objective.name in (*(parts.get("parameters") or ()), *outcomes)
    return outcomes if taken else (*outcomes, objective.name)


def constraints_by_subject(parts: Parts) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The constraints on parameters alone and those on outcomes; none where one cannot be read."""
    try:
        return by_subject(parts.get("constraints") or (), limited_in(parts))
    except ArithmeticMistake:
        # Said where the constraint stands.
        return (), ()


def nameable(parameters: Mapping[str, Parameter]) -> Nameable:
    """What constraints of these parameters may be about."""
    without: dict[str, str] = {}
    varied, fixed = [], []
    for name, parameter in parameters.items():
        if isinstance(parameter, FixedParameter):
            if is_number(parameter.value):
                fixed.append(name)
            else:
                without[name] = f"is fixed at {shown(parameter.value)}"
        elif isinstance(parameter, GivenParameter):
            without[name] = "goes with a candidate, and is no number that is chosen"
        elif isinstance(parameter, ChoiceParameter | OrderedParameter) and not all(
            map(is_number, parameter.values)
        ):
            told = list(parameter.values)
            many = f"has {len(told)} values, not all of them numbers"
            without[name] = many if len(told) > MOST_SHOWN else f"has the values {shown(told)}"
        else:
            varied.append(name)
    counting = {
        name: parameter.value
        for name, parameter in parameters.items()
        if isinstance(parameter, ComputedParameter) and is_count(parameter.value)
    }
    parents = {
        name: parent_of(one) for name, one in parameters.items() if not isinstance(one, GivenParameter)
    }
    return Nameable(
        tuple(varied), tuple(fixed), without, (), _uncountable(parameters), counting, parents=parents
    )


def parent_of(parameter: Parameter) -> Parent:
    """Which values a parameter has, for what hangs on them."""
    if isinstance(parameter, ChoiceParameter | OrderedParameter):
        return Parent("choice", tuple(parameter.values))
    if (steps := steps_of(parameter)) is not None:
        return Parent("choice", steps)
    if isinstance(parameter, FixedParameter):
        return Parent("fixed", (parameter.value,))
    if isinstance(parameter, ComputedParameter | GivenParameter):
        return Parent("float")
    return Parent("int" if isinstance(parameter, IntParameter) else "float", bounds=parameter.bounds)


def _uncountable(parameters: Mapping[str, Parameter]) -> dict[str, str]:
    """Why some parameters cannot be counted: those that never are 0, and those that do not always count."""
    found: dict[str, str] = {}
    for name, parameter in parameters.items():
        if isinstance(parameter, FloatParameter | IntParameter):
            steps = steps_of(parameter)
            low, high = parameter.bounds
            zero = low <= 0 <= high if steps is None else 0 in steps
        else:
            values = parameter.values if isinstance(parameter, ChoiceParameter | OrderedParameter) else ()
            zero = isinstance(parameter, ComputedParameter | FixedParameter) or 0 in values
        if not zero:
            found[name] = NEVER_ZERO
        elif getattr(parameter, "when", None) is not None:
            found[name] = NOT_ALWAYS
    return found


def character(node: Node, text: str, offset: int) -> Place:
    """Where a character of a text stands, if the text stands on its line as it is."""
    place, lines = node.place, node.place.source.lines
    line = lines[place.line - 1] if 0 < place.line <= len(lines) else ""
    for quotation in (0, 1):
        start = place.column - 1 + quotation
        if line[start : start + len(text)] == text:
            return replace(place, column=start + 1 + offset)
    return place
