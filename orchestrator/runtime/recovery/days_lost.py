"""Of which days results are, where a damaged journal lost when one of them began."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from orchestrator.runtime.recovery.fsck import Examination
from orchestrator.scheduler.amendment_events import BlockBegan
from orchestrator.scheduler.events import Event, ResultArrived, RunResumed, RunStarted
from orchestrator.scheduler.leases import trial_of
from orchestrator.scheduler.words.trial_names import trial_names
from orchestrator.spec.model import Spec
from orchestrator.system.shell_lines import shell_line
from orchestrator.values.block_name import BY_DAY, block_name

ABOUT_MIDNIGHT_S = 60.0
"""A day begins where the run is told of it, and times of day are written in whole seconds."""


def days_lost(spec: Spec, found: Examination, folder: Path) -> Iterator[str]:
    """That a day must have begun of which no line says so, and which results are of the one before by what is
    left: by the times of day at which the run was started and resumed.
    """
    if spec.blocks != BY_DAY:
        return
    calendar = _Calendar.of([*found.sound, *found.behind])
    began = [(one.at, one.block) for one in (*found.sound, *found.behind) if isinstance(one, BlockBegan)]
    others: dict[tuple[str, str], list[int]] = {}
    for event in found.behind:
        if not isinstance(event, ResultArrived) or _said(event) or (number := trial_of(event.lease)) is None:
            continue
        time = event.at - event.elapsed
        left = next((block for at, block in reversed(began) if at <= time), "")
        day = calendar.day(time)
        if day and day != left:
            others.setdefault((day, left), []).append(number)
    for (day, left), numbers in others.items():
        told = shell_line("record", folder, numbers[0], "--value", "VALUE", "--extra", f"{BY_DAY}={day}")
        of = f"of {left}" if left else "of no day"
        yield (
            f"that {day} began: {trial_names(numbers)} {'is' if len(numbers) == 1 else 'are'} {of} by what is"
            f" left; to say otherwise: {told}"
        )


def _said(event: ResultArrived) -> bool:
    return any(block_name(told.get(BY_DAY), BY_DAY) for told in (event.extras, event.own))


@dataclass(frozen=True, slots=True)
class _Calendar:
    """Of each life of a run the time at which it began, by the run's clock and of day."""

    lives: Sequence[tuple[float, datetime]]

    @classmethod
    def of(cls, events: Sequence[Event]) -> _Calendar:
        lives = []
        for event in events:
            if isinstance(event, RunStarted | RunResumed):
                with suppress(ValueError):
                    lives.append((event.at, datetime.fromisoformat(event.wall)))
        return cls(lives)

    def day(self, time: float) -> str:
        """The day of a time of the run; empty where that is not known, or about midnight."""
        for at, wall in reversed(self.lives):
            if at <= time:
                times = (
                    wall + timedelta(seconds=time - at + off) for off in (-ABOUT_MIDNIGHT_S, ABOUT_MIDNIGHT_S)
                )
                one, other = (moment.date().isoformat() for moment in times)
                return one if one == other else ""
        return ""
