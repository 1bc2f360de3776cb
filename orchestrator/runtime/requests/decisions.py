"""What a person decides over one trial of a run, from the request to the event that it causes."""

from __future__ import annotations

from collections.abc import Mapping

from orchestrator.runtime.requests.amendment_checks import MISTYPED, UNREASONED
from orchestrator.runtime.requests.comparisons import NO_VALUES, comparing_words, decide_comparing
from orchestrator.runtime.requests.computed_records import valued
from orchestrator.runtime.requests.kinds import (
    Approve,
    CarryOut,
    Compare,
    Comparing,
    Decision,
    Record,
    RecordFailure,
    Refuse,
    TakeBack,
    Verdict,
)
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler import events
from orchestrator.scheduler.blocks import block_of
from orchestrator.scheduler.comparison_events import ComparisonTakenBack, ComparisonTold, TrialCarriedOut
from orchestrator.scheduler.corrections import corrected, corrections
from orchestrator.scheduler.events import FailureArrived, ResultArrived, TrialApproved, TrialRefused
from orchestrator.scheduler.rules.places import away, place_words
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState
from orchestrator.scheduler.trial import Trial
from orchestrator.scheduler.words.trial_names import one_of
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.system.shell_lines import shell_line
from orchestrator.values.derivatives import DERIVATIVES
from orchestrator.wire.nesting import DEPTH_LIMIT, is_too_deep

_CAUSED = {
    Approve: TrialApproved,
    Refuse: TrialRefused,
    Record: ResultArrived,
    RecordFailure: FailureArrived,
    CarryOut: TrialCarriedOut,
    Compare: ComparisonTold,
    TakeBack: ComparisonTakenBack,
}


def decide(
    request: Decision, state: State, now: float, name: str, wanted: WantedResults
) -> events.Decision | Verdict:
    """The event that a request about one trial, called ``name``, causes now, or why it causes none.

    ``wanted`` is what a result has to bring.
    """
    if (name, _CAUSED[type(request)].__name__) in state.requests:
        # It is on disk; whoever was to answer died before that.
        return Verdict(True, sentence_for(request, state))
    if isinstance(request, Comparing):
        return decide_comparing(request, state, now, name)
    if isinstance(request, Record) and state.policy.results.compared:
        return Verdict(False, NO_VALUES.format(request.trial))
    trial = state.trials.get(request.trial)
    if trial is None:
        return Verdict(False, f"expected {one_of(len(state.trials))}, got {request.trial}")
    if isinstance(request, Record):
        request = valued(request, trial.parameters, wanted)
    if trial.settled:
        believed = corrected(trial, corrections(state).get(trial.number))
        if done := _done_before(believed, request, state):
            return Verdict(True, done)
        further = _to_correct(trial, request, state)
        return Verdict(False, f"trial {trial.number} is {believed.state} already{further}")
    match request:
        case Approve():
            if trial.approved:
                so_already = (
                    "is approved already" if state.policy.evaluations.approval else "needs no approval"
                )
                return Verdict(True, f"trial {trial.number} {so_already}: it is {_as_it_stands(trial)}")
            return TrialApproved(at=now, trial=trial.number, by=request.by, request=name)
        case Refuse():
            if request.forget and not request.reason:
                return Verdict(False, UNREASONED)
            return TrialRefused(
                at=now,
                trial=trial.number,
                reason=request.reason,
                by=request.by,
                request=name,
                forgotten=request.forget,
            )
    if trial.lease is None or trial.worker != PERSON:
        return Verdict(False, _nobodys_to_record(trial, state))
    return _recorded(request, trial, trial.lease, now, name, wanted)


def _recorded(
    request: Record | RecordFailure, trial: Trial, lease: str, now: float, name: str, wanted: WantedResults
) -> events.Decision | Verdict:
    """What a person typed in of a trial that is a person's."""
    elapsed = now - (trial.started_at or now)
    if isinstance(request, RecordFailure):
        return FailureArrived(
            at=now,
            worker=PERSON,
            lease=lease,
            kind="error",
            message=request.message,
            elapsed=elapsed,
            request=name,
            by=request.by,
        )
    if complaint := wanted.why_unusable(request.value, request.variance, request.factors, request.extras):
        return Verdict(False, complaint)
    if is_too_deep(request.extras):
        return Verdict(False, f"expected extras nested at most {DEPTH_LIMIT} deep, got deeper ones")
    return ResultArrived(
        at=now,
        worker=PERSON,
        lease=lease,
        value=request.value,
        variance=request.variance,
        factors=None if request.factors is None else tuple(request.factors),
        extras=request.extras,
        broken=wanted.broken(trial.parameters, request.extras, request.value),
        elapsed=elapsed,
        request=name,
        by=request.by,
    )


def is_so_already(record: Record, spec: Spec, state: State) -> bool:
    """Whether a person says of a trial what came of it by what is believed now."""
    trial = state.trials[record.trial]
    wanted = WantedResults.of(spec, state.amended.constraints, state.amended.values)
    believed = corrected(trial, corrections(state).get(trial.number))
    return bool(_done_before(believed, valued(record, trial.parameters, wanted), state))


def _done_before(trial: Trial, request: Decision, state: State) -> str:
    """That what a person says of a trial that is settled is all that came of it, and believed; or nothing."""
    if isinstance(request, Refuse):
        refused = trial.value is None and trial.message == f"refused: {request.reason}"
        so_already = refused and (not request.forget or bool(trial.forgotten))
        return f"trial {trial.number} is refused already" if so_already else ""
    if trial.worker != PERSON or trial.forgotten:
        return ""
    match request:
        case Record(value=value) if value is not None and value == trial.value:
            so_already = brings_nothing_else(request, trial, state)
            return f"trial {trial.number} is recorded with {value:g} already" if so_already else ""
        case RecordFailure(message=message) if trial.value is None and trial.message == f"error: {message}":
            return f"the failure of trial {trial.number} is recorded already"
    return ""


def brings_nothing_else(record: Record, trial: Trial, state: State) -> bool:
    """Whether what a person says beside a value is known of a trial, its block however that was said."""
    noise, factors = record.variance, record.factors
    return (
        noise in (None, trial.variance)
        and (factors is None or tuple(factors) == trial.factors)
        and all(_is_known(name, told, trial, state) for name, told in record.extras.items())
    )


def _is_known(name: str, told: object, trial: Trial, state: State) -> bool:
    known = trial.extras.get(name)
    if known == told:
        return True
    if name == DERIVATIVES and isinstance(known, Mapping) and isinstance(told, Mapping):
        return told.items() <= known.items()
    is_block = name == state.policy.results.blocks
    return is_block and told == block_of(state, corrections(state).get(trial.number, trial))


def _to_correct(trial: Trial, request: Decision, state: State) -> str:
    """How what a person typed in before is taken back, for what is typed in now."""
    if isinstance(request, Refuse) and request.forget and not trial.forgotten:
        forget = shell_line("amend", "--forget", str(trial.number), "--reason", request.reason)
        return f"; for nothing to follow from that: {forget}"
    if not isinstance(request, Record | RecordFailure) or trial.worker != PERSON:
        return ""
    believed = corrections(state).get(trial.number, trial)
    if isinstance(request, Record):
        if trial.state is TrialState.ABANDONED:
            how = "tell it with its settings: orchestrator amend --result"
            return f"; for its value to count all the same, {how}"
        before = "" if believed.value is None else f", with {believed.value:g}"
        return f"{before}; if that was typed wrongly, say --correct beside this"
    if believed.value is None or believed.forgotten:
        return ""
    forget = shell_line("amend", "--forget", str(believed.number), "--reason", MISTYPED)
    return f"; if that was typed wrongly: {forget}"


def _as_it_stands(trial: Trial) -> str:
    return "queued, and waits for its turn" if trial.state is TrialState.QUEUED else str(trial.state)


def _nobodys_to_record(trial: Trial, state: State) -> str:
    """Why no person can record what came of a trial that none is at."""
    where = f"is {trial.state}" if trial.lease is None else f"runs on {trial.worker}"
    if state.policy.evaluations.approval and not trial.approved:
        where += f"; first: orchestrator approve {trial.number}"
    elif trial.state is TrialState.QUEUED and away(state.shared_now, trial.parameters):
        where = f"is queued, and waits until nothing runs that has {place_words(state.shared_now)}"
    elif trial.state is TrialState.QUEUED and PERSON in state.crew.workers:
        where = f"is {_as_it_stands(trial)}: a person is given as many at a time as `workers` has `local`"
    return (
        f"expected a trial that a person evaluates (`evaluator: person`, approved), but trial "
        f"{trial.number} {where}"
    )


def sentence_for(request: Decision, state: State) -> str:
    """What was done, once it is done, and what follows from it that a person may not expect."""
    match request:
        case Approve(trial):
            return f"trial {trial} is approved"
        case Refuse(trial, forget=forget):
            return f"trial {trial} is refused{', and nothing follows from that' if forget else ''}"
        case Record(trial, value):
            # Which is computed where nobody says it.
            value = state.trials[trial].value if value is None else value
            return f"trial {trial} is recorded with {'no value' if value is None else f'{value:g}'}"
        case CarryOut() | Compare() | TakeBack():
            return comparing_words(request)
        case RecordFailure(trial):
            of = state.trials[trial]
            when = "" if of.approved else "once it is approved, "
            again = "" if of.settled else f"; {when}it is to be tried again, as `attempts` has it"
            return f"the failure of trial {trial} is recorded{again}"
