"""What was told anew of trials that are forgotten, as of values that were mistyped."""

from __future__ import annotations

from dataclasses import replace

from orchestrator.scheduler.state import State, Trial


def corrections(state: State) -> dict[int, Trial]:
    """By the numbers of trials: the known results that stand in their place. Those are of the same point,
    came later and are not forgotten themselves. Of several trials of a point the first is corrected first.
    """
    forgotten = list[Trial]()
    found = dict[int, Trial]()
    for one in state.observed:
        if one.number > 0:
            if one.forgotten:
                forgotten.append(one)
        elif not one.forgotten:
            alike = (
                trial.number
                for trial in forgotten
                if trial.number not in found and trial.parameters == one.parameters
            )
            if (number := next(alike, None)) is not None:
                found[number] = one
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
    if told.number < 1:
        for number, by in corrections(state).items():
            if by is told:
                return state.trials[number]
    return told


def as_corrected(state: State, told: Trial) -> Trial:
    """The same, with what was told anew of it."""
    trial = trial_of(state, told)
    return corrected(trial, corrections(state).get(trial.number))
