"""Evaluations that say how they stand while they run, and which of them are not worth their ends.

As a run stops them, by `stop_when` (`runtime.evaluations.early_stopping`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from orchestrator.curves.curve import Ended, Readings
from orchestrator.curves.watched import Watched
from orchestrator.errors import UsageError
from orchestrator.python_interface.options import placed_by_name
from orchestrator.python_interface.results import Telling
from orchestrator.spec.document.validation import validate
from orchestrator.spec.sections.stop_when import StopWhen
from orchestrator.values.foreign import in_a_line, single_number
from orchestrator.values.plain import whole_number
from orchestrator.values.printable import printable

if TYPE_CHECKING:
    from orchestrator.curves.forecast import Outlook

EXAMPLE = '{"quantity": "loss", "chance_below": 0.1}'
PAST = 200
"""Evaluations that teach, at most, the last of so many."""


@dataclass(frozen=True, slots=True)
class Reported:
    """What an evaluation reported on its way: a curve, the first step at which it was NaN or infinite, and
    why it was stopped, empty if it was not.
    """

    readings: Readings = ()
    not_finite_at: int | None = None
    stopped: str = ""


@dataclass(slots=True)
class Stopping:
    """By which ``rule`` evaluations are stopped, and how those before them ``ended`` that were not. In one
    process all that are watched share it; one that is watched elsewhere takes along how it is by then.
    """

    rule: StopWhen
    maximise: bool
    ended: list[Ended] = field(default_factory=list)

    def learn(self, value: float | None, reported: Reported) -> None:
        """One that came to its end, with that value."""
        diverged = reported.not_finite_at is not None
        if value is not None and (reported.readings or diverged) and not reported.stopped:
            self.ended.append(Ended(reported.readings, value, diverged))
            del self.ended[:-PAST]

    def copied(self) -> Stopping:
        """The same, whatever this one learns."""
        return Stopping(self.rule, self.maximise, list(self.ended))

    def foreseen(self, step: int, readings: Readings | None) -> Outlook | None:
        """How one will end by its readings, None of one that is NaN or infinite now; None where that cannot
        be said, or where half of those before it had ended by then: its end is worth more.
        """
        # It takes a tenth of a second to load.
        from orchestrator.curves.diverged import outlook_of_diverged
        from orchestrator.curves.forecast import outlook

        past = list(self.ended)
        if len(past) < self.rule.completed:
            return None
        share = self.rule.among_best
        if readings is None:
            return outlook_of_diverged(past, share=share, maximise=self.maximise)
        lengths = sorted(one.readings[-1][0] for one in past if one.readings)
        if lengths and step >= lengths[len(lengths) // 2]:
            return None
        return outlook(past, readings, share=share, maximise=self.maximise)


class Watch:
    """One evaluation, which reports how it stands. It can be pickled, and sent with its trial to wherever
    that is evaluated; what comes back from there is told with the trial's value.

    Attributes:
        trial: its number.
        seed: for the evaluation's own randomness, from 0 to 2^31 - 1; the same as in a run.
        stopped: why it is to be stopped; empty: it may go on.
        quantities: the names of what it reported.
        foreseen: what it would have come to, in the sense of the caller, where it is stopped by its chance.
    """

    def __init__(self, trial: int, stopping: Stopping | None, *, seed: int = 0, alike: bool = True) -> None:
        """``alike``: whether those before it say how it will end."""
        self.trial = trial
        self.seed = seed
        self.stopped = ""
        self.foreseen: Outlook | None = None
        self._stopping = stopping
        self._alike = alike
        self._watched = Watched()
        self.quantities: set[str] = set()

    def __repr__(self) -> str:
        steps = len(self._watched.curve.readings)
        stopped = f"; {printable(self.stopped)}" if self.stopped else ""
        return f"<Watch of trial {self.trial}: {steps} steps kept{stopped}>"

    def report(self, /, step: int, **values: float) -> bool:
        """How it stands at a ``step``, which count up from 0 or 1, as ``report(3, loss=0.7)``; whether it is
        to be stopped. Raises UsageError for what is no whole number, or no number.
        """
        number = whole_number(step)
        if number is None:
            raise UsageError(f"report: expected a whole number as the step, got {in_a_line(step)}")
        numbers = {name: _number(name, told) for name, told in values.items()}
        self.quantities.update(numbers)
        if self._stopping is not None and not self.stopped:
            self._look(self._stopping, number, numbers)
        return bool(self.stopped)

    @property
    def reported(self) -> Reported:
        """All of it so far."""
        return Reported(self._watched.curve.readings, self._watched.not_finite_at, self.stopped)

    def telling(self, trial: int, telling: Telling) -> Telling:
        """What is told of that trial. Raises UsageError for another one's."""
        if trial != self.trial:
            raise UsageError(f"expected the watch of trial {trial}, got that of trial {self.trial}")
        if not self.stopped:
            return telling
        if self.foreseen is None:
            return Telling(None)
        return Telling(self.foreseen.mean, self.foreseen.deviation**2, foreseen=True)

    def _look(self, stopping: Stopping, step: int, values: Mapping[str, float]) -> None:
        rule = stopping.rule
        self.stopped = rule.reason(step, values)
        value = values.get(rule.quantity)
        if self.stopped or rule.chance_below is None or value is None or not self._alike:
            return
        if not self._watched.reported(step, value, rule.after):
            return
        readings = self._watched.curve.readings if math.isfinite(value) else None
        foreseen = stopping.foreseen(step, readings)
        if foreseen is not None and foreseen.chance < rule.chance_below:
            self.foreseen = foreseen
            self.stopped = rule.unlikely(step, value, foreseen.chance)


def watch_of(told: object) -> Watch:
    """What a caller hands over as a watch. Raises UsageError for anything else."""
    if not isinstance(told, Watch):
        raise UsageError(f"expected as `watch` what `watch(trial)` returned, got {in_a_line(told)}")
    return told


def stopping_of(told: object, maximise: bool) -> Stopping | None:
    """What a caller says of when to stop, as a spec does; None: never. Raises UsageError."""
    if told is None:
        return None
    if not isinstance(told, Mapping):
        raise UsageError(f"expected `stop_when` as {EXAMPLE}, got {told!r}")
    found = validate(StopWhen, placed_by_name(told))
    rule = found.value
    if rule is None:
        sentences = dict.fromkeys(
            f"stop_when{f', `{place}`' if (place := one.place.source.name) else ''}: {one.sentence}"
            for one in found.complaints
        )
        raise UsageError("\n".join(sentences))
    return Stopping(rule, maximise)


def _number(name: str, told: object) -> float:
    number = single_number(told)
    if not isinstance(number, int | float):
        raise UsageError(f"report: expected a number as {name}, got {in_a_line(told)}")
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
