"""`orchestrator amend --objective` and `--spec`: how values come of results from now on, as it was typed."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import msgspec

from orchestrator.command_line.files import say_remarks
from orchestrator.errors import UsageError
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.runtime.requests.kinds import Amend
from orchestrator.scheduler.state import State
from orchestrator.spec.begun.amended_values import check_values, computed_by
from orchestrator.spec.load import load_spec
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.parameters import priors_among
from orchestrator.spelling import listed

ELSEWHERE = (
    ": they stay as the run began with them, unless amend has an option for it; all else is for a run of its"
    " own, which knows what this one found"
)


def with_values_told(
    request: Amend, parsed: argparse.Namespace, spec: Spec, state: State, folder: Path
) -> Amend:
    """A request with what a person says of how values come of results, in the run of a ``spec`` in a
    ``folder``. Raises `UsageError` or `SpecError` for what cannot be.
    """
    if parsed.objective is None and parsed.spec is None:
        return request
    if parsed.objective is not None and parsed.spec is not None:
        raise UsageError("expected --objective or --spec, got both: the spec says what its objective is")
    if parsed.objective is not None:
        return msgspec.structs.replace(request, objective={"value": parsed.objective.strip()})
    then, now = _another(parsed.spec, spec), amended(spec, state)
    # As it is by now, so that what was amended before is not said again.
    objective = computed_by(then.objective) if then.objective != now.objective else {}
    output = then.evaluation.output if then.evaluation.output != now.evaluation.output else None
    if not objective and output is None:
        raise UsageError(
            f"expected {parsed.spec} to say otherwise how values come of results, by the objective's `value`"
            " or `fit`, or by `output`, got what holds already"
        )
    check_values(now, objective, output)
    told = msgspec.structs.replace(request, objective=objective, output=output)
    if output is None:
        return told
    from orchestrator.command_line.outputs_anew import outputs_anew

    read = outputs_anew(now, state, output, folder / "trials", request.forget)
    return msgspec.structs.replace(
        told, read=read, read_before=state.amended.values.output, observed=len(state.observed)
    )


def _another(path: Path, given: Spec) -> Spec:
    """The spec of a file, once it differs from the one ``given`` in how values come of results alone."""
    loaded = load_spec(path)
    say_remarks(loaded.remarks)
    if others := list(_differences(given, loaded.spec)):
        expected = "the objective's `value` or `fit`, and `output`"
        raise UsageError(
            f"expected {path} to differ from the run's spec in {expected} alone, got another"
            f" {listed(others, 'and')}{ELSEWHERE}{_of_priors(given, loaded.spec)}"
        )
    return loaded.spec


def _of_priors(given: Spec, then: Spec) -> str:
    """Where to say what is known beforehand, of which nothing in a run is computed."""
    if priors_among(given.parameters) == priors_among(then.parameters):
        return ""
    command = "spread" if then.objective.fit is None else "posterior"
    return f"; another `prior` is asked with, as orchestrator {command} --prior h0=67.4+-0.5"


def _differences(given: Spec, then: Spec) -> Iterator[str]:
    """What else differs, by its key."""
    for name in Spec.model_fields:
        before, now = getattr(given, name), getattr(then, name)
        if name == "objective":
            as_before = {"value": before.value, "fit": before.fit, "covariance": before.covariance}
            now = now.model_copy(update=as_before)
        elif name == "evaluation":
            options = {**now.options, **({"output": before.output} if "output" in before.options else {})}
            now = now.model_copy(update={"output": before.output, "options": options})
        elif name == "outcomes" and set(now) <= set(before):
            # Those that a fit leaves out are returned all the same.
            continue
        if now != before:
            yield name
