"""A few events, and a journal that holds them: what the tests of the journal share."""

from __future__ import annotations

from pathlib import Path

from orchestrator.runtime.folder.journal import JournalWriter
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.scheduler.events import (
    Event,
    RefitFinished,
    ResultArrived,
    RunStarted,
    SuggestionsMade,
    WorkerLeft,
)


def a_few_events() -> list[Event]:
    """Among them the longest kinds, and text that is not ASCII."""
    made = (Suggested(parameters={"x": 0.1, "Größe": "λ\n"}, mean=1.5), Suggested(parameters={"x": 2}))
    return [
        RunStarted(at=0.0, run="r", wall="noon"),
        SuggestionsMade(at=1.0, ask=1, suggestions=made, insight={"weights": {"rbf": 0.5}}),
        ResultArrived(at=2.0, worker="w", lease="1.1", value=1e-300, extras={"a": [1, None]}),
        RefitFinished(at=3.0, number=1, observations=2, payload={"scale": [0.1, 0.2]}),
        WorkerLeft(at=4.0, worker="w", lost=True, reason='he said "no"'),
    ]


def journal_of(path: Path, events: list[Event]) -> JournalWriter:
    writer = JournalWriter.create(path, "test")
    writer.append(events)
    writer.commit()
    return writer
