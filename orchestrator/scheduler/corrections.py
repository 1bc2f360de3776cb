"""What was told anew of trials that are forgotten, as of values that were mistyped."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable
from dataclasses import replace

from orchestrator.scheduler.state import State, Trial


def corrections(state: State) -> dict[int, Trial]:
    """By the numbers of trials: the known results that stand in their place. Those are of the same point,
    came later and are not forgotten themselves. Of several trials of a point the first is corrected first.
    """
    if not state.model:
        # Nothing is forgotten but that the optimiser began anew, and screens ask several times a second.
        return {}
    forgotten: dict[Hashable, deque[int]] = {}
    found: dict[int, Trial] = {}
    for one in state.observed:
        if one.number > 0:
            if one.forgotten:
                forgotten.setdefault(_place(one), deque()).append(one.number)
        elif forgotten and not one.forgotten and (there := forgotten.get(_place(one))):
            found[there.popleft()] = one
    return found


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
