"""The monitor where there is no terminal: a line a settled trial, fewer where they come by the thousand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TextIO

from orchestrator.report.monitors.line_writer import LineWriter, unnoticed
from orchestrator.report.seen.best_before import best_value_words
from orchestrator.report.seen.chronicle import Chronicle
from orchestrator.report.seen.settlements import trial_of_result
from orchestrator.report.words.goals import sought_words
from orchestrator.report.words.happenings import (
    Happening,
    Taken,
    carried_out_words,
    happenings,
    settled_beside,
)
from orchestrator.report.words.wording import clock, counted, first_line, parameter_words
from orchestrator.runtime.monitor import Level, Opening
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.model import Spec

LINES_A_SECOND = 10
"""Of the run's own time; what would be more is summed up in one line a second."""


class PlainMonitor:
    """Says what happens in plain lines, with the time since the run began."""

    def __init__(self, stream: TextIO, unwritten: Callable[[str], None] = unnoticed) -> None:
        self._writer = LineWriter(stream, self._left_out, unwritten)
        self._spec: Spec | None = None
        self._chronicle: Chronicle | None = None
        self._second = -1
        self._lines = 0
        self._unsaid = 0
        self._now = 0.0

    def opened(self, opening: Opening) -> None:
        """What runs, and where."""
        self._spec = opening.spec
        self._chronicle = Chronicle(opening.spec)
        spec = opening.spec
        verb = "goes on" if opening.resumed else "begins"
        self._writer.write(f"{spec.experiment} {verb}: {sought_words(spec)} with {spec.algorithm.name}")
        dial = f", workers dial {opening.address}" if opening.address else ""
        self._writer.write(f"run {opening.folder}{dial}")
        self._writer.flush()

    def observed(self, event: ev.Event, state: State) -> None:
        """A line for each settled trial and each thing out of the ordinary."""
        if self._chronicle is None or self._spec is None:
            return
        self._now = event.at
        taken = self._chronicle.take(event, state)
        self._turn_second(state)
        own = trial_of_result(event, taken.settled)
        if own is not None and isinstance(event, ev.ResultArrived):
            self._pass_on(Happening(event.at, self._result(event, own, taken)), taken.improved)
        said = happenings(event, taken) if own is None else settled_beside(event.at, taken, own.number)
        for happening in said:
            self._pass_on(happening, happening.tone == "bad")

    def progressed(self, lease: str, step: int, values: Mapping[str, float]) -> None:
        """Nothing: lines are for what is settled."""

    def noted(self, level: Level, sentence: str) -> None:
        """A line."""
        prefix = "" if level == "info" else f"{level}: "
        self._say(self._now, prefix + first_line(sentence))

    def ticked(self, state: State, now: float) -> None:
        """Hand over what was gathered."""
        self._now = now
        self._turn_second(state)
        self._writer.flush()

    def closed(self, state: State) -> None:
        """Everything said is written."""
        self._second = -1
        self._turn_second(state)
        self._writer.close()

    def _turn_second(self, state: State) -> None:
        """At the end of a second, sum up what was not said in it."""
        if int(self._now) == self._second:
            return
        self._second, self._lines = int(self._now), 0
        unsaid, self._unsaid = self._unsaid, 0
        if unsaid:
            best = (
                "" if state.found.best is None else f", best {best_value_words(state, state.found.best, 8)}"
            )
            best = f", {counted(len(state.found.front), 'trade-off')}" if state.found.front else best
            self._say(
                self._now, f"and {counted(unsaid, 'more line')}: {state.tally.completed:,} completed{best}"
            )

    def _pass_on(self, happening: Happening, important: bool) -> None:
        self._lines += 1
        if self._lines <= LINES_A_SECOND * (3 if important else 1):
            self._say(happening.at, happening.sentence)
        else:
            self._unsaid += 1

    def _result(self, event: ev.ResultArrived, trial: Trial, taken: Taken) -> str:
        assert self._spec is not None
        if event.value is None:
            return carried_out_words(event)
        best = taken.praise
        if taken.improved:
            words = ", ".join(
                f"{name} {value}" for name, value in parameter_words(self._spec, trial.parameters, 4)
            )
            best = f"{taken.praise}, with {words}" if len(words) < 300 else taken.praise
        return f"trial {trial.number}: {taken.value_words(event.value)} from {event.worker}{best}"

    def _say(self, at: float, sentence: str) -> None:
        self._writer.write(_line(at, sentence))

    def _left_out(self, lines: int) -> str:
        return _line(self._now, f"left out, as nobody read them in time: {counted(lines, 'line')}")


def _line(at: float, sentence: str) -> str:
    return f"{clock(at):>8}  {sentence}"
