"""What it takes to change settings, as people are told that it is amended."""

from __future__ import annotations

from collections.abc import Collection

from orchestrator.scheduler.amendment_events import ChangesAmended
from orchestrator.values.change import Changes, words_of


def amended_changes_words(event: ChangesAmended) -> str:
    """``nozzle takes 1800 s, bed changes at once``."""
    return changes_words(event.changes, event.freed)


def changes_words(changes: Changes, freed: Collection[str]) -> str:
    """The same, of what is said and what takes no time any more."""
    said = [f"{name} takes {words_of(change)}" for name, change in changes.items()]
    return ", ".join([*said, *(f"{name} changes at once" for name in freed)])
