"""What trials come to by another formula, by other targets, or as their outputs are read otherwise.

What is numpy is imported where it is needed: whoever resumes a run must not wait for it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from orchestrator.errors import UsageError
from orchestrator.runtime.requests.kinds import ReadOutput
from orchestrator.runtime.results.usable_values import why_unusable
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler.event_parts import ReadAnew, ValuedAnew
from orchestrator.scheduler.events import FailureArrived, ResultArrived
from orchestrator.scheduler.transitions import TrialState
from orchestrator.scheduler.trial import Trial
from orchestrator.scheduler.words.trial_names import trial_names
from orchestrator.spec.model import Spec

UNUSABLE = "invalid: "
"""How the message of a trial begins whose evaluation ended well, and gave nothing that could be used."""


@dataclass(frozen=True)
class AnotherReading:
    """How values come once a run's ``spec`` is as it will be. ``read`` is what outputs say then, of those
    trials of which they say something else; ``forgotten`` are those of which nothing is to follow.
    """

    spec: Spec
    read: Mapping[int, ReadOutput]
    forgotten: Collection[int] = ()

    def of(self, trials: Iterable[Trial]) -> tuple[ValuedAnew, ...]:
        """Those of the trials, and known results, that come to something else. Raises `UsageError` where
        some lack what their values are computed from, or were foreseen by what values were before.
        """
        wanted = WantedResults.of(self.spec)
        found, lacking, foreseen = list[ValuedAnew](), dict[int, str](), list[int]()
        for trial in trials:
            anew = self._judged(trial, wanted)
            if trial.forecast is not None and not trial.forgotten and trial.number not in self.forgotten:
                foreseen.append(trial.number)
            if isinstance(anew, str):
                if not trial.forgotten and trial.number not in self.forgotten:
                    lacking[trial.number] = anew
            elif anew is not None:
                found.append(anew)
        if lacking:
            raise UsageError(_lacking_words(lacking))
        if foreseen:
            raise UsageError(_foreseen_words(foreseen))
        return tuple(found)

    def _judged(self, trial: Trial, wanted: WantedResults) -> ValuedAnew | str | None:
        """What it comes to, where that is something else; or what it lacks."""
        if (read := self.read.get(trial.number)) is not None:
            return _as_read(read, trial, wanted, needs_value=self.spec.objective.is_returned)
        if not wanted.are_computed:
            return None
        assert wanted.outcomes is not None
        missing = wanted.outcomes.missing(trial.extras)
        if trial.state is TrialState.FAILED:
            if missing or not trial.message.startswith(UNUSABLE):
                return None
            read = ReadOutput(trial=trial.number, extras=dict(trial.extras))
            return _as_read(read, trial, wanted, needs_value=self.spec.objective.is_returned)
        if trial.state is not TrialState.COMPLETED:
            return None
        value = wanted.computed(trial.parameters, trial.extras)
        if value is None:
            return missing
        if math.isfinite(value):
            return None if value == trial.value else ValuedAnew(trial=trial.number, value=value)
        message = f"{UNUSABLE}{wanted.why_none(value, trial.extras)}"
        return ValuedAnew(trial=trial.number, value=None, message=message)


def judged_output(
    read: ReadOutput, trial: Trial, wanted: WantedResults, *, needs_value: bool
) -> ResultArrived | FailureArrived:
    """What was read of a trial's output, as a run judges what a worker sends."""
    lease = trial.attempts.last or ""
    failed = FailureArrived(
        at=0.0, worker="", lease=lease, kind=read.kind or "invalid", message=read.message, extras=read.extras
    )
    if read.message:
        return failed
    if needs_value:
        if read.value is None:
            return replace(failed, message="expected a value, got none")
        if complaint := why_unusable(read.value, read.variance, read.factors, wanted.factors):
            return replace(failed, message=complaint)
    result = ResultArrived(
        at=0.0,
        worker="",
        lease=lease,
        value=read.value,
        variance=read.variance,
        factors=None if read.factors is None else tuple(read.factors),
        extras=read.extras,
    )
    return wanted.judged(result, trial.parameters)


def _as_read(
    read: ReadOutput, trial: Trial, wanted: WantedResults, *, needs_value: bool
) -> ValuedAnew | None:
    came = judged_output(read, trial, wanted, needs_value=needs_value)
    if isinstance(came, FailureArrived):
        message = f"{came.kind}: {came.message}"
        if trial.state is TrialState.FAILED:
            return None
        kept = ReadAnew(extras=came.extras, broken=trial.broken)
        return ValuedAnew(trial=trial.number, value=None, message=message, read=kept)
    # Of outcomes that are not there nothing holds.
    of_outcomes = set(wanted.broken(trial.parameters, {}, None))
    broken = [*(text for text in trial.broken if text not in of_outcomes), *came.broken]
    anew = ReadAnew(
        variance=came.variance,
        factors=came.factors,
        extras=came.extras,
        broken=tuple(dict.fromkeys(broken)),
    )
    before = ReadAnew(
        variance=trial.variance, factors=trial.factors, extras=trial.extras, broken=trial.broken
    )
    if (came.value, anew) == (trial.value, before):
        return None
    return ValuedAnew(trial=trial.number, value=came.value, read=anew)


def _lacking_words(lacking: Mapping[int, str]) -> str:
    names = trial_names(list(lacking))
    does = "does" if len(lacking) == 1 else "do"
    first = next(iter(lacking.values()))
    return (
        f"expected trials that returned what values are to be computed from, and {names} {does} not: {first}."
        f" {to_go_on_without(lacking)}"
    )


def _foreseen_words(foreseen: list[int]) -> str:
    were, they = ("was", "it") if len(foreseen) == 1 else ("were", "they")
    return (
        f"expected trials that have values of their own, and {trial_names(foreseen)} {were} stopped: what"
        f" {they} would have come to was foreseen by values as they were before."
        f" {to_go_on_without(foreseen)}"
    )


def to_go_on_without(trials: Iterable[int]) -> str:
    """What to say to `amend` beside, so that these do not count."""
    return f"To go on without: {' '.join(f'--forget {number}' for number in trials)} --reason TEXT"
