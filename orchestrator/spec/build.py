"""From a spec to its parts: the space, the problem that algorithms are told, and the algorithm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

import numpy as np

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Algorithm, Noise, Problem, RelatedResults
from orchestrator.algorithms.observed import known_noise
from orchestrator.computed_objective import ComputedObjective, misfit_to, of_formula
from orchestrator.errors import SpecError
from orchestrator.expressions.constraints import by_subject
from orchestrator.objectives import SIGNS
from orchestrator.parameters.fidelity import Cost, Fidelity
from orchestrator.parameters.held import held_within
from orchestrator.parameters.hunches import hunch_of_points
from orchestrator.parameters.in_use import conditions_in_use
from orchestrator.parameters.kinds import stepped
from orchestrator.parameters.linear_sums import linear_sums
from orchestrator.parameters.priors import prior_of_points
from orchestrator.parameters.reach import Reach
from orchestrator.parameters.related_points import related_points
from orchestrator.parameters.sharing import require_that_they_can_be_shared
from orchestrator.parameters.space import (
    ChoiceParameter,
    FloatParameter,
    IntParameter,
    OrderedParameter,
    Parameter,
    Space,
)
from orchestrator.parameters.tolerances import settings_off
from orchestrator.spec.document.tree import Place, Source, plain, positioned
from orchestrator.spec.document.validation import validate
from orchestrator.spec.document.yaml_tree import scalar
from orchestrator.spec.model import Spec
from orchestrator.spec.results.related_table import RelatedTable, related_table
from orchestrator.spec.sections import parameters as spec_parameters
from orchestrator.spec.sections.fidelity import FidelityChoice
from orchestrator.spec.sections.objective import BY_COMPARISON
from orchestrator.spec.sections.when import ScalarValue
from orchestrator.spec.slots_needed import trials_at_a_time
from orchestrator.values.finite import is_number
from orchestrator.values.named import Values
from orchestrator.values.over import over_of
from orchestrator.wanted_outcomes import WantedOutcomes

MOST_LISTED = 1_000
"""Of steps, of which each may have a cost of its own."""


def build_space(spec: Spec) -> Space:
    """The parameters in the order of the spec, with the fixed and the computed ones and the constraints on
    them beside. Raises SpecError.
    """
    varied = [build_parameter(n, told) for n, told in spec.parameters.items() if spec_parameters.varies(told)]
    fixed = {n: p.value for n, p in spec.parameters.items() if isinstance(p, spec_parameters.FixedParameter)}
    constraints = by_subject(spec.constraints, spec.limited)[0]
    constraints += tuple(spec_parameters.least_amounts_of(spec.parameters).values())
    conditions = spec_parameters.conditions_of(spec.parameters)
    travel = spec_parameters.travels_of(spec.parameters)
    tolerances = spec_parameters.tolerances_of(spec.parameters)
    computed = spec_parameters.computed_of(spec.parameters)
    candidates = None if spec.candidates is None else spec.candidates.candidates
    in_use = spec_parameters.in_use_among(spec.parameters)
    priors = spec_parameters.priors_among(spec.parameters)
    changes = spec_parameters.changes_of(spec.parameters)
    hunches = spec_parameters.hunches_among(spec.parameters)
    beside = (travel, tolerances, computed, candidates, in_use, priors, changes, hunches)
    return Space(tuple(varied), fixed, constraints, conditions, *beside)


def build_wanted_outcomes(spec: Spec) -> WantedOutcomes | None:
    """What is wanted of outcomes, or None for a spec that has none. Raises SpecError."""
    if not spec.outcomes:
        return None
    _, texts = by_subject(spec.constraints, spec.limited)
    further = [(one.name, SIGNS[one.goal]) for one in spec.further_objectives]
    space = build_space(spec)
    own = "".join(spec.limited[len(spec.outcomes) :])
    computed = build_computed_objective(spec, space)
    return WantedOutcomes.of(space, spec.outcomes, texts, further, computed, own).relative_to(spec.levels)


def build_computed_objective(spec: Spec, space: Space) -> ComputedObjective | None:
    """What computes the objective of outcomes, or None where evaluations return it. Raises SpecError."""
    objective, sign = spec.objective, SIGNS[spec.objective.goal]
    if objective.fit is not None:
        targets = {name: one.target for name, one in objective.fit.items()}
        return misfit_to(targets, objective.covariance, sign, len(space.parameters))
    return None if objective.value is None else of_formula(objective.value, spec.outcomes, space, sign)


def build_fidelity(spec: Spec) -> Fidelity | None:
    """How closely evaluations look and what that costs, or None where all look alike. Raises SpecError."""
    told = spec.fidelity
    if told is None:
        return None
    cost = costs_by_value(told, spec.parameters)
    space, budget = build_space(spec), spec.budget.cost
    return Fidelity.of(space, told.parameter, cost, told.full, budget, continues=told.continues)


def require_points_where_held(spec: Spec) -> None:
    """Raises SpecError for parameters that cannot be held where a spec holds them: one that may not count
    there, or values beside which no others satisfy the constraints, at full fidelity.
    """
    if spec.held:
        full = (
            {} if spec.fidelity is None else {spec.fidelity.parameter: spec.fidelity.full_of(spec.parameters)}
        )
        held_within(build_space(spec), {**spec.held, **full})


def require_rounds_that_differ(spec: Spec) -> None:
    """Raises SpecError for a parameter that trials of a round cannot share, and where all would be alike."""
    held = [*spec.held, *([] if spec.clock is None else [spec.clock])]
    require_that_they_can_be_shared(build_space(spec), spec.mode.sharing, held)


def require_points_in_reach(spec: Spec, stands: Values) -> None:
    """Raises SpecError where no point is found within reach of where a machine ``stands`` that satisfies the
    constraints and is where parameters are held. There must be some farther off.
    """
    space = build_space(spec)
    if space.ties is not None:
        rng = np.random.default_rng(0)
        part = held_within(space, spec.held) or space.domain
        Reach.of(space, stands).towards(part.sample(1, rng)[0], part, rng)


def require_feasible_points(spec: Spec) -> None:
    """Raises SpecError if no point is found that satisfies the constraints on parameters, or none of those is
    at full fidelity.
    """
    space, fidelity = build_space(spec), build_fidelity(spec)
    if fidelity is None:
        space.require_feasible_points()
    else:
        fidelity.require_feasible_points(space)


def costs_by_value(told: FidelityChoice, parameters: Mapping[str, spec_parameters.Parameter]) -> Cost | None:
    """What an evaluation costs, None where it is learned; where that is told of each value, by the values
    themselves, which as keys are texts in YAML. What is none stays a text.
    """
    if not isinstance(told.cost, dict):
        return told.cost
    by_text = {str(value): value for value in values_listed(parameters.get(told.parameter))}
    return {by_text.get(text, _number(text)): cost for text, cost in told.cost.items()}


def _number(text: str) -> ScalarValue | None:
    """Of a key, if it is written as one."""
    read = scalar(text)
    return read if is_number(read) else text


def values_listed(parameter: spec_parameters.Parameter | None) -> Sequence[ScalarValue]:
    """The values of a parameter that has few enough to list, in their order; else none."""
    if isinstance(parameter, spec_parameters.OrderedParameter):
        return tuple(parameter.values)
    steps = None if parameter is None else spec_parameters.steps_of(parameter)
    return () if steps is None or len(steps) > MOST_LISTED else tuple(steps)


def build_parameter(name: str, told: spec_parameters.Parameter) -> Parameter:
    """One that varies. Raises SpecError for what only the unit cube's arithmetic refuses, such as bounds that
    are too close together for double precision.
    """
    unit = told.unit or ""
    if isinstance(told, spec_parameters.ChoiceParameter):
        return ChoiceParameter(name, tuple(told.values), unit, told.description)
    if isinstance(told, spec_parameters.OrderedParameter):
        return OrderedParameter(name, tuple(told.values), told.scale, unit)
    if isinstance(told, spec_parameters.IntParameter):
        whole = IntParameter(name, *told.bounds, told.scale, unit, told.periodic)
        return whole if told.step is None else stepped(whole, told.step)
    assert isinstance(told, spec_parameters.FloatParameter)
    real = FloatParameter(name, *told.bounds, told.scale, unit, told.periodic)
    return real if told.step is None else stepped(real, told.step)


def build_problem(spec: Spec) -> Problem:
    """What an algorithm is told: factors as numbers of the parameters that vary, noise, and hints."""
    space = build_space(spec)
    outcomes, fidelity = build_wanted_outcomes(spec), build_fidelity(spec)
    factors = None
    if spec.factors is not None:
        # A fixed parameter adds a constant to its factor, which no model has to know.
        named = [[name for name in factor if name not in space.fixed] for factor in spec.factors]
        factors = tuple(tuple(space.index(name) for name in factor) for factor in named)
    noise = spec.objective.noise
    planned = {"sequential": 1, "synchronous": spec.mode.batch, "asynchronous": trials_at_a_time(spec, space)}
    parallel = planned[spec.mode.kind]
    return Problem(
        domain=space.domain,
        seed=spec.seed,
        factors=factors,
        noise=Noise(noise) if isinstance(noise, str) else known_noise(noise),
        start_points=spec.initial.count,
        trials=spec.budget.trials,
        parallel=max(1, parallel or 1),
        outcome_constraints=0 if outcomes is None else outcomes.count,
        further_objectives=len(spec.further_objectives),
        fidelity=None if fidelity is None else fidelity.levels,
        off=settings_off(space),
        clock=None if spec.clock is None or spec.clock in space.fixed else space.index(spec.clock),
        compared=spec.objective.told == BY_COMPARISON,
        blocks=spec.blocks is not None,
        sums=tuple(linear_sums(space.following).values()),
        related=build_related(spec, space),
        kept=() if outcomes is None else outcomes.kept_limits,
        composite=None if outcomes is None else outcomes.computed,
        in_use=conditions_in_use(space, over_of(spec.objective.over)),
        threshold=spec.objective.threshold,
        derivatives=tuple(space.index(name) for name in spec.derivatives_by if name in space.names),
        beforehand=prior_of_points(space),
        hunch=hunch_of_points(space),
    )


def build_related(spec: Spec, space: Space) -> tuple[RelatedResults, ...]:
    """What related experiments found, in the sense of the objective; none of one that says nothing within
    the bounds that were amended, as a spec with such would have been refused.
    """
    sign, found = SIGNS[spec.objective.goal], list[RelatedResults]()
    for text in spec.initial.related:
        with suppress(SpecError):
            found.append(_related_results(related_table(spec, text, "related experiment"), space, sign))
    return tuple(found)


def _related_results(table: RelatedTable, space: Space, sign: float) -> RelatedResults:
    points = related_points(space, [there for there, _ in table.rows], table.missing)
    return RelatedResults(points, sign * np.array([value for _, value in table.rows]))


def build_algorithm(spec: Spec) -> Algorithm:
    """The algorithm with its options, told the problem and nothing else. Raises SpecError.

    The options may be in American spelling still: a run's spec is read again without its algorithm, which
    alone knows what they are called.
    """
    choice = spec.algorithm
    written = positioned(choice.options, Place(Source("", ()), 1, 1))
    options = plain(validate(registry.options(choice.name), written).tree)
    return registry.build(choice.name, build_problem(spec), options)
