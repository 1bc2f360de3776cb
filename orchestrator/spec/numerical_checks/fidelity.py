"""Whether what a spec says of fidelity makes sense, each mistake at its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from orchestrator.algorithms import registry
from orchestrator.algorithms.gaussian_process.options import DesignOptions
from orchestrator.algorithms.halving.options import HalvingOptions
from orchestrator.algorithms.population.options import PopulationOptions
from orchestrator.algorithms.problem import Problem
from orchestrator.errors import SpecError
from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.parameters.fidelity import Fidelity, FidelityMistake
from orchestrator.parameters.space import Space
from orchestrator.spec.build import build_parameter, build_problem, costs_by_value, values_listed
from orchestrator.spec.checks.constraints import character
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.section import shown
from orchestrator.spec.document.tree import Node, Place, find, find_key
from orchestrator.spec.model import Spec
from orchestrator.spec.numerical_checks.start_design import points_known
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.fidelity import FidelityChoice
from orchestrator.spec.sections.initial import KnownResult
from orchestrator.spec.sections.parameters import (
    FixedParameter,
    Parameter,
    conditions_of,
    hunches_among,
    varies,
)
from orchestrator.spelling import did_you_mean, listed
from orchestrator.values.same import alike

COST_ALONE = (
    "expected `fidelity` as well, which says what an evaluation costs, as `fidelity: {parameter: cells, cost:"
    ' "cells ** 2"}`; without it, say `trials`'
)


def check_fidelity(tree: Node, parts: Parts) -> list[Complaint]:
    """What is wrong with it, as far as the parameters are right."""
    budget, fidelity = parts.get("budget"), parts.get("fidelity")
    if "fidelity" not in tree.mapping:
        spends = budget is not None and budget.cost is not None
        return [Complaint(find_key(tree, ("budget", "cost")), COST_ALONE)] if spends else []
    return [] if fidelity is None else list(_of_itself(tree, parts, fidelity))


def _of_itself(tree: Node, parts: Parts, told: FidelityChoice) -> Iterator[Complaint]:
    parameters = parts.get("parameters")
    if parameters is None:
        return
    if mistakes := list(_of_values(tree, parameters, told)):
        yield from mistakes
        return
    try:
        varied = [build_parameter(n, p) for n, p in parameters.items() if varies(p)]
        fixed = {n: p.value for n, p in parameters.items() if isinstance(p, FixedParameter)}
        conditions, hunches = conditions_of(parameters), hunches_among(parameters)
        space = Space(tuple(varied), fixed, (), conditions, hunches=hunches)
    except SpecError:
        # Said where the parameter stands.
        return
    try:
        cost = costs_by_value(told, parameters)
        fidelity = Fidelity.of(space, told.parameter, cost, told.full, continues=told.continues)
    except FidelityMistake as mistake:
        yield Complaint(_place(tree, mistake.about), str(mistake))
    except ArithmeticMistake as mistake:
        node = find(tree, ("fidelity", "cost"))
        yield Complaint(character(node, str(told.cost), mistake.offset), mistake.sentence)
    else:
        yield from _of_the_first_points(tree, parts, fidelity)
        yield from _of_the_reference(tree, fidelity)


def _place(tree: Node, about: str) -> Place:
    node = find(tree, ("fidelity", about))
    return find_key(tree, ("fidelity", about)) if isinstance(node.content, dict) else node.place


def _of_values(tree: Node, parameters: Mapping[str, Parameter], told: FidelityChoice) -> Iterator[Complaint]:
    """That a mapping of costs names another value than the parameter has, or leaves one out."""
    values = values_listed(parameters.get(told.parameter))
    if not isinstance(told.cost, dict) or not values:
        return
    known = costs_by_value(told, parameters)
    assert isinstance(known, Mapping)
    words = [str(value) for value in values]
    unknown = [name for name, value in zip(told.cost, known, strict=False) if value not in values]
    for name in unknown:
        sentence = f"expected a value of `{told.parameter}` ({listed(words)}), got `{name}`"
        place = find_key(tree, ("fidelity", "cost", name))
        yield Complaint(place, f"{sentence}{did_you_mean(name, words)}")
    without = [value for value in values if value not in known]
    if without and not unknown:
        sentence = f"expected the cost of every value of `{told.parameter}`, got none of {shown(without[0])}"
        yield Complaint(find_key(tree, ("fidelity", "cost")), sentence)


def _of_the_first_points(tree: Node, parts: Parts, fidelity: Fidelity) -> Iterator[Complaint]:
    """Whether the budget pays for the points to try first."""
    budget, initial = parts.get("budget"), parts.get("initial")
    if budget is None or initial is None or budget.cost is None:
        return
    try:
        # What a part of a point leaves to be chosen costs as little as that will be.
        cost = sum(fidelity.cost(point) for point in initial.points if fidelity.name in point)
    except (SpecError, KeyError):
        # Said where the point stands.
        return
    if cost > budget.cost:
        sentence = (
            f"expected points that cost no more than the budget of {budget.cost:g}, got {cost:.4g}; leave"
            " some out, or raise it"
        )
        yield Complaint(find_key(tree, ("initial", "points")), sentence)


def _of_the_reference(tree: Node, fidelity: Fidelity) -> Iterator[Complaint]:
    """That what the best is measured against looks less closely than the best does."""
    name = fidelity.parameter.name
    initial = tree.get("initial")
    reference = None if initial is None else initial.get("reference")
    told = None if reference is None else reference.get(name)
    if told is None or not isinstance(told.content, str | int | float) or alike(told.content, fidelity.full):
        return
    sentence = (
        f"expected a reference at full fidelity, `{name}` = {shown(fidelity.full)}, as the best point is, got"
        f" {shown(told.content)}"
    )
    yield Complaint(told.place, sentence)


def of_fidelity(tree: Node, spec: Spec, fidelity: Fidelity | None) -> Iterator[Complaint]:
    """Remarks: a budget that does not count what trials cost, or that the start design may spend, costs that
    are all the same, and known results that are no best.
    """
    if fidelity is None:
        return
    if spec.budget.trials is not None and spec.budget.cost is None:
        sentence = (
            "a trial counts as one of `trials`, however little it costs: `cost` says how many evaluations at"
            " full fidelity they may cost together"
        )
        yield Complaint(find_key(tree, ("budget", "trials")), sentence)
    if sentence := _start_design_spends(spec, fidelity):
        yield Complaint(find_key(tree, ("budget", "cost")), sentence)
    if sentence := _none_comes_to_all_steps(spec):
        yield Complaint(find_key(tree, ("algorithm",)), sentence)
    if fidelity.levels.costs.min() == fidelity.levels.costs.max():
        sentence = "`fidelity` has no effect: an evaluation costs the same wherever it is"
        yield Complaint(find_key(tree, ("fidelity", "cost")), sentence)
    for sentence in of_less_than_full(fidelity, spec.initial.results):
        yield Complaint(find_key(tree, ("initial", "results")), sentence)


def _start_design_spends(spec: Spec, fidelity: Fidelity) -> str:
    """That the start design, which is at all fidelities, may leave no more than a trial at full fidelity; or
    nothing.
    """
    options = registry.options(spec.algorithm.name).model_validate(spec.algorithm.options)
    if spec.budget.cost is None or not isinstance(options, DesignOptions):
        return ""
    designed = options.designed(build_problem(spec)) - points_known(spec)
    cost = designed * float(fidelity.levels.costs.mean())
    if cost <= spec.budget.cost - 1.0:
        return ""
    return (
        f"the start design's {designed} trials may cost {cost:.2g} of that, which leaves next to nothing for"
        " what they teach: raise it, or have fewer of them, as `initial: {count: 3}`"
    )


def _none_comes_to_all_steps(spec: Spec) -> str:
    """That a population is too large, or has too many rungs to climb, for any of it to be the best; or
    nothing.
    """
    options = registry.options(spec.algorithm.name).model_validate(spec.algorithm.options)
    if not isinstance(options, HalvingOptions | PopulationOptions):
        return ""
    problem = build_problem(spec)
    if isinstance(options, HalvingOptions):
        return _none_comes_to_the_last_rung(options, problem)
    if not options.is_too_many(problem):
        return ""
    return (
        f"the budget may be spent before one of {options.size(problem)} trainings side by side comes to all"
        " steps, and no other is the best: raise it, or have fewer, as `options: {population: 4}`"
    )


def _none_comes_to_the_last_rung(options: HalvingOptions, problem: Problem) -> str:
    if not options.is_too_little(problem):
        return ""
    rungs = options.rungs_in(problem)
    looks = ", ".join(str(options.reduction**rung) for rung in range(len(rungs) - 1, -1, -1))
    return (
        f"the budget may be spent before any settings come to full fidelity, and no others are the best: of"
        f" {len(rungs)} rungs, for one at the last, {looks} are looked at; raise it, or have fewer, as"
        " `options: {rungs: 2}`"
    )


def of_less_than_full(fidelity: Fidelity | None, known: Sequence[KnownResult]) -> Iterator[str]:
    """That some known results are no best ones: a sentence, if there are any."""
    if fidelity is None:
        return
    if below := sum(not fidelity.is_full(one.parameters) for one in known):
        some = "the known result is" if len(known) == 1 else f"{below} of {len(known)} known results are"
        yield f"{some} not at full fidelity, `{fidelity.condition}`: still learned from, and no best"
