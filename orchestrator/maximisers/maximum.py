"""What every maximiser answers with: a point, its value, and what it took to agree on it."""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class Report:
    """What it took neighbours to agree, where there were any who had to.

    ``rounds`` counts exchanges of messages between them; ``residual`` is how far, in [0, 1], they were from
    agreeing when they stopped.
    """

    rounds: int = 0
    residual: float = 0.0


@dataclass(frozen=True, slots=True)
class Maximum:
    """The best point found, (D,) and feasible, and the function's value there."""

    point: FloatArray
    value: float
    report: Report = Report()
