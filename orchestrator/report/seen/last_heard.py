"""What ran when a run was last heard of that was killed: nobody knows whether it does still."""

from __future__ import annotations

from itertools import islice
from typing import Final

from orchestrator.report.searches.problem_as_spec import FUNCTION
from orchestrator.report.words.wording import counted, passing
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.values.printable import printable

NAMED: Final = 5
LOOKED_AT: Final = 2_000
"""Unsettled trials, so that it costs the same whatever the queue."""

INTERRUPTED: Final = "interrupted"
"""The state that such a trial is shown in, as its run is."""


def is_last_heard_of(spec: Spec, *, attended: bool, finished: bool) -> bool:
    """Whether what is said to run did when the run was last heard of, and nobody knows whether it does. A
    person has a trial still, and so has who evaluates those of a search from Python.
    """
    return not attended and not finished and spec.evaluation.evaluator not in (PERSON, FUNCTION)


def state_words(trial: Trial, last_heard_of: bool) -> str:
    """The state of a trial in a word, as `trials` says it."""
    return INTERRUPTED if last_heard_of and trial.state is TrialState.RUNNING else str(trial.state)


def ran_when_last_heard_of(spec: Spec, state: State, ago_s: float | None) -> str:
    """``when it was last heard of, 12 s ago, 2 trials ran (trial 3 on arm, 4 on leg)``; nothing where none
    did, or a person has them still.
    """
    running = [one for one in islice(state.unsettled.values(), LOOKED_AT) if one.lease is not None]
    if not running or not is_last_heard_of(spec, attended=False, finished=False):
        return ""
    named = [f"{one.number} on {printable(one.worker or '')}" for one in running[:NAMED]]
    more = [f"and {state.running - NAMED:,} more"] if state.running > NAMED else []
    ago = "" if ago_s is None else f", {passing(ago_s)} ago"
    on = ", ".join([*named, *more])
    return f"when it was last heard of{ago}, {counted(state.running, 'trial')} ran (trial {on})"
