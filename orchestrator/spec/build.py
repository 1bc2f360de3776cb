"""From a spec to its parts: the space, the problem that algorithms are told, and the algorithm."""

from __future__ import annotations

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Algorithm, Noise, Problem
from orchestrator.algorithms.observed import known_noise
from orchestrator.constraints import by_subject
from orchestrator.objectives import SIGNS
from orchestrator.parameter_kinds import stepped
from orchestrator.space import (
    ChoiceParameter,
    FloatParameter,
    IntParameter,
    OrderedParameter,
    Parameter,
    Space,
)
from orchestrator.spec import parameters as spec_parameters
from orchestrator.spec.model import Spec
from orchestrator.spec.tree import Place, Source, plain, positioned
from orchestrator.spec.validation import validate
from orchestrator.wanted_outcomes import WantedOutcomes


def build_space(spec: Spec) -> Space:
    """The parameters in the order of the spec, with the fixed ones and the constraints on them beside. Raises
    SpecError.
    """
    varied = [build_parameter(name, told) for name, told in spec.parameters.items() if told.type != "fixed"]
    fixed = {n: p.value for n, p in spec.parameters.items() if isinstance(p, spec_parameters.FixedParameter)}
    constraints = by_subject(spec.constraints, spec.outcomes)[0]
    return Space(tuple(varied), fixed, constraints, spec_parameters.conditions_of(spec.parameters))


def build_wanted_outcomes(spec: Spec) -> WantedOutcomes | None:
    """What is wanted of outcomes, or None for a spec that has none. Raises SpecError."""
    if not spec.outcomes:
        return None
    _, texts = by_subject(spec.constraints, spec.outcomes)
    further = [(one.name, SIGNS[one.goal]) for one in spec.further_objectives]
    return WantedOutcomes.of(build_space(spec), spec.outcomes, texts, further)


def build_parameter(name: str, told: spec_parameters.Parameter) -> Parameter:
    """One that varies. Raises SpecError for what only the unit cube's arithmetic refuses, such as bounds that
    are too close together for double precision.
    """
    unit = told.unit or ""
    if isinstance(told, spec_parameters.ChoiceParameter):
        return ChoiceParameter(name, tuple(told.values), unit)
    if isinstance(told, spec_parameters.OrderedParameter):
        return OrderedParameter(name, tuple(told.values), told.scale, unit)
    if isinstance(told, spec_parameters.IntParameter):
        whole = IntParameter(name, *told.bounds, told.scale, unit)
        return whole if told.step is None else stepped(whole, told.step)
    assert isinstance(told, spec_parameters.FloatParameter)
    real = FloatParameter(name, *told.bounds, told.scale, unit)
    return real if told.step is None else stepped(real, told.step)


def build_problem(spec: Spec) -> Problem:
    """What an algorithm is told: factors as numbers of the parameters that vary, noise, and hints."""
    space = build_space(spec)
    outcomes = build_wanted_outcomes(spec)
    factors = None
    if spec.factors is not None:
        # A fixed parameter adds a constant to its factor, which no model has to know.
        named = [[name for name in factor if name not in space.fixed] for factor in spec.factors]
        factors = tuple(tuple(space.index(name) for name in factor) for factor in named)
    noise = spec.objective.noise
    workers = spec.workers.local + spec.workers.remote
    parallel = {"sequential": 1, "synchronous": spec.mode.batch, "asynchronous": workers}[spec.mode.kind]
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
    )


def build_algorithm(spec: Spec) -> Algorithm:
    """The algorithm with its options, told the problem and nothing else. Raises SpecError.

    The options may be in American spelling still: a run's spec is read again without its algorithm, which
    alone knows what they are called.
    """
    choice = spec.algorithm
    written = positioned(choice.options, Place(Source("", ()), 1, 1))
    options = plain(validate(registry.options(choice.name), written).tree)
    return registry.build(choice.name, build_problem(spec), options)
