"""What people say of single trials of a run, by the commands for it, while it goes on or after a kill."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from cheap_values import smooth
from commands_given import answered
from lived_run import LivedRun

from orchestrator.scheduler.commands import Evaluate
from orchestrator.scheduler.corrections import as_corrected, corrections
from orchestrator.scheduler.transitions import TrialState
from orchestrator.values.derivatives import DERIVATIVES, column_of

REASON = "it looks dangerous"


class People:
    """Those of one run. ``told`` is what was last said of each trial's value, where that is not computed."""

    def __init__(self, run: LivedRun, chance: Random) -> None:
        self.run, self.chance = run, chance
        self.told: dict[int, float | None] = {}
        self.ever = defaultdict[str, list[float | None]](list)

    def heard(self, trial: int, value: float | None) -> None:
        """What came of a trial, from anybody."""
        self.told[trial] = value
        self.ever[_place(self.run.state.trials[trial].parameters)].append(value)

    def believe_what_is_left(self) -> None:
        """After a journal was mended. Raises ArithmeticError where a trial has a value that it never had."""
        state = self.run.state
        left = list(as_corrected(state, state.trials.values()))
        for trial in left:
            said = self.ever[_place(trial.parameters)]
            # Of what is computed nobody says a value.
            if trial.value is not None and None not in said and trial.value not in said:
                raise ArithmeticError(f"after its journal was mended, {trial} has a value that it never had")
        # Behind lines that are lost trials may have other numbers.
        self.told = {trial.number: trial.value for trial in left if _place(trial.parameters) in self.ever}

    def say(self, command: str, *options: str) -> None:
        """While it goes on, or, at times, while nobody works on it. Raises UsageError where it is refused."""
        if self.chance.random() < 0.75:
            answered(self.run.folder.path, command, *options)
            self.run.take_up()
            return
        self.run.die()
        try:
            answered(self.run.folder.path, command, *options)
        finally:
            self.run.live_again()

    def decide(self) -> bool:
        """Whether there was anything to be approved; at times it is refused."""
        waiting = [
            number for number in self.run.state.waiting.queue if not self.run.state.trials[number].approved
        ]
        if not waiting:
            return False
        if self.chance.random() < 0.15:
            forget = ["--forget"] if self.chance.random() < 0.5 else []
            trial = str(self.chance.choice(waiting))
            answered(self.run.folder.path, "refuse", trial, "--reason", REASON, *forget)
            self.run.take_up()
        elif self.chance.random() < 0.5:
            self.say("approve")
        else:
            self.say("approve", str(self.chance.choice(waiting)))
        return True

    def record(self, command: Evaluate, told: Mapping[str, Any] | None) -> None:
        """What came of a trial that is theirs; None where it failed."""
        self.run.pass_time()
        trial = str(command.trial)
        if self.run.state.policy.results.compared:
            self.say("record", trial)
        elif told is None:
            self.say("record", trial, "--failed", "it burst")
            self._counts_or_was_refused(command.trial, None)
        else:
            self.say("record", trial, *result_options(told))
            self._counts_or_was_refused(command.trial, told.get("value"))

    def _counts_or_was_refused(self, trial: int, value: float | None) -> None:
        """What was left out when the next life began, as by what is held by then, is nobody's to record, and
        how its value counts all the same is said. Raises ArithmeticError where it is not.
        """
        if self.run.state.trials[trial].state is not TrialState.ABANDONED:
            self.heard(trial, value)
        elif not any(f"trial {trial} is abandoned already" in said for said in self.run.refused):
            raise ArithmeticError(f"what was recorded of trial {trial} was neither taken nor refused")

    def correct(self, told: Mapping[str, Any]) -> None:
        """One that was recorded before. Raises UsageError where that cannot be."""
        theirs = [
            number
            for number, trial in self.run.state.trials.items()
            if trial.state in (TrialState.COMPLETED, TrialState.FAILED) and trial.worker == self.run.worker
        ]
        if not theirs or self.run.state.policy.results.compared:
            return
        number = self.chance.choice(theirs)
        answered(self.run.folder.path, "record", str(number), *result_options(told), "--correct")
        self.run.take_up()
        if "value" in told:
            self.heard(number, told["value"])
            believed = corrections(self.run.state).get(number, self.run.state.trials[number])
            if believed.value != told["value"] and not self.run.refused:
                raise ArithmeticError(f"corrected to {told['value']!r}, trial {number} is {believed!r}")

    def compare(self) -> None:
        """Two trials that were carried out, of which the lower one is better."""
        done = [trial for trial in self.run.state.trials.values() if trial.state is TrialState.COMPLETED]
        if len(done) < 2:
            return
        pair = sorted(self.chance.sample(done, 2), key=lambda trial: smooth(trial.parameters))
        one, other = (str(trial.number) for trial in pair)
        self.say("prefer", one, "--like" if self.chance.random() < 0.15 else "--over", other)
        if self.chance.random() < 0.1:
            self.say("prefer", other, "--take-back", one)


def _place(parameters: Mapping[str, Any]) -> str:
    return repr(sorted(parameters.items()))


def result_options(told: Mapping[str, Any]) -> Sequence[str]:
    """Those of `orchestrator record` that say a result."""
    options: list[str] = []
    for name, one in told.items():
        if name in ("value", "variance"):
            options += [f"--{name}={one!r}"]
        elif name == DERIVATIVES:
            for by, slope in one.items():
                options += ["--extra", f"{column_of(by)}={_typed(slope)}"]
        else:
            options += ["--extra", f"{name}={_typed(one)}"]
    return options


def _typed(one: Any) -> str:
    if isinstance(one, list | tuple):
        return "[" + ", ".join(map(repr, one)) + "]"
    return "nan" if one is None or (isinstance(one, float) and math.isnan(one)) else str(one)
