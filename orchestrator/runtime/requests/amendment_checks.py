"""What cannot be amended, and why: each check raises, with what was expected, what came and what to do.

What is numpy is imported where it is needed: whoever resumes a run must not wait for it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from orchestrator.errors import SpecError, UsageError
from orchestrator.runtime.requests.kinds import Amend, Budgets
from orchestrator.runtime.results.usable_values import why_unusable
from orchestrator.scheduler.amendment_events import ObservationsForgotten
from orchestrator.scheduler.corrections import corrections
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.rules.budgets import by_name
from orchestrator.scheduler.standing import ROUNDING
from orchestrator.scheduler.state import State
from orchestrator.scheduler.words.trial_names import one_of
from orchestrator.spec.checks.at_odds import BUDGETS_BY_VALUE, sentence_of
from orchestrator.spec.checks.beside import refuse_beside
from orchestrator.spec.checks.clock import is_the_clock
from orchestrator.spec.checks.held import fidelity_cannot_be_held
from orchestrator.spec.model import Spec
from orchestrator.spec.points.clock import at_the_beginning
from orchestrator.spec.points.held import NOT_ALL, cannot_be_held, holds_all
from orchestrator.spec.points.told_values import expected_words, value_of
from orchestrator.spec.sections.parameters import FloatParameter, IntParameter
from orchestrator.spelling import those_that_are
from orchestrator.values.block_name import BY_DAY, BY_WORKER
from orchestrator.values.finite import written
from orchestrator.values.same import alike
from orchestrator.values.travel import too_far_words

MISTYPED = "mistyped"
"""Why what a person recorded is not to be believed, where nothing else is said."""
UNREASONED = "expected why what came of it is not to be believed: --reason TEXT"


def check_budgets(request: Budgets, spec: Spec, state: State, now: float) -> None:
    """Raises `UsageError` for a budget that is spent or makes no sense, or where none would be left."""
    if request.trials is not None and request.trials < 1:
        raise UsageError(f"expected a budget of at least 1 trial, got {request.trials}")
    if request.trials is not None and request.trials < state.budgeted:
        raise UsageError(
            f"expected a budget of at least the {state.budgeted} trials that it pays for, got "
            f"{request.trials}; to have no more, say --trials {state.budgeted}"
        )
    if request.cost is not None:
        check_cost(request.cost, spec, state)
    if request.patience is not None and request.patience < 1:
        raise UsageError(f"expected a patience of at least 1 trial, got {request.patience}")
    if request.time_s is not None and not now < request.time_s < math.inf:
        raise UsageError(
            f"expected more time than the {now:.0f} s that the run has taken, got {request.time_s:g} s"
        )
    if request.target is not None and not math.isfinite(request.target):
        raise UsageError(f"expected a finite target, got {request.target}")
    refuse_beside(spec, [name for name in BUDGETS_BY_VALUE if getattr(request, name) is not None])
    if request.expected_gain is not None:
        check_expected_gain(request.expected_gain, spec)
    before, given = by_name(state.policy.budget), by_name(request)
    if all(name in request.lifted or (before[name] is None and given[name] is None) for name in before):
        raise UsageError(
            "expected at least one of trials, cost, time, target, patience and expected gain to stay, got"
            " none"
        )


def check_cost(cost: float, spec: Spec, state: State) -> None:
    """Raises `UsageError` for what is spent already, or where every trial costs the same."""
    if spec.fidelity is None:
        raise UsageError(
            "expected --cost of a run whose spec has a `fidelity`, which says what a trial costs, got one"
            " without; say --trials N"
        )
    if not 0 < cost < math.inf:
        raise UsageError(f"expected a budget of evaluations at full fidelity above 0, got {cost:g}")
    if cost < state.tally.spent - ROUNDING:
        # Rounded up, so that what is to be typed is taken.
        least = math.ceil(state.tally.spent * 1e3) / 1e3
        raise UsageError(
            f"expected a budget of at least the {state.tally.spent:.4g} evaluations at full fidelity that the"
            f" trials cost, got {cost:g}; to have no more, say --cost {written(least)}"
        )


def check_expected_gain(threshold: float, spec: Spec) -> None:
    """Raises `UsageError` for a threshold, or an algorithm, that nothing can be expected of."""
    from orchestrator.algorithms import registry

    if not 0 < threshold < math.inf:
        raise UsageError(f"expected an expected gain above 0, got {threshold}")
    if not registry.FORESEES_GAIN.of(spec.algorithm.name):
        raise UsageError(registry.FORESEES_GAIN.lacking(spec.algorithm.name))


def check_held(request: Amend, spec: Spec, state: State) -> None:
    """Raises `UsageError` for a parameter, or a run, that cannot be held, nor let go as never held."""
    from orchestrator.spec.numerical_checks.held import HOLDS

    if request.held:
        refuse_beside(spec, ["held"])
    before = state.policy.where.held
    for name in (*request.free, *request.held):
        if name == spec.clock:
            raise UsageError(is_the_clock(name))
    for name in request.free:
        if name not in before and cannot_be_held(name, spec.parameters):
            now = those_that_are(before)
            raise UsageError(f"expected a parameter that is held ({now}) to let go, got `{name}`")
        if name in request.held:
            raise UsageError(f"expected `{name}` to be held or let go, got both")
    if not request.held:
        return
    if not HOLDS.of(spec.algorithm.name):
        raise UsageError(HOLDS.lacking(spec.algorithm.name))
    if state.policy.budget.expected_gain is not None and "expected_gain" not in request.budgets.lifted:
        sentence = sentence_of("held", "expected_gain")
        raise UsageError(f"{sentence}; lift it as well: --expected-gain none")
    for name, value in request.held.items():
        if sentence := cannot_be_held(name, spec.parameters):
            raise UsageError(sentence)
        if spec.fidelity is not None and name == spec.fidelity.parameter:
            raise UsageError(fidelity_cannot_be_held(name))
        if not alike(value_of(spec.parameters[name], value, str(value)), value):
            raise UsageError(expected_words(name, spec.parameters[name], value))
    after = {**request.held_after(before), **at_the_beginning(spec.clock)}
    if holds_all(after, spec.parameters):
        raise UsageError(NOT_ALL)


def check_space(spec: Spec) -> None:
    """Raises `SpecError` for bounds that make no space, or hold no point that satisfies the constraints, or
    none where parameters are held, or where all of a round would be alike.
    """
    from orchestrator.spec.build import (
        require_feasible_points,
        require_points_where_held,
        require_rounds_that_differ,
    )

    require_feasible_points(spec)
    require_points_where_held(spec)
    require_rounds_that_differ(spec)


def check_reach(spec: Spec, state: State) -> None:
    """Raises `UsageError` where a machine would have to travel too far to get within the bounds, or to where
    a parameter is to be held, and `SpecError` where constraints leave nothing that is near enough; ``spec``
    is as it will be.
    """
    from orchestrator.spec.build import require_points_in_reach

    travel, stands = state.policy.where.travel, state.stands
    for name in (name for name in travel if name in stands):
        parameter = spec.parameters[name]
        assert isinstance(parameter, FloatParameter | IntParameter)
        low, high = parameter.bounds
        near = {name: spec.held.get(name, min(max(stands[name], low), high))}
        if words := too_far_words(travel, stands, near):
            raise UsageError(
                f"expected bounds, and what is held, within reach of where the machine stands: {words}"
            )
    if travel and stands:
        require_points_in_reach(spec, stands)


def check_results(results: Sequence[KnownResult], spec: Spec) -> None:
    """Raises `UsageError` where results are of no use, and `SpecError` for one that is none, or lies outside
    the space.
    """
    from orchestrator.spec.build import build_space

    refuse_beside(spec, ["results"])
    space = build_space(spec)
    factors = None if spec.factors is None else len(spec.factors)
    for number, known in enumerate(results, start=1):
        # What failed has none, and as good as any.
        value = 0.0 if known.value is None else known.value
        if complaint := why_unusable(value, known.variance, known.factors, factors):
            raise SpecError(f"known result {number}: {complaint}")
        space.encode(space.nearest(known.parameters))


def forgotten_before(trials: Sequence[int], state: State) -> dict[int, str]:
    """Those of which nothing follows already, each with a sentence that says so; not what was corrected."""
    observed, anew = {trial.number: trial for trial in state.observed}, corrections(state)
    there = [(number, observed[number]) for number in trials if number in observed and number not in anew]
    return {
        number: f"trial {number} is forgotten already: {trial.forgotten}"
        for number, trial in there
        if trial.forgotten
    }


def check_block(spec: Spec) -> None:
    """Raises UsageError where a person says of no trial which block it is of."""
    if spec.blocks is None:
        raise UsageError("expected no --block, as the spec has no `blocks`, got one")
    if spec.blocks == BY_WORKER:
        raise UsageError("expected no --block, as blocks are who evaluated, got one")
    if spec.blocks == BY_DAY:
        raise UsageError("expected no --block, as a block is the day on which its evaluation began, got one")
    if spec.blocks in spec.workers.each:
        raise UsageError(f"expected no --block, as each worker has its own {spec.blocks}, got one")


def check_forgotten(
    event: ObservationsForgotten, state: State, told_anew: Sequence[Mapping[str, object]]
) -> None:
    """Raises `UsageError` where there is no reason, or nothing to forget. ``told_anew`` are the points of the
    known results of the same amendment: what is forgotten already may be corrected still.
    """
    if not event.reason:
        raise UsageError(UNREASONED)
    observed, anew = {trial.number: trial for trial in state.observed}, corrections(state)
    for number in event.trials:
        trial = observed.get(number)
        if trial is None and number in state.trials:
            raise UsageError(
                "expected a trial that has a value, has failed or was stopped, got trial"
                f" {number}, which is {state.trials[number].state}"
            )
        if trial is None:
            known = f", or a known result from {1 - state.tally.known} to 0" if state.tally.known else ""
            raise UsageError(f"expected {one_of(len(state.trials))}{known}, got {number}")
        is_told_anew = number > 0 and number not in anew and trial.parameters in told_anew
        if trial.forgotten and not is_told_anew:
            now = f"; what it was corrected to: --forget {anew[number].number}" if number in anew else ""
            raise UsageError(f"trial {number} is forgotten already: {trial.forgotten}{now}")
