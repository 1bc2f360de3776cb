"""Which trials are people's, or wait for them: each is told of once, and again where it waits once more."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path

from orchestrator.scheduler.commands import Command, Evaluate
from orchestrator.scheduler.comparisons import uncompared
from orchestrator.scheduler.handling.comparing import to_compare_with
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.state import State
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.system.shell_lines import shell_line


def handed_over(commands: Iterable[Command], scheduler: Scheduler) -> Iterator[str]:
    """Which trials are a person's to carry out by these commands, and what is to be done then. Where a run is
    resumed, they were given back last first.
    """
    given = [one for one in commands if isinstance(one, Evaluate) and one.worker == PERSON]
    for command in sorted(given, key=lambda command: command.trial):
        if scheduler.holds(command.worker, command.lease):
            other = to_compare_with(scheduler.state, command.trial)
            then = "record it" if other is None else f"compare it with trial {other}"
            yield f"trial {command.trial} is yours: {then} when it is done"


class _AwaitedTrials(ABC):
    """What was told already is kept between turns. ``folder`` is the run's, which is named to be copied."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._told: set[int] = set()

    def sentences(self, state: State) -> Iterator[str]:
        """One for each trial that waits since the last turn."""
        waiting = self._waiting(state)
        for number in sorted(waiting - self._told):
            yield self._sentence(state, number)
        self._told = waiting

    @abstractmethod
    def _waiting(self, state: State) -> set[int]:
        """The numbers of those that wait."""

    @abstractmethod
    def _sentence(self, state: State, number: int) -> str:
        """That one waits, and what to say when that is done."""


class AwaitedApprovals(_AwaitedTrials):
    """Of trials that a person has to approve before they are evaluated."""

    def _waiting(self, state: State) -> set[int]:
        if not state.policy.evaluations.approval:
            return set()
        return {number for number in state.waiting.queue if not state.trials[number].approved}

    def _sentence(self, state: State, number: int) -> str:
        trial = state.trials[number]
        why = "it failed" if trial.attempts.failed else "it was cut short" if trial.attempts.begun else ""
        again = f" once more, as {why}" if why else ""
        return f"trial {number} waits for approval{again}: {shell_line('approve', self._folder, number)}"


class AwaitedComparisons(_AwaitedTrials):
    """Of trials that people are to compare."""

    def _waiting(self, state: State) -> set[int]:
        return {trial.number for trial in uncompared(state)}

    def _sentence(self, state: State, number: int) -> str:
        other = to_compare_with(state, number)
        command = shell_line("prefer", self._folder, number, "--over", other)
        return f"trial {number} is to be compared, best with trial {other}: {command}, or the other way round"
