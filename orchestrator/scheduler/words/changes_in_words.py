"""What it takes to change settings, as people are told that it is amended."""

from __future__ import annotations

from orchestrator.scheduler.amendment_events import ChangesAmended
from orchestrator.values.change import words_of


def amended_changes_words(event: ChangesAmended) -> str:
    """``nozzle takes 1800 s, bed changes at once``."""
    said = [f"{name} takes {words_of(change)}" for name, change in event.changes.items()]
    return ", ".join([*said, *(f"{name} changes at once" for name in event.freed)])
