"""Says by a run's state what a person sees of what was found; what takes long is kept till it changes."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.report.preferred import preferred
from orchestrator.report.seen.believed import believed
from orchestrator.report.seen.best_now import best_now
from orchestrator.report.seen.crossing import crossing_of
from orchestrator.report.seen.found import (
    BelievedPoint,
    BestNowPoint,
    BestPoint,
    Found,
    PreferredPoint,
    ReferencePoint,
)
from orchestrator.report.seen.trade_offs import TradeOff, trade_offs_of
from orchestrator.report.words.without_best import why_no_best
from orchestrator.report.words.wording import outcome_words, parameter_words
from orchestrator.scheduler.corrections import as_corrected, trial_of
from orchestrator.scheduler.reference import reference_of
from orchestrator.scheduler.reference_value import counted_of_reference, measured_of_reference
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.model import Spec


class FoundSoFar:
    """What was found in one run."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._trade_offs: tuple[tuple[Trial, ...], tuple[TradeOff, ...]] = ((), ())
        self._numbers: dict[tuple[int, int], int] = {}

    def by_now(self, state: State, curve: Sequence[tuple[int, float]]) -> Found:
        """As it is seen, with the best values so far."""
        return Found(
            best=self._best_point(state.found.best, state),
            believed=self._believed_point(state),
            best_now=self._best_now_point(state),
            crossing=crossing_of(self._spec, state),
            preferred=self._preferred_point(state),
            reference=self._reference_point(state),
            trade_offs=self._trade_offs_of(state),
            curve=tuple(curve),
            why_no_best=why_no_best(state),
        )

    def _trade_offs_of(self, state: State) -> tuple[TradeOff, ...]:
        # A front may be long, and seldom changes.
        if state.found.front is not self._trade_offs[0]:
            front = as_corrected(state, state.found.front)
            self._trade_offs = (state.found.front, trade_offs_of(self._spec, state.policy, front))
        return self._trade_offs[1]

    def _best_point(self, trial: Trial | None, state: State) -> BestPoint | None:
        if trial is None or trial.value is None:
            return None
        parameters = tuple(parameter_words(self._spec, trial.parameters))
        outcomes = tuple(outcome_words(self._spec, trial.extras))
        settings = dict(trial.parameters)
        number = self._number(trial, state)
        return BestPoint(number, trial.value, trial.settled_at, parameters, outcomes, settings)

    def _reference_point(self, state: State) -> ReferencePoint | None:
        if (trial := reference_of(state)) is None:
            return None
        parameters = tuple(parameter_words(self._spec, trial.parameters))
        measured, counts = measured_of_reference(state)
        value, uncounted = (measured, None) if counts else (None, measured)
        times, levels = len(counted_of_reference(state)), state.amended.constraints.known_levels
        return ReferencePoint(
            trial.number, value, parameters, dict(trial.parameters), uncounted, times, levels
        )

    def _number(self, told: Trial, state: State) -> int:
        """Of the trial in whose place it stands, which is another one only once the optimiser began anew: all
        results are gone through for it, and there are several views a second.
        """
        key = (state.optimiser.model, told.number)
        if key not in self._numbers:
            self._numbers[key] = trial_of(state, told).number
        return self._numbers[key]

    def _best_now_point(self, state: State) -> BestNowPoint | None:
        now, objective = best_now(state), self._spec.objective
        if now is None:
            return None
        words = f"{objective.name} = {now.words} {objective.unit or ''}".rstrip()
        parameters = tuple(parameter_words(self._spec, now.settings))
        return BestNowPoint(now.mean, words, parameters, dict(now.settings), now.title)

    def _preferred_point(self, state: State) -> PreferredPoint | None:
        best = preferred(state)
        if best is None:
            return None
        settings = best.trial.parameters
        parameters = tuple(parameter_words(self._spec, settings))
        return PreferredPoint(
            best.trial.number, best.next, best.chance, best.words, parameters, dict(settings)
        )

    def _believed_point(self, state: State) -> BelievedPoint | None:
        likely = believed(state)
        if likely is None:
            return None
        parameters = tuple(parameter_words(self._spec, likely.trial.parameters))
        settings = dict(likely.trial.parameters)
        number = self._number(likely.trial, state)
        return BelievedPoint(number, likely.mean, likely.words, parameters, settings, likely.title)
