"""A spec whose values come of results as a person says now: by another formula, by targets or patterns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from orchestrator.errors import UsageError
from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.of_outcomes import formula_of_outcomes
from orchestrator.programs.command_evaluator import COMMAND_EVALUATOR
from orchestrator.scheduler.rules.amended_values import AmendedValues
from orchestrator.spec.checks.computed_objective import IS_LEAST
from orchestrator.spec.checks.constraints import nameable
from orchestrator.spec.document.sentences import sentence
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.fit_target import FitTarget
from orchestrator.spec.sections.objective import Objective
from orchestrator.spec.sections.parameters import conditions_of
from orchestrator.spelling import did_you_mean, listed

RETURNED = (
    "expected a run whose objective is computed from outcomes, by a `value` or a `fit`, got one whose"
    " evaluations return it: another objective is for a run of its own, which knows what this one found by"
    " `orchestrator export --format csv --output found.csv`, and `initial: {results: found.csv}`"
)
NO_PROGRAM = "expected a run whose evaluations are a `command`, of which output is read, got another one"


def with_values(spec: Spec, values: AmendedValues) -> Spec:
    """The spec with its objective computed, and the output of its program read, as was amended."""
    if values.objective:
        fit = values.objective.get("fit")
        targets = fit and _targets(fit)
        rows = values.objective.get("covariance")
        covariance = rows and tuple(map(tuple, rows))
        told = {"value": values.objective.get("value"), "fit": targets, "covariance": covariance}
        spec = spec.model_copy(update={"objective": spec.objective.model_copy(update=told)})
    if values.output is not None:
        options = {**spec.evaluation.options, "output": values.output}
        read = spec.evaluation.model_copy(update={"output": values.output, "options": options})
        spec = spec.model_copy(update={"evaluation": read})
    return spec


def computed_by(objective: Objective) -> dict[str, Any]:
    """What an objective is computed by, as JSON has it; empty where evaluations return it."""
    if objective.fit is not None:
        targets = {
            name: one.model_dump(mode="json", exclude_unset=True) for name, one in objective.fit.items()
        }
        rows = objective.covariance
        return {"fit": targets, **({} if rows is None else {"covariance": [list(row) for row in rows]})}
    return {} if objective.value is None else {"value": objective.value}


def check_values(spec: Spec, objective: Mapping[str, Any], output: Any) -> None:
    """Raises UsageError for a formula, or targets, that the objective of a begun ``spec`` cannot be computed
    by, and for an ``output`` where no program is run.
    """
    if output is not None and spec.evaluation.evaluator != COMMAND_EVALUATOR:
        raise UsageError(NO_PROGRAM)
    if not objective:
        return
    if not spec.objective.is_computed:
        raise UsageError(RETURNED)
    if len({"value", "fit"} & objective.keys()) != 1:
        raise UsageError(f"expected an objective with a `value` or a `fit`, got {listed(objective)}")
    for name in _targets(objective["fit"]) if "fit" in objective else ():
        if name not in spec.outcomes:
            near = did_you_mean(name, spec.outcomes)
            raise UsageError(
                f"expected targets of outcomes that evaluations return ({listed(spec.outcomes)}), got"
                f" `{name}`{near}"
            )
    if "covariance" in objective:
        _check_covariance(objective["covariance"], objective.get("fit", {}))
    if "fit" in objective and spec.objective.goal != "minimise":
        raise UsageError(IS_LEAST)
    if "value" in objective:
        names = replace(nameable(spec.parameters), outcomes=tuple(spec.outcomes))
        try:
            formula_of_outcomes(objective["value"], names, conditions_of(spec.parameters))
        except ArithmeticMistake as mistake:
            raise UsageError(f"--objective '{objective['value']}': {mistake}") from None


def _targets(fit: Any) -> dict[str, FitTarget]:
    """What outcomes are to be, as JSON has it. Raises UsageError: a request is a file that anybody may write
    who may decide over the run.
    """
    if not (isinstance(fit, Mapping) and fit):
        raise UsageError(f"expected the outcomes that are fitted, each with its `value`, got {fit!r}")
    targets = {}
    for name, told in fit.items():
        try:
            targets[name] = FitTarget.model_validate(told)
        except ValidationError as error:
            raise UsageError(f"target of `{name}`: {sentence(FitTarget, error.errors()[0])}") from None
    return targets


def _check_covariance(rows: Any, fit: Mapping[str, Any]) -> None:
    # Imported here because it is numpy, and most runs have no covariance.
    from orchestrator.error_covariance import CovarianceMistake, covariance_beside

    if not (isinstance(rows, list) and all(isinstance(row, list) for row in rows)):
        raise UsageError(f"covariance: expected a list of rows, each a list of numbers, got {rows!r}")
    targets = {name: one.target for name, one in _targets(fit).items()}
    try:
        covariance_beside(rows, targets)
    except CovarianceMistake as mistake:
        raise UsageError(f"covariance: {mistake}") from None
