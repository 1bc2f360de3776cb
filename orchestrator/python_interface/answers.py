"""What the Python interface hands out: trials to evaluate, and the best of those told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from orchestrator.algorithms.base import Prediction
from orchestrator.values.plain import copied


@dataclass(frozen=True, slots=True)
class Asked:
    """A trial to evaluate: its number, its parameters, what the model predicts of it (None without one), why
    it was chosen, and what it costs, where that is not the same of all: 1 at full fidelity.
    """

    trial: int
    parameters: dict[str, Any]
    predicted: Prediction | None
    why: Mapping[str, Any] = field(repr=False)
    """Long: a notebook that shows what was asked is to show the points."""
    cost: float = 1.0


@dataclass(frozen=True, slots=True)
class Recommended:
    """Parameters that are believed best, and what the model predicts of them, tried or not."""

    parameters: dict[str, Any]
    predicted: Prediction


@dataclass(frozen=True, slots=True)
class Best:
    """The best value told, and where; or, of several objectives, one that no other beats in all of them, with
    its ``outcomes``. ``trial`` is None for a result known from elsewhere.
    """

    trial: int | None
    parameters: dict[str, Any]
    value: float
    outcomes: Mapping[str, float] = field(default_factory=dict)

    def handed_out(self) -> Best:
        """The same, to be changed at will."""
        return replace(self, parameters=copied(dict(self.parameters)), outcomes=dict(self.outcomes))
