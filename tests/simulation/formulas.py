"""Of some seeds: values are computed from an outcome, or read from what a program printed, and somebody says
otherwise how while the run goes on.

What these seeds draw beyond the others is drawn from a stream of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

from apart_stream import apart
from virtual_child import READ_AS, WAVE, objective, unread

from orchestrator.errors import OrchestratorError
from orchestrator.programs.command_evaluator import COMMAND_EVALUATOR
from orchestrator.runtime.requests.amendments import decide_amendment
from orchestrator.runtime.requests.kinds import Amend, ReadOutput
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec

if TYPE_CHECKING:
    from laboratory import Laboratory

FORMULAS: Mapping[str, Callable[[float, float], float]] = {
    "wave": lambda wave, _: wave,
    "2 * wave - 3 * x": lambda wave, x: 2.0 * wave - 3.0 * x,
    "wave / 1000": lambda wave, _: wave / 1000.0,
    "sqrt(wave - 1)": lambda wave, _: math.sqrt(wave - 1.0) if wave >= 1.0 else math.nan,
}
"""What values are computed by, of the outcome and the first parameter: by the last some trials have none."""
GIVEN = "2 * wave - 3 * x"


def stream(seed: int) -> Random | None:
    """Of a seed in which how values come is amended; None of any other."""
    return apart("reads", seed)


@cache
def _computed() -> Spec:
    text = f"""
experiment: virtual
objective: {{name: value, goal: maximise, value: "{GIVEN}"}}
outcomes: [{WAVE}]
parameters: {{x: {{type: float, bounds: [0, 1]}}}}
budget: {{trials: 5}}
evaluation: {{evaluator: "virtual:objective"}}
"""
    return load_spec_text(text, name="virtual", folder=None).spec


def valued(spec: Spec, chance: Random, by_hand: bool) -> Spec:
    """The same, with values that are computed, or that are read from what a program printed."""
    if chance.random() < 0.5 and not by_hand:
        read = {"evaluator": COMMAND_EVALUATOR, "options": {"output": {"pattern": "first"}}}
        output = {"output": {"pattern": "first"}}
        return spec.model_copy(update={"evaluation": spec.evaluation.model_copy(update=read | output)})
    told = _computed()
    known = [
        known.model_copy(update={"outcomes": _outcomes(known.parameters)}) for known in spec.initial.results
    ]
    known = [one.model_copy(update={"value": value_of(told, GIVEN, one.parameters)}) for one in known]
    return spec.model_copy(
        update={
            "objective": spec.objective.model_copy(update={"value": GIVEN}),
            "outcomes": told.outcomes,
            "initial": spec.initial.model_copy(update={"results": known}),
            # What is at odds with a value that is computed.
            "budget": spec.budget.model_copy(update={"expected_gain": None}),
            "evaluation": spec.evaluation.model_copy(update={"stop_when": None}),
            "blocks": None,
        }
    )


def value_of(spec: Spec, way: str, parameters: Mapping[str, Any]) -> float | None:
    """What a point comes to by a formula, or by a reading; None where that is nothing."""
    wave = objective(parameters)
    if spec.objective.is_computed:
        value = FORMULAS[way](wave, parameters["x"])
        return value if math.isfinite(value) else None
    return READ_AS[way](wave) if way else wave


def given(spec: Spec) -> str:
    """How values come before anybody says otherwise."""
    if spec.objective.is_computed:
        return GIVEN
    return str(spec.evaluation.output["pattern"]) if spec.evaluation.evaluator == COMMAND_EVALUATOR else ""


def known(spec: Spec, one: KnownResult) -> KnownResult:
    """A known result with the outcomes that its value is computed from."""
    return replace(one, outcomes=_outcomes(one.parameters)) if spec.objective.is_computed else one


def _outcomes(parameters: Mapping[str, Any]) -> dict[str, object]:
    return {WAVE: objective(parameters)}


def values_are_amended(lab: Laboratory) -> None:
    """By another formula, or a reading, or by what holds already; now and then beside something else."""
    chance, state = lab.valuing, lab.witness.state
    assert chance is not None
    parts: dict[str, Any] = {"bounds": {"x": (0.1, 0.9)}} if chance.random() < 0.1 else {}
    if chance.random() < 0.2 and state.observed:
        parts |= {"forget": [chance.choice(state.observed).number], "reason": "a spider sat in it"}
    if lab.spec.objective.is_computed:
        if chance.random() < 0.2:
            point = {name: chance.random() for name in lab.spec.parameters}
            parts["results"] = [known(lab.spec, KnownResult(parameters=point, value=7.0))]
        lab.desk.leave(Amend(objective={"value": chance.choice(list(FORMULAS))}, by="Ada", **parts))
    elif lab.at_rest:
        lab.desk.leave(_read_again(lab, chance.choice(list(READ_AS)), parts))
    elif chance.random() < 0.1:
        lab.desk.leave(Amend(output={"pattern": "another"}, observed=-1, by="Ada"))


def _read_again(lab: Laboratory, way: str, parts: dict[str, Any]) -> Amend:
    """As a person's terminal has it, by what the run will be once it has taken up what was left for it."""
    scheduler = deepcopy(lab.witness.scheduler)
    for path, request in sorted(lab.desk.requests.items()):
        if isinstance(request, Amend):
            with suppress(OrchestratorError):
                state = scheduler.state
                for event in decide_amendment(request, lab.spec, state, state.at, path.stem).events:
                    scheduler.handle(event)
    state = scheduler.state
    if foreseen := [one.number for one in state.observed if one.forecast is not None and not one.forgotten]:
        # Refused else, as it was foreseen by values of before.
        parts = {**parts, "forget": [*parts.get("forget", ()), *foreseen], "reason": "of another output"}
    before = (
        given(lab.spec) if state.amended.values.output is None else state.amended.values.output["pattern"]
    )
    trials = [one for one in _read_before(state) if one.number not in parts.get("forget", ())]
    read = [_anew(lab.spec, one, way) for one in trials]
    was = [_anew(lab.spec, one, before) for one in trials]
    other = [one for one, then in zip(read, was, strict=True) if one != then]
    return Amend(
        output={"pattern": way},
        read=other,
        read_before=state.amended.values.output,
        observed=len(state.observed),
        by="Ada",
        **parts,
    )


def _anew(spec: Spec, trial: Trial, way: str) -> ReadOutput:
    value = value_of(spec, way, trial.parameters)
    if value is None:
        return ReadOutput(trial=trial.number, kind="invalid", message=unread(way))
    return ReadOutput(trial=trial.number, value=value)


def _read_before(state: State) -> list[Trial]:
    """The trials whose programs ended well, as a person's terminal finds them."""
    return [
        trial
        for trial in state.trials.values()
        if not trial.forgotten
        if trial.state is TrialState.COMPLETED
        or (trial.state is TrialState.FAILED and trial.message.startswith("invalid: "))
    ]
