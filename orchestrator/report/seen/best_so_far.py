"""How a run came to its best value: the results in the order in which they came, and the best one by then."""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.objectives import SIGNS
from orchestrator.report.seen.trade_offs import objectives_of
from orchestrator.report.words.goals import goals_of
from orchestrator.scheduler.corrections import as_corrected
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.model import Spec


@dataclass(frozen=True, slots=True)
class Improvement:
    """A value better than all before: how many trials were settled by then, that one among them, and how many
    seconds the run had gone on.
    """

    place: int
    at: float
    value: float


def in_order(state: State) -> list[tuple[int, Trial]]:
    """What counts of all that is settled, each with how many trials were by then.

    Results known from elsewhere are no trials, and have no place of their own.
    """
    tried = as_corrected(state, state.trials.values())
    trials = [trial for trial in tried if trial.settled and state.counts(trial)]
    known = (trial for trial in state.observed if trial.number < 1 and not trial.stands_for)
    trials += [trial for trial in known if state.counts(trial)]
    trials.sort(key=lambda trial: (trial.settled_at or trial.queued_at, trial.number))
    placed: list[tuple[int, Trial]] = []
    place = 0
    for trial in trials:
        place += trial.number > 0
        placed.append((place, trial))
    return placed


def best_so_far(spec: Spec, state: State, objective: str) -> list[Improvement]:
    """Of what may be a best one, each value of an ``objective``, one of several or the only one, that is
    better than those before it.
    """
    sign = SIGNS[goals_of(spec)[objective]]
    improvements: list[Improvement] = []
    for place, trial in in_order(state):
        value = objectives_of(spec, trial).get(objective) if state.may_be_best(trial) else None
        if value is None or (improvements and sign * value <= sign * improvements[-1].value):
            continue
        improvements.append(Improvement(place, trial.settled_at or trial.queued_at, value))
    return improvements
