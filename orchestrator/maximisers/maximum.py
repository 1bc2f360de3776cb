"""What every maximiser answers with: a point, its value, and what it took."""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class Report:
    """What a maximisation took.

    ``evaluations`` counts points at which the function (or, for message passing, each factor's own) was
    computed, ``rounds`` exchanges of messages between neighbours; ``residual`` is how far, in [0, 1], the
    neighbours were from agreeing when they stopped.
    """

    evaluations: int
    rounds: int = 0
    residual: float = 0.0


@dataclass(frozen=True, slots=True)
class Maximum:
    """The best point found, (D,) and feasible, and the function's value there."""

    point: FloatArray
    value: float
    report: Report
