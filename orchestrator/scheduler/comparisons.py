"""Trials that have no value, but that people compare: which can be, and which wait to be."""

from __future__ import annotations

from collections.abc import Iterable

from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState
from orchestrator.scheduler.trial import Trial


def comparable(state: State) -> list[Trial]:
    """The trials that people can compare, in the order in which they were carried out."""
    if not state.policy.results.compared:
        return []
    return [one for one in state.observed if one.state is TrialState.COMPLETED and state.counts(one)]


def is_comparable(state: State, number: int) -> bool:
    """Whether a trial was carried out, and counts."""
    trial = state.trials.get(number)
    return trial is not None and trial.state is TrialState.COMPLETED and state.counts(trial)


def weighs(state: State, trial: Trial) -> bool:
    """Whether it has a value, or was carried out where people compare trials."""
    carried_out = state.policy.results.compared and trial.state is TrialState.COMPLETED
    return trial.value is not None or carried_out


def uncompared(state: State) -> list[Trial]:
    """Those of them that people are to compare: each keeps its place among those under way until then. To
    the first of all, where none is compared yet, the others are compared.
    """
    if not state.policy.results.compared:
        return []
    among = comparable(state)
    told = _compared_among(state, among)
    waiting = [one for one in among if one.number not in told]
    return waiting if told else waiting[1:]


def compared_by_now(state: State) -> set[int]:
    """The numbers of those that were compared with one another."""
    return _compared_among(state, comparable(state))


def _compared_among(state: State, among: Iterable[Trial]) -> set[int]:
    numbers = {one.number for one in among}
    pairs = [(one.trial, one.other) for one in state.compared]
    return {number for pair in pairs if numbers.issuperset(pair) for number in pair}
