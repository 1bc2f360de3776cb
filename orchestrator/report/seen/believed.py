"""Which trial the optimiser believes to be the best, where values are noisy, or settings a little off."""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.report.words.wording import uncertain
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial


@dataclass(frozen=True, slots=True)
class Believed:
    """A trial, and what is believed of its point without the noise of its value; or on average, over settings
    that are a little off, as its ``title`` says.
    """

    trial: Trial
    mean: float
    deviation: float
    title: str

    @property
    def words(self) -> str:
        """As in ``1.234 ± 0.012``."""
        return uncertain(self.mean, self.deviation)


def believed(state: State) -> Believed | None:
    """By what the optimiser said last; None where it does not say, or what it says counts no longer, as it
    knows nothing of the best value yet, which is of a round that is not over; and of several objectives, of
    which no trial is the best.
    """
    told = state.optimiser.insight.get("believed_best")
    if told is None or state.policy.sought.further:
        return None
    which = told["trial"]
    trial = state.trials.get(which) if which >= 1 else _known(state, which)
    if trial is None or trial.value is None or not (state.counts(trial) and state.may_be_best(trial)):
        return None
    title = ON_AVERAGE if state.policy.sought.averages else BELIEVED
    if state.policy.results.blocks is not None:
        title = WITHOUT_OFFSETS
    if title == BELIEVED and any(one is state.found.best for one in state.untold):
        return None
    return Believed(trial, told["predicted"]["mean"], told["predicted"]["deviation"], title)


OBSERVED, BELIEVED = "best observed", "believed best, but for noise"
ON_AVERAGE = "believed best on average, settings being a little off"
WITHOUT_OFFSETS = "believed best, without offsets and noise"
"""The readings of which trial is the best, where they differ."""


def _known(state: State, number: int) -> Trial | None:
    return next((trial for trial in state.observed if trial.number == number), None)
