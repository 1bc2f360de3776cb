"""What is believed of results in blocks, or beside a threshold, as the file of a search has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple

from orchestrator.algorithms.base import Insight
from orchestrator.python_interface.results import Result
from orchestrator.search_files.events import StockTaken


def stock_of(insight: Insight, told: Sequence[Result]) -> StockTaken | None:
    """Which result is believed best, by an insight in the caller's sense, offsets, and which share is above a
    threshold; None of neither.
    """
    best, crossing = insight.believed_best, insight.crossing
    if best is None and crossing is None and not insight.offsets:
        return None
    return StockTaken(
        len(told),
        None if best is None else _number(best.trial, told),
        None if best is None else (best.predicted.mean, best.predicted.deviation),
        {block: (offset.mean, offset.deviation) for block, offset in insight.offsets.items()},
        None if crossing is None else astuple(crossing),
    )


def result_of(trial: int, told: Sequence[Result]) -> Result:
    """That of a trial, by the number that its algorithm has for it: of what is known from elsewhere it is
    below 0, by its place.
    """
    return next(one for one in told if one.trial == trial) if trial >= 0 else told[-1 - trial]


def _number(trial: int, told: Sequence[Result]) -> int:
    return trial if trial >= 0 else -sum(one.trial is None for one in told[: -1 - trial])
