"""How a run that nobody works on will stand as it is resumed, before anything that was left is taken up."""

from __future__ import annotations

from copy import deepcopy

from orchestrator.runtime.requests.amendments import decide_amendment
from orchestrator.runtime.requests.kinds import Amend
from orchestrator.scheduler.events import RunResumed
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.transitions import Phase
from orchestrator.spec.model import Spec


def resumed(scheduler: Scheduler) -> Scheduler:
    """Another scheduler, in which local workers are gone and what they had waits; this one stays as it is."""
    ahead, before = deepcopy(scheduler), scheduler.state.unattended
    ahead.handle(RunResumed(at=scheduler.state.at, wall=before.wall, unattended_s=before.seconds))
    return ahead


def sentence_when_resumed(request: Amend, spec: Spec, scheduler: Scheduler, now: float, said: str) -> str:
    """What the next life will say of an amendment, of which ``said`` is true as the run was left.

    A run that has ended is amended before it goes on. Raises as `decide_amendment` does.
    """
    state = scheduler.state
    in_hand = any(trial.lease is not None for trial in state.unsettled.values())
    if state.phase is Phase.FINISHED or not in_hand:
        return said
    return decide_amendment(request, spec, resumed(scheduler).state, now, name="").sentence
