"""What an evaluation reports while it runs, to messages and back: numbers that are not finite stand apart."""

from __future__ import annotations

import math
from collections.abc import Mapping

from orchestrator.wire.messages import NotFinite, Progress


def progress_of(lease: str, step: int, quantities: Mapping[str, float]) -> Progress:
    """The message that reports these quantities, be they NaN or infinite."""
    finite = {name: number for name, number in quantities.items() if math.isfinite(number)}
    others = {name: _written(number) for name, number in quantities.items() if name not in finite}
    return Progress(lease=lease, step=step, values=finite, not_finite=others)


def quantities_of(progress: Progress) -> dict[str, float]:
    """The quantities that a message reports, with those that are NaN or infinite."""
    return {**progress.values, **{name: float(written) for name, written in progress.not_finite.items()}}


def _written(number: float) -> NotFinite:
    if math.isnan(number):
        return "nan"
    return "inf" if number > 0.0 else "-inf"
