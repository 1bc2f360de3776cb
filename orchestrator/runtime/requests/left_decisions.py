"""Whether what a person decides of a run that nobody works on can still count, asked while they are there."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.errors import UsageError
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.requests.computed_records import valued
from orchestrator.runtime.requests.decisions import decide
from orchestrator.runtime.requests.desk import Desk, Waiting
from orchestrator.runtime.requests.kinds import (
    Amend,
    Approve,
    CarryOut,
    Compare,
    Comparing,
    Decision,
    Record,
    RecordFailure,
    TakeBack,
    Verdict,
)
from orchestrator.runtime.requests.left_amendments import foresee
from orchestrator.runtime.requests.lost_records import refuse_what_is_lost
from orchestrator.runtime.requests.spent_budgets import what_to_amend
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.state import State
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.system.shell_lines import shell_line


def left_to_be_replaced(requests: Sequence[Decision], folder: RunFolder) -> list[Waiting]:
    """What was recorded of trials that these requests record anew, and is not taken up yet."""
    anew = {request.trial for request in requests if isinstance(request, Record | RecordFailure)}
    return [
        waiting
        for waiting in Desk(folder).waiting()
        if isinstance(waiting.request, Record | RecordFailure) and waiting.request.trial in anew
    ]


def refuse_in_vain(
    requests: Sequence[Decision], folder: RunFolder, spec: Spec, scheduler: Scheduler
) -> list[tuple[Decision, str]]:
    """Raises `UsageError` for the first of some decisions, each on a trial, that the next life would refuse.
    Those that say what is so already, each with a sentence that says so: nothing has to be done for them.

    ``scheduler`` is as the journal has it; it is brought forward by the amendments that were left.
    """
    done: list[tuple[Decision, str]] = []
    about = {request.trial for request in requests}
    replaced = left_to_be_replaced(requests, folder)
    for waiting in Desk(folder).waiting():
        left = waiting.request
        if left is None or isinstance(left, Amend) or waiting in replaced:
            continue
        if left in requests:
            done.append((left, f"the same of trial {left.trial} waits already, in {waiting.path}"))
            continue
        # Decisions are judged together when a life begins, so none can build upon another; but a trial may be
        # compared with several.
        if left.trial in about and not (isinstance(left, Compare) and _only_compare(requests)):
            raise UsageError(
                f"expected one decision at a time on trial {left.trial}: another waits in {waiting.path}. "
                f"Have it taken up ({shell_line('resume', folder.path)}), or delete that file"
            )
    foresee(folder, spec, scheduler)
    refuse_what_is_lost(requests, folder, scheduler)
    state = scheduler.state
    wanted = WantedResults.of(spec, state.amended.constraints, state.amended.values)
    # What was recorded wrongly is corrected in a run that has ended, too: that is said below.
    recorded = {one.trial for one in requests if isinstance(one, Record | RecordFailure)}
    # How trials compare says which is the best, though no other is chosen by it.
    compares = state.policy.results.compared and all(isinstance(one, Compare | TakeBack) for one in requests)
    corrects = any(state.trials[one].settled for one in recorded & set(state.trials))
    if not (state.resumable or compares or corrects):
        raise UsageError(
            f"expected a run that goes on or can, got one that has ended: {state.end.why}. For it to go on: "
            f"{shell_line('amend', folder.path)} {what_to_amend(state)}"
        )
    waiting_already = [one for one, _ in done]
    for request in requests:
        if request in waiting_already:
            continue
        decided = decide(request, state, state.at, name="", wanted=wanted)
        if isinstance(decided, Verdict) and decided.accepted:
            done.append((request, decided.sentence))
            continue
        if isinstance(decided, Verdict) and _for_good(request, spec, scheduler):
            raise UsageError(decided.sentence)
        if isinstance(request, Record):
            trial = state.trials.get(request.trial)
            told = request if trial is None else valued(request, trial.parameters, wanted)
            if complaint := wanted.why_unusable(told.value, told.variance, told.factors, told.extras):
                raise UsageError(complaint)
    return done


def _for_good(request: Decision, spec: Spec, scheduler: Scheduler) -> bool:
    """Whether what is refused now is refused later: the next life may hand a trial to a person first."""
    state = scheduler.state
    if isinstance(request, Comparing):
        return spec.evaluation.evaluator != PERSON or not _may_be_at_hand(request, state)
    trial = state.trials.get(request.trial)
    if trial is None or trial.settled or isinstance(request, Approve):
        return True
    recorded = isinstance(request, Record | RecordFailure)
    unapproved = state.policy.evaluations.approval and not trial.approved
    return recorded and (spec.evaluation.evaluator != PERSON or unapproved)


def _only_compare(requests: Sequence[Decision]) -> bool:
    return all(isinstance(one, Compare) for one in requests)


def _may_be_at_hand(request: Comparing, state: State) -> bool:
    """Whether what is refused now waits for a trial that the next life hands to a person first."""
    numbers = (request.trial,) if isinstance(request, CarryOut) else (request.trial, request.other)
    known = [trial for one in numbers if (trial := state.trials.get(one)) is not None]
    waits = any(not trial.settled for trial in known)
    return state.policy.results.compared and len(set(numbers)) == len(known) == len(numbers) and waits
