"""How the settings of a training changed on the way to where it is: what is run again to come there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.values.named import Values


@dataclass(frozen=True, slots=True)
class Stretch:
    """``trials`` that went on from one another with the same settings (``parameters``), but for how many
    steps are done: ``until`` so many.
    """

    trials: tuple[int, ...]
    parameters: Values
    until: object

    def to_json(self) -> dict[str, object]:
        """As programs read it."""
        return {"until": self.until, "parameters": dict(self.parameters), "trials": list(self.trials)}


def schedule_of(trial: Trial, state: State, accumulates: str) -> Sequence[Stretch]:
    """What led to a trial, the first steps first, where others were done with other settings; else nothing.
    ``accumulates`` is the parameter that says how many steps are done; empty where none does.
    """
    chain = [trial]
    while accumulates and chain[0].continued and (before := state.begun(chain[0])) is not None:
        chain.insert(0, before)
    stretches = list[Stretch]()
    for one in chain:
        own = {name: value for name, value in one.parameters.items() if name != accumulates}
        trials: tuple[int, ...] = ()
        if stretches and stretches[-1].parameters == own:
            trials = stretches.pop().trials
        stretches.append(Stretch((*trials, one.number), own, one.parameters.get(accumulates)))
    return stretches if len(stretches) > 1 else ()


def needed_before(trial: Trial, state: State, accumulates: str) -> Trial | None:
    """What a trial went on from, where that came there with other settings: from nothing it would come to
    something else.
    """
    return state.begun(trial) if schedule_of(trial, state, accumulates) else None


def changed_from(trial: Trial, state: State, accumulates: str) -> bool:
    """Whether one goes on, or was to, from a trial with other settings."""
    before = state.trials.get(trial.suggested.continues)
    if not accumulates or before is None:
        return False
    return {**before.parameters, accumulates: trial.parameters.get(accumulates)} != dict(trial.parameters)
