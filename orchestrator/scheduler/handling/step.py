"""One event's doing: the state that it changes, and the commands that it gives."""

from __future__ import annotations

from dataclasses import dataclass, field

from orchestrator.scheduler.commands import Command
from orchestrator.scheduler.state import State


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """``commands`` are in the order to perform them."""

    state: State
    commands: list[Command] = field(default_factory=list)

    def command(self, command: Command) -> None:
        """One more command, after those that were given."""
        self.commands.append(command)
