"""One point, evaluated here and now as a worker would, apart from any run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np

from evaluators.errors import EvaluatorNotLoaded
from evaluators.trial_folders import TrialFolders
from evaluators.worker_process.one_evaluation import OneEvaluation
from evaluators.worker_process.slot_parts import Workload
from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.parameters.held import held_within
from orchestrator.programs.command_evaluator import COMMAND_EVALUATOR
from orchestrator.runtime.evaluations.seed import evaluation_seed
from orchestrator.runtime.results.usable_values import why_unusable
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler.events import FailureArrived, ResultArrived
from orchestrator.spec.begun.asked_points import typed_point
from orchestrator.spec.build import build_space
from orchestrator.spec.model import Spec
from orchestrator.spec.partial_points import as_always, parts_of, wholes_of
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.spec.sections.workers import local_name
from orchestrator.spec.slots_needed import slots_needed
from orchestrator.values.named import Values
from orchestrator.values.travel import too_far_words
from orchestrator.wire.messages import Evaluate, Failure, FailureKind, Progress, Result
from orchestrator.wire.partial_quantities import quantities_of

Came: TypeAlias = ResultArrived | FailureArrived
TRIAL = 1


@dataclass(frozen=True, slots=True)
class TriedPoint:
    """What ``came`` of a point, how often it said how it stood, and how at ``last``; ``quantities`` are the
    names of all that it said then. ``folder``: where its files lie.
    """

    came: Came
    reports: int
    last: Progress | None
    quantities: frozenset[str]
    folder: Path


def point_to_try(spec: Spec, settings: Sequence[str]) -> dict[str, object]:
    """The point of settings ``x=0.3``: what is left out is as in the first of the spec's own points, those
    that say all before the others, or else in the middle, as what is held and at full fidelity. Raises
    SpecError for what is wrong, and UsageError for what a machine may not travel to at once from the first of
    the points, where it stands.
    """
    space, always = build_space(spec), as_always(spec)
    part = held_within(space, always) or space.domain
    middle = part.snap(np.full(part.dimension, 0.5))
    beside = {p.name: p.decode(float(x)) for p, x in zip(space.parameters, middle, strict=True)}
    first = next(iter((*wholes_of(spec), *parts_of(spec))), {})
    point = space.counted(typed_point(spec, settings, {**beside, **always, **first}))
    if words := too_far_words(space.travel, first, point):
        raise UsageError(
            "expected a point within reach of where the machine stands, the first of the spec's, got one"
            f" where {words}"
        )
    return point


def try_point(spec: Spec, parameters: Values, folder: Path, say: Callable[[str], None]) -> TriedPoint:
    """Evaluate it once, with all files in ``folder``, and judge what came as a run would.

    Raises UsageError where nothing here can evaluate it, OrchestratorError where the evaluator cannot be
    loaded, KeyboardInterrupt where nobody wants more of it.
    """
    evaluation = spec.evaluation
    if evaluation.evaluator == PERSON:
        raise UsageError("expected a spec that a program or a function evaluates, got `evaluator: person`")
    if evaluation.evaluator == COMMAND_EVALUATOR and evaluation.command is None:
        raise UsageError(
            "expected a spec with its `command`, got one whose workers bring it along: try a copy of it that"
            " has the command, where that can be run"
        )
    options = dict(evaluation.options)
    if evaluation.evaluator == COMMAND_EVALUATOR:
        # What is tried is there to be looked at.
        options.pop("discard", None)
    said: list[Progress] = []
    slots = _slots_of(spec, parameters)
    own = {name: ",".join(dict.fromkeys(values[:slots])) for name, values in spec.workers.each.items()}
    trials = TrialFolders(folder, one_run=True)
    workload = Workload(
        evaluation.evaluator,
        options,
        trials,
        spec.objective.own_name,
        compared=not spec.objective.is_returned,
    )
    task = Evaluate(
        run=spec.experiment,
        lease=f"{TRIAL}.1",
        trial=TRIAL,
        attempt=1,
        parameters=build_space(spec).given(parameters),
        seed=evaluation_seed(spec.seed, TRIAL),
        timeout_s=evaluation.timeout_s,
        slots=slots,
    )
    try:
        outcome = OneEvaluation(workload, own, said.append, say).of(task)
    except EvaluatorNotLoaded as error:
        raise OrchestratorError(str(error)) from None
    quantities = frozenset(name for report in said for name in quantities_of(report))
    came = _judged(spec, outcome, parameters)
    return TriedPoint(came, len(said), said[-1] if said else None, quantities, trials.of("", TRIAL))


def _slots_of(spec: Spec, parameters: Values) -> int:
    """How many the worker of this machine would give it. Raises UsageError where none ever has so many."""
    needed = slots_needed(spec, lambda: build_space(spec))
    if needed is None:
        return 1
    slots = needed.of(parameters)
    if why := needed.why_not(slots):
        raise UsageError(f"expected a point that a worker can have, but {why}")
    return slots


def _judged(spec: Spec, outcome: Result | Failure, parameters: Values) -> Came:
    wanted, seconds = WantedResults.of(spec), outcome.elapsed_s
    if isinstance(outcome, Failure):
        return _failure(outcome, outcome.kind, outcome.message)
    if outcome.value is not None and (
        complaint := why_unusable(outcome.value, outcome.variance, outcome.factors, wanted.factors)
    ):
        return _failure(outcome, "invalid", complaint)
    result = ResultArrived(
        at=seconds,
        worker=local_name(1),
        lease=outcome.lease,
        value=outcome.value,
        variance=outcome.variance,
        extras=outcome.extras,
        elapsed=seconds,
    )
    return wanted.judged(result, parameters)


def _failure(outcome: Result | Failure, kind: FailureKind, message: str) -> FailureArrived:
    seconds, worker = outcome.elapsed_s, local_name(1)
    return FailureArrived(
        at=seconds, worker=worker, lease=outcome.lease, kind=kind, message=message, elapsed=seconds
    )
