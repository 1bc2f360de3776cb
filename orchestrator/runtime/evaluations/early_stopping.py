"""Which evaluations are not worth their ends, by what they report while they run.

By limits that the spec sets, and by how those before them ended: their curves are kept with their results.
What a person had tried is not forecast, as it is not tried for its chance to be the best.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice

from orchestrator.curves.curve import Ended, Readings
from orchestrator.curves.watched import Watched
from orchestrator.scheduler.event_parts import Forecast
from orchestrator.scheduler.events import ResultArrived, TrialFoundHopeless, TrialFoundUnlikely
from orchestrator.scheduler.handling.slots import unsettled_trial
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import is_added
from orchestrator.spec.sections.stop_when import StopWhen

PAST, LOOKED_THROUGH = 200, 2_000
"""Evaluations that teach, at most, the last of so many: a look takes a millisecond, however long the run."""
ON_ITS_HEELS_S = 0.1, 1.0
"""What was reported last comes just before the result, which is worth more than any forecast. So long, at
least and at most, is waited for it, and a tenth of what evaluations take.
"""


class EarlyStopping:
    """The curves of what runs, and what follows from them."""

    def __init__(self, rule: StopWhen | None) -> None:
        self._rule = rule
        self._watched: dict[str, Watched] = {}
        self._found: dict[str, TrialFoundUnlikely] = {}
        if rule is not None and rule.chance_below is not None:
            # It takes a tenth of a second to load: now, before the loop begins, and for runs that need it.
            import orchestrator.curves.diverged  # noqa: F401

    def reported(
        self, state: State, at: float, lease: str, step: int, values: Mapping[str, float]
    ) -> TrialFoundHopeless | None:
        """What follows at once from a report of an evaluation that runs, if anything does."""
        rule = self._rule
        if rule is None:
            return None
        if reason := rule.reason(step, values):
            return TrialFoundHopeless(at=at, lease=lease, reason=reason)
        value = values.get(rule.quantity)
        if rule.chance_below is None or value is None:
            return None
        watched = self._watch(state, lease)
        if not watched.reported(step, value, rule.after) or lease in self._found:
            return None
        trial = unsettled_trial(state, lease)
        if trial is not None and is_added(trial):
            return None
        readings = watched.curve.readings
        forecast = self._forecast(state, rule, readings if math.isfinite(value) else None)
        if forecast is not None and forecast.chance < rule.chance_below:
            reason = rule.unlikely(step, value, forecast.chance)
            self._found[lease] = TrialFoundUnlikely(
                at=at, lease=lease, reason=reason, forecast=forecast, curve=readings
            )
        return None

    def with_curve(self, result: ResultArrived) -> ResultArrived:
        """A result with what its evaluation reported on its way."""
        self._found.pop(result.lease, None)
        watched = self._watched.pop(result.lease, None)
        if watched is None:
            return result
        return replace(result, curve=watched.curve.readings, not_finite_at=watched.not_finite_at)

    def due(self, state: State, now: float) -> list[TrialFoundUnlikely]:
        """What was found, and no result came on its heels."""
        least, most = ON_ITS_HEELS_S
        patience_s = min(max(least, 0.1 * state.optimiser.pace.evaluation_s), most)
        waited = [one for one in self._found.values() if now - one.at >= patience_s]
        for one in waited:
            del self._found[one.lease]
        return [replace(one, at=now) for one in waited]

    def _watch(self, state: State, lease: str) -> Watched:
        if lease not in self._watched and len(self._watched) > 2 * len(state.unsettled) + 100:
            # Those of leases that ended without a result.
            live = {trial.lease for trial in state.unsettled.values()}
            self._watched = {one: watched for one, watched in self._watched.items() if one in live}
        return self._watched.setdefault(lease, Watched())

    def _forecast(self, state: State, rule: StopWhen, readings: Readings | None) -> Forecast | None:
        """By its readings; None for one that is NaN or infinite now."""
        from orchestrator.curves.diverged import outlook_of_diverged
        from orchestrator.curves.forecast import outlook

        # Where parameters were held elsewhere, other values were good.
        completed = (
            Ended(trial.curve, trial.value, trial.not_finite_at is not None)
            for trial in islice(reversed(state.observed), LOOKED_THROUGH)
            if trial.value is not None
            and (trial.curve or trial.not_finite_at is not None)
            and state.counts(trial)
            and state.where_held(trial.parameters)
        )
        past = list(islice(completed, PAST))
        if len(past) < rule.completed:
            return None
        maximise = state.policy.sought.goal == "maximise"
        if readings is None:
            seen = outlook_of_diverged(past, share=rule.among_best, maximise=maximise)
        else:
            seen = outlook(past, readings, share=rule.among_best, maximise=maximise)
        if seen is None:
            return None
        return Forecast(mean=seen.mean, deviation=seen.deviation, chance=seen.chance)
