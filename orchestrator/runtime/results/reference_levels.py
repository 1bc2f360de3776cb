"""What is known of a run's reference, by which constraints that are relative to it are judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import TypeAlias, get_args

from orchestrator.expressions.constraints import relative_among
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler.amendment_events import Amendment
from orchestrator.scheduler.events import Event, ResultArrived, RunResumed, RunStarted
from orchestrator.scheduler.leases import trial_under
from orchestrator.scheduler.mending_events import JournalMended
from orchestrator.scheduler.reference import measured_at_reference, reference_of
from orchestrator.scheduler.reference_events import ReferenceMeasured
from orchestrator.scheduler.rules.amended_constraints import NOTHING_AMENDED
from orchestrator.scheduler.state import State
from orchestrator.spec.model import Spec
from orchestrator.values.levels import levels_of

Weighing: TypeAlias = RunStarted | RunResumed | JournalMended | Amendment
"""After these something else may be known of it, or something else be relative to it."""


def measured_anew(events: Iterable[Event], spec: Spec, state: State) -> ReferenceMeasured | None:
    """What is to follow the events that brought a run to this state, where they, or what was lost after them,
    say something else of the reference than the state has it. ``spec`` is the one that was given.
    """
    # Else nothing is known anew, and to find that out all results would be gone through for each.
    if not any(isinstance(one, get_args(Weighing)) or _is_of_reference(one, state) for one in events):
        return None
    if not (relative := relative_among(state.amended.constraints.among(spec.constraints))):
        return None
    levels = _levels(dict.fromkeys(chain.from_iterable(relative.values())), spec, state)
    if levels == state.amended.constraints.known_levels:
        return None
    return ReferenceMeasured(at=state.at, levels=levels, broken=_broken(tuple(relative), levels, spec, state))


def _is_of_reference(event: Event, state: State) -> bool:
    """Whether a result is of its settings, in whichever trial."""
    if not isinstance(event, ResultArrived) or (reference := reference_of(state)) is None:
        return False
    trial = trial_under(state, event.lease)
    return trial is not None and trial.parameters == reference.parameters


def _levels(named: Iterable[str], spec: Spec, state: State) -> dict[str, float]:
    """The mean of each outcome, or of the value by its own name, over all that was measured there."""
    own = spec.limited[len(spec.outcomes) :]
    measured = measured_at_reference(state)
    return levels_of(named, [{**trial.extras, **dict.fromkeys(own, trial.value)} for trial in measured])


def _broken(
    relative: tuple[str, ...], levels: Mapping[str, float], spec: Spec, state: State
) -> dict[str, tuple[int, ...]]:
    """Beside each constraint the trials, and known results, that have a value and do not satisfy it."""
    alone = spec.model_copy(update={"constraints": list(relative)})
    wanted = WantedResults.of(alone, NOTHING_AMENDED.relative_to(levels), state.amended.values)
    broken = wanted.broken_by(relative, state.observed)
    return {text: tuple(numbers) for text, numbers in broken.items()}
