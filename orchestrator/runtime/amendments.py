"""What a person amends of a run that has begun, from the request to the events that it causes.

The spec stays as it was given: what is amended follows from the journal, and `amended` shows it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import msgspec

from orchestrator.errors import OrchestratorError, SpecError, UsageError
from orchestrator.runtime.usable_values import why_unusable
from orchestrator.scheduler.events import (
    Amendment,
    BoundsAmended,
    BudgetAmended,
    BudgetName,
    KnownResult,
    ObservationsForgotten,
    ResultsAdded,
    RunContinued,
    RunPaused,
)
from orchestrator.scheduler.state import State
from orchestrator.scheduler.story import bounds_words, budget_words
from orchestrator.spec.amended import with_bounds, with_budget
from orchestrator.spec.model import Spec


class Budgets(msgspec.Struct, frozen=True):
    """Budgets to be replaced, and those to be lifted; the others stay."""

    trials: int | None = None
    time_s: float | None = None
    target: float | None = None
    patience: int | None = None
    expected_gain: float | None = None
    lifted: tuple[BudgetName, ...] = ()


class Amend(msgspec.Struct, frozen=True, tag="amend"):
    """Change a run that has begun. ``paused`` is None where that is to stay as it is."""

    bounds: dict[str, tuple[float, float]] = {}
    budgets: Budgets = Budgets()
    results: list[KnownResult] = []
    forget: list[int] = []
    reason: str = ""
    paused: bool | None = None
    by: str = ""


def amended(spec: Spec, state: State) -> Spec:
    """The spec as the events so far have amended it."""
    return with_bounds(with_budget(spec, state.policy), state.bounds)


@dataclass(frozen=True, slots=True)
class Amended:
    """The events that a request causes, and what is said once they are on disk. None: done before."""

    events: list[Amendment]
    sentence: str


def decide_amendment(request: Amend, spec: Spec, state: State, now: float, name: str) -> Amended:
    """What follows from a request called ``name``; a part of it that was taken already is left out.

    ``spec`` is the one that was given. Raises `UsageError` or `SpecError` for what makes no sense.
    """
    parts = list(_parts(request, spec, state, now, name))
    events = [event for event, _ in parts if (name, type(event).__name__) not in state.requests]
    if not parts:
        raise UsageError(
            "expected something to amend: --bounds, --trials, --time, --target, --patience, "
            "--expected-gain, --known, --result, --forget, --pause or --continue"
        )
    return Amended(events, "; ".join(sentence for _, sentence in parts))


def rehearse(request: Amend, spec: Spec) -> None:
    """Import what it takes to judge a request, which may be seconds: to be called beside the loop, before."""
    if request.budgets.expected_gain is not None:
        with suppress(OrchestratorError):
            _check_expected_gain(request.budgets.expected_gain, spec)
    if request.bounds or request.results:
        with suppress(OrchestratorError):
            _check_space(spec)


def _parts(
    request: Amend, spec: Spec, state: State, now: float, name: str
) -> Iterator[tuple[Amendment, str]]:
    by = request.by
    new = amended(spec, state)

    def untaken(kind: type[Amendment]) -> bool:
        # What is on disk holds, whatever would be said of it by now.
        return (name, kind.__name__) not in state.requests

    if request.bounds:
        if untaken(BoundsAmended):
            new = with_bounds(new, request.bounds)
            _check_space(new)
        bounds = BoundsAmended(at=now, bounds=request.bounds, by=by, request=name)
        yield bounds, _bounds_sentence(bounds, state)
    if request.budgets != Budgets():
        if untaken(BudgetAmended):
            _check_budgets(request.budgets, spec, state, now)
        budget = BudgetAmended(at=now, **msgspec.structs.asdict(request.budgets), by=by, request=name)
        yield budget, f"the budget is amended: {budget_words(budget)}"
    if request.results:
        if untaken(ResultsAdded):
            _check_results(request.results, new)
        added = ResultsAdded(at=now, results=tuple(request.results), by=by, request=name)
        noun = "known result is" if len(added.results) == 1 else "known results are"
        yield added, f"{len(added.results)} {noun} added"
    if request.forget:
        forgotten = ObservationsForgotten(
            at=now,
            trials=tuple(dict.fromkeys(request.forget)),
            reason=request.reason.strip(),
            by=by,
            request=name,
        )
        if untaken(ObservationsForgotten):
            _check_forgotten(forgotten, state)
        numbers = ", ".join(map(str, forgotten.trials))
        yield forgotten, f"the value of trial {numbers} is forgotten, and the model learns anew without it"
    if request.paused is True:
        yield RunPaused(at=now, reason=request.reason, by=by, request=name), "the run is paused"
    if request.paused is False:
        if not state.paused and untaken(RunContinued):
            raise UsageError("expected a run that is paused, got one that is not")
        yield RunContinued(at=now, by=by, request=name), "the run goes on"


def _bounds_sentence(event: BoundsAmended, state: State) -> str:
    after = {**state.bounds, **event.bounds}

    def outside(parameters: object) -> bool:
        assert isinstance(parameters, dict)
        return any(not low <= parameters[name] <= high for name, (low, high) in after.items())

    left_out = sum(trial.value is not None and outside(trial.parameters) for trial in state.observed)
    queued = sum(outside(state.trials[number].parameters) for number in state.queue)
    running = sum(trial.lease is not None and outside(trial.parameters) for trial in state.unsettled.values())
    said = [f"the bounds are amended: {bounds_words(event.bounds)}"]
    if left_out:
        said.append(f"values outside, which stay in the journal and are left out of the model: {left_out}")
    if queued:
        said.append(f"queued trials outside, which are abandoned: {queued}")
    if running:
        said.append(f"running trials outside, which may finish: {running}")
    return "; ".join(said)


def _check_budgets(request: Budgets, spec: Spec, state: State, now: float) -> None:
    rules = state.policy
    if request.trials is not None and request.trials < max(1, state.budgeted):
        raise UsageError(
            f"expected a budget of at least the {state.budgeted} trials that were made, got "
            f"{request.trials}; to have no more, say --trials {max(1, state.budgeted)}"
        )
    if request.patience is not None and request.patience < 1:
        raise UsageError(f"expected a patience of at least 1 trial, got {request.patience}")
    if request.time_s is not None and not now < request.time_s < math.inf:
        raise UsageError(
            f"expected more time than the {now:.0f} s that the run has taken, got {request.time_s:g} s"
        )
    if request.target is not None and not math.isfinite(request.target):
        raise UsageError(f"expected a finite target, got {request.target}")
    if request.expected_gain is not None:
        _check_expected_gain(request.expected_gain, spec)
    before = {
        "trials": rules.trials,
        "time": rules.time_s,
        "target": rules.target,
        "patience": rules.patience,
        "expected_gain": rules.expected_gain,
    }
    given = {
        "trials": request.trials,
        "time": request.time_s,
        "target": request.target,
        "patience": request.patience,
        "expected_gain": request.expected_gain,
    }
    after = {key: before[key] if given[key] is None else given[key] for key in before}
    if all(value is None or key in request.lifted for key, value in after.items()):
        raise UsageError(
            "expected at least one of trials, time, target, patience and expected gain to stay, got none"
        )


def _check_expected_gain(threshold: float, spec: Spec) -> None:
    from orchestrator.algorithms import registry
    from orchestrator.spec.build import cannot_foresee

    if not 0 < threshold < math.inf:
        raise UsageError(f"expected an expected gain above 0, got {threshold}")
    if not registry.foresees_gain(registry.load(spec.algorithm.name)):
        raise UsageError(cannot_foresee(spec.algorithm.name))


def _check_space(spec: Spec) -> None:
    # Imported here because this is numpy, and whoever resumes a run must not wait for that.
    from orchestrator.spec.build import build_space

    build_space(spec)


def _check_results(results: list[KnownResult], spec: Spec) -> None:
    from orchestrator.spec.build import build_space

    space = build_space(spec)
    factors = None if spec.factors is None else len(spec.factors)
    for number, known in enumerate(results, start=1):
        if complaint := why_unusable(known.value, known.variance, known.factors, factors):
            raise SpecError(f"known result {number}: {complaint}")
        space.encode(known.parameters)


def _check_forgotten(event: ObservationsForgotten, state: State) -> None:
    if not event.reason:
        raise UsageError("expected why the value is not to be believed: --reason TEXT")
    observed = {trial.number: trial for trial in state.observed}
    for number in event.trials:
        trial = observed.get(number) or state.trials.get(number)
        if trial is None:
            known = f", or a known result from {1 - state.known} to 0" if state.known else ""
            raise UsageError(f"expected a trial from 1 to {len(state.trials)}{known}, got {number}")
        if trial.value is None:
            raise UsageError(f"expected a trial with a value, got trial {number}, which is {trial.state}")
        if trial.forgotten:
            raise UsageError(f"trial {number} is forgotten already: {trial.forgotten}")
