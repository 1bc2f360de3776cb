"""What ran when a run was last heard of that was killed: nobody knows whether it does still."""

from __future__ import annotations

from itertools import islice
from typing import Final

from orchestrator.report.words.wording import counted, passing
from orchestrator.scheduler.state import State
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.values.printable import printable

NAMED: Final = 5
LOOKED_AT: Final = 2_000
"""Unsettled trials, so that it costs the same whatever the queue."""


def ran_when_last_heard_of(spec: Spec, state: State, ago_s: float | None) -> str:
    """``when it was last heard of, 12 s ago, 2 trials ran (trial 3 on arm, 4 on leg)``; nothing where none
    did, or a person has them still.
    """
    running = [one for one in islice(state.unsettled.values(), LOOKED_AT) if one.lease is not None]
    if not running or spec.evaluation.evaluator == PERSON:
        return ""
    named = [f"{one.number} on {printable(one.worker or '')}" for one in running[:NAMED]]
    more = [f"and {state.running - NAMED:,} more"] if state.running > NAMED else []
    ago = "" if ago_s is None else f", {passing(ago_s)} ago"
    on = ", ".join([*named, *more])
    return f"when it was last heard of{ago}, {counted(state.running, 'trial')} ran (trial {on})"
