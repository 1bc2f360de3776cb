"""What a person says of trials that have no value: from the request to the event that it causes."""

from __future__ import annotations

from typing import TypeAlias

from orchestrator.runtime.requests.kinds import CarryOut, Compare, Comparing, TakeBack, Verdict
from orchestrator.scheduler.comparison_events import ComparisonTakenBack, ComparisonTold, TrialCarriedOut
from orchestrator.scheduler.comparisons import is_comparable
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState
from orchestrator.scheduler.words.trial_names import one_of
from orchestrator.spec.sections.evaluation import PERSON

Caused: TypeAlias = TrialCarriedOut | ComparisonTold | ComparisonTakenBack
NO_VALUES = "expected no value: in this run trials are compared; say orchestrator prefer {} --over TRIAL"
HAS_VALUES = (
    "expected a run whose objective is `told: by comparison`, got one whose trials have values; say"
    " orchestrator record TRIAL --value X"
)


def decide_comparing(request: Comparing, state: State, now: float, name: str) -> Caused | Verdict:
    """The event that a request, called ``name``, causes now, or why it causes none."""
    if not state.policy.results.compared:
        return Verdict(False, HAS_VALUES)
    if isinstance(request, CarryOut):
        if is_comparable(state, request.trial):
            return Verdict(True, f"trial {request.trial} is carried out already")
        if complaint := _not_at_hand(request.trial, state):
            return Verdict(False, complaint)
        return TrialCarriedOut(at=now, trial=request.trial, by=request.by, request=name)
    if request.trial == request.other:
        return Verdict(False, f"expected two trials, got {request.trial} twice")
    if isinstance(request, TakeBack):
        both = {request.trial, request.other}
        if not any({one.trial, one.other} == both for one in state.compared):
            return Verdict(
                False, f"expected trials that were compared, got {request.trial} and {request.other}"
            )
        return ComparisonTakenBack(
            at=now, trial=request.trial, other=request.other, by=request.by, request=name
        )
    for number in (request.trial, request.other):
        if not is_comparable(state, number) and (complaint := _not_at_hand(number, state)):
            return Verdict(False, complaint)
    return ComparisonTold(
        at=now, trial=request.trial, other=request.other, alike=request.alike, by=request.by, request=name
    )


def _not_at_hand(number: int, state: State) -> str:
    """Why a trial is none that a person is at, if it is not carried out."""
    trial = state.trials.get(number)
    if trial is None:
        return f"expected {one_of(len(state.trials))}, got {number}"
    if trial.forgotten:
        return f"trial {number} is forgotten: {trial.forgotten}"
    if trial.state is TrialState.COMPLETED and not state.inside(trial.parameters):
        return (
            f"expected a trial within the bounds, but trial {number} lies outside the amended ones, and does"
            " not count; orchestrator amend --bounds widens them"
        )
    if trial.settled:
        return f"trial {number} is {trial.state} already"
    if trial.lease is not None and trial.worker != PERSON:
        return f"expected a trial that is carried out, but trial {number} runs on {trial.worker} still"
    if trial.lease is None:
        return f"expected a trial that is carried out, or yours, but trial {number} is {trial.state}"
    return ""


def comparing_words(request: Comparing) -> str:
    """What was done, once it is done."""
    match request:
        case CarryOut(trial):
            return f"trial {trial} is carried out"
        case Compare(trial, other, alike):
            return (
                f"trials {trial} and {other} are alike" if alike else f"trial {trial} is better than {other}"
            )
        case TakeBack(trial, other):
            return f"how trials {trial} and {other} compare is taken back"
