"""What was told anew of trials that are forgotten, as of values that were mistyped."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable
from dataclasses import replace

from orchestrator.scheduler.amendment_events import ObservationsForgotten
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial


def take_as_corrections(state: State, event: ObservationsForgotten) -> None:
    """Known results of the same points that the same amendment brought stand in the place of what it forgets.

    What is told of a point at another time is a result of its own. Of several trials of a point the first
    that is forgotten is corrected first.
    """
    if not event.request:
        # What is forgotten behind the damage of a journal, beside what was known when the run began.
        return
    anew: dict[Hashable, deque[Trial]] = {}
    for one in state.observed:
        if one.request == event.request:
            anew.setdefault(_place(one), deque()).append(one)
    observed = {one.number: one for one in state.observed} if anew else {}
    for number in event.trials:
        forgotten = observed.get(number)
        if forgotten is not None and (there := anew.get(_place(forgotten))):
            there.popleft().stands_for = number if number > 0 else forgotten.stands_for


def corrections(state: State) -> dict[int, Trial]:
    """By the numbers of trials: the known results that stand in their place, if not forgotten themselves."""
    if not state.optimiser.model:
        # Nothing is forgotten but that the optimiser began anew, and screens ask several times a second.
        return {}
    return {one.stands_for: one for one in state.observed if one.stands_for and not one.forgotten}


def corrected(trial: Trial, by: Trial | None) -> Trial:
    """A trial with what was told anew of it; itself where nothing was."""
    if by is None:
        return trial
    return replace(
        trial,
        state=by.state,
        value=by.value,
        variance=by.variance,
        factors=by.factors,
        extras={**trial.extras, **by.extras},
        broken=by.broken,
        scores=by.scores,
        forecast=None,
        forgotten="",
        by=by.by,
    )


def trial_of(state: State, told: Trial) -> Trial:
    """The trial in whose place a known result stands; what was told itself where it stands for none."""
    if told.number > 0:
        return told
    return next((state.trials[number] for number, by in corrections(state).items() if by is told), told)


def as_corrected(state: State, told: Iterable[Trial]) -> list[Trial]:
    """Of each the trial in whose place it stands, if it does, with what was told anew of that."""
    anew = corrections(state)
    stands_for = {by.number: state.trials[number] for number, by in anew.items()}
    found = (stands_for.get(one.number, one) for one in told)
    return [corrected(one, anew.get(one.number)) for one in found]


def _place(trial: Trial) -> Hashable:
    return frozenset(trial.parameters.items())
