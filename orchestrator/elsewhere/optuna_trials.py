"""An `Optimiser` that follows a study of Optuna: it is told what became of each trial, whoever ran it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from optuna.trial import FrozenTrial, TrialState

from orchestrator.curves.curve import Curve, Ended, Readings
from orchestrator.curves.forecast import outlook
from orchestrator.elsewhere.optuna_problem import StudyProblem
from orchestrator.elsewhere.search_options import SearchOptions
from orchestrator.errors import SpecError
from orchestrator.python_interface.answers import Asked

BETTER_HALF = 0.5
"""What is foreseen of a curve is the same whichever share is the best, but for ends that are far off."""


class FollowedStudy:
    """What is known of the trials of one study over one space, by their numbers in the study.

    A trial that runs is pending, whoever asked for it. One that failed is told as that, or abandoned where
    ``failures`` say nothing. One that was pruned is told as what it would probably have come to, by the
    curves of those that are complete. Until they can tell, and where there are constraints or several
    objectives, of which nobody can, it is pending, so that its place is not asked for again; before it
    reported anything, it has failed. What lacks a parameter of the space, or lies outside of it, is left out.
    """

    def __init__(self, problem: StudyProblem, search: SearchOptions, *, failures: bool) -> None:
        self.problem = problem
        self.optimiser = problem.optimiser(search)
        self._failures = failures
        self._waiting: dict[int, Asked] = {}
        self._settled: set[int] = set()

    def suggest(self, number: int) -> dict[str, Any]:
        """The parameters of the space for a trial, the same ones however often they are asked for."""
        if number not in self._waiting:
            # A study goes on until it was asked for as many as there are to be, tried or not.
            (self._waiting[number],) = self.optimiser._asked(1, None, again=True)
        return {name: self._waiting[number].parameters[name] for name in self.problem.space}

    def follow(self, trials: Sequence[FrozenTrial]) -> None:
        """All trials that there are: those that are known already are passed over."""
        ended = [
            Ended(_readings(trial), trial.values[0])
            for trial in trials
            if trial.state == TrialState.COMPLETE and math.isfinite(trial.values[0])
        ]
        for trial in trials:
            if trial.number in self._settled or trial.state == TrialState.WAITING:
                continue
            try:
                if trial.state == TrialState.RUNNING or not self._settle(trial, ended):
                    self._await(trial)
                    continue
            except SpecError:
                # Its parameters are none of the space: Optuna warns of those that it was given.
                self._abandon(trial.number)
            self._settled.add(trial.number)

    def _await(self, trial: FrozenTrial) -> None:
        """It is pending, where it is."""
        if self._is_whole(trial) and not self._is_as_asked(trial):
            self._abandon(trial.number)
            self._waiting[trial.number] = self.optimiser.attach(self._parameters(trial))

    def _settle(self, trial: FrozenTrial, ended: Sequence[Ended]) -> bool:
        """Tell what became of it; False where that is not known yet."""
        if not self._is_whole(trial):
            self._abandon(trial.number)
        elif trial.state == TrialState.COMPLETE:
            self._tell(trial, trial.values[0] if math.isfinite(trial.values[0]) else None)
        elif trial.state == TrialState.FAIL or not (readings := _readings(trial)):
            self._fail(trial)
        else:
            return self._foresee(trial, readings, ended)
        return True

    def _fail(self, trial: FrozenTrial) -> None:
        if self._failures:
            self._tell(trial, None)
        else:
            self._abandon(trial.number)

    def _tell(self, trial: FrozenTrial, value: float | None) -> None:
        told = self.problem.outcomes(trial)
        outcomes = {name: one for name, one in told.items() if math.isfinite(one)}
        complete = value is None or len(outcomes) == len(self.problem.names)
        if complete and self._is_as_asked(trial):
            self.optimiser.tell(self._waiting.pop(trial.number).trial, value, outcomes=outcomes)
        else:
            self._abandon(trial.number)
            self.optimiser.learn(self._parameters(trial), value, outcomes=outcomes)

    def _foresee(self, trial: FrozenTrial, readings: Readings, ended: Sequence[Ended]) -> bool:
        """Tell what a curve would have come to; False where that cannot be told."""
        maximise = self.problem.goals[0] == "maximise"
        foreseen = None
        if not self.problem.names:
            foreseen = outlook(ended, readings, share=BETTER_HALF, maximise=maximise)
        if foreseen is None:
            return False
        self._await(trial)
        asked = self._waiting.pop(trial.number)
        self.optimiser.tell(asked.trial, foreseen.mean, foreseen.deviation**2, foreseen=True)
        return True

    def _abandon(self, number: int) -> None:
        if (asked := self._waiting.pop(number, None)) is not None:
            self.optimiser.abandon(asked.trial)

    def _is_whole(self, trial: FrozenTrial) -> bool:
        return all(trial.distributions.get(name) == one for name, one in self.problem.space.items())

    def _is_as_asked(self, trial: FrozenTrial) -> bool:
        asked = self._waiting.get(trial.number)
        return asked is not None and all(asked.parameters[n] == v for n, v in self._parameters(trial).items())

    def _parameters(self, trial: FrozenTrial) -> dict[str, Any]:
        return {name: trial.params[name] for name in self.problem.space}


def _readings(trial: FrozenTrial) -> Readings:
    """What it reported, without what is no finite number."""
    curve = Curve()
    for step, value in sorted(trial.intermediate_values.items()):
        curve.add(step, value)
    return curve.readings
