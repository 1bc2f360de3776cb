"""One turn of a run: what came, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.scheduler.commands import Command, OptimiserCommand, Rebuild
from orchestrator.scheduler.events import Event


@dataclass(frozen=True, slots=True)
class Turn:
    """What came, and what follows from it. ``anything``: whether there was even a message."""

    events: list[Event]
    commands: list[Command]
    anything: bool

    @property
    def to_perform(self) -> bool:
        """Whether anything follows: what was recorded before is acknowledged again without an event."""
        return bool(self.events or self.commands)

    @property
    def for_optimiser(self) -> list[OptimiserCommand]:
        """The commands that concern the optimiser, in order; where it begins anew, none of those before.

        What was asked between two parts of an amendment, of what is held and of bounds, may have no answer.
        """
        commands = [command for command in self.commands if isinstance(command, OptimiserCommand)]
        begins = [place for place, command in enumerate(commands) if isinstance(command, Rebuild)]
        return commands[begins[-1] :] if begins else commands
