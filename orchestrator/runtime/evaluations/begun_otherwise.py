"""With which settings a trial was begun that another goes on from with settings of its own."""

from __future__ import annotations

from orchestrator.scheduler.commands import Evaluate
from orchestrator.scheduler.state import State
from orchestrator.values.named import Values


def begun_otherwise(state: State, command: Evaluate, accumulates: str) -> Values:
    """All parameters of that trial, where more differs than the one that ``accumulates``; else none."""
    begun = state.begun(state.trials[command.trial]) if command.continues else None
    if (
        begun is None
        or {**begun.parameters, accumulates: command.parameters[accumulates]} == command.parameters
    ):
        return {}
    return begun.parameters
