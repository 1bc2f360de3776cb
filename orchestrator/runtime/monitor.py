"""What the runtime tells whoever watches; its faces (screen, plain lines, JSON) are in `report`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from orchestrator.runtime.circumstances import Circumstances
from orchestrator.scheduler.events import Event
from orchestrator.scheduler.state import State
from orchestrator.spec.model import Spec

Level: TypeAlias = Literal["info", "warning", "error"]
"""How grave a sentence for people is; an error: something is over that does not begin again by itself."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What is known when a run begins: where it lies, and the address that workers dial.

    ``circumstances`` change while the run goes on; to be read at any time, never written.
    """

    spec: Spec
    folder: Path
    address: str
    resumed: bool
    circumstances: Circumstances = field(default_factory=Circumstances)


class Monitor(Protocol):
    """Called from the loop, so every method returns at once."""

    def opened(self, opening: Opening) -> None:
        """The run is about to begin or go on."""

    def observed(self, event: Event, state: State) -> None:
        """An event is on disk; ``state`` is the scheduler's, at least as far as the event (read only)."""

    def progressed(self, lease: str, step: int, values: Mapping[str, float]) -> None:
        """A running evaluation reported partial quantities."""

    def noted(self, level: Level, sentence: str) -> None:
        """Something worth a sentence: a refused worker, a restarted optimiser."""

    def ticked(self, state: State, now: float) -> None:
        """A few times a second; ``now`` is on the scale of the events' times."""

    def closed(self, state: State) -> None:
        """The run ended, was stopped, or cannot go on; nothing is called after this."""
