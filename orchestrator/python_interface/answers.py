"""What the Python interface hands out: trials to evaluate, and the best of those told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from orchestrator.algorithms.base import Prediction
from orchestrator.python_interface.shown import LONGEST_CELL, uncertain
from orchestrator.spec.results.column_names import own_name
from orchestrator.values.curve import Outcomes
from orchestrator.values.plain import copied
from orchestrator.values.printable import printable


@dataclass(frozen=True, slots=True, repr=False)
class Asked:
    """A trial to evaluate: its number, its parameters, what the model predicts of it (None without one), why
    it was chosen, and what it costs, where that is not the same of all: 1 at full fidelity. It goes on from
    what the trial left that it ``continues``, which looked less closely; None: from none. With `pb2` and
    `pbt` that may have had other settings, with others it had the same.
    """

    trial: int
    parameters: dict[str, Any]
    predicted: Prediction | None
    why: Mapping[str, Any]
    cost: float = 1.0
    continues: int | None = None

    def __repr__(self) -> str:
        """Without why, which is long: a notebook that shows what was asked is to show the points."""
        predicted = _in_short(self.predicted)
        cost = "" if self.cost == 1.0 else f", cost={self.cost!r}"
        continues = "" if self.continues is None else f", continues={self.continues}"
        told = f"trial={self.trial}, parameters={self.parameters!r}, predicted={predicted}"
        return f"Asked({told}{cost}{continues})"

    def row(self) -> dict[str, Any]:
        """The trial, what is predicted, its cost, and its parameters: one level deep."""
        mean = None if self.predicted is None else self.predicted.mean
        deviation = None if self.predicted is None else self.predicted.deviation
        own = {"trial": self.trial, "expected": mean, "deviation": deviation, "cost": self.cost}
        return _beside(own, self.parameters)

    def cells(self) -> dict[str, object]:
        """What is shown of it among others."""
        own: dict[str, object] = {"trial": self.trial}
        if self.predicted is not None:
            own["predicted"] = _in_short(self.predicted)
        if self.cost != 1.0:
            own["cost"] = self.cost
        if self.continues is not None:
            own["continues"] = self.continues
        return _beside(own, self.parameters)


@dataclass(frozen=True, slots=True, repr=False)
class Recommended:
    """Parameters that are believed best, and what the model predicts of them, tried or not."""

    parameters: dict[str, Any]
    predicted: Prediction

    def __repr__(self) -> str:
        return f"Recommended(parameters={self.parameters!r}, predicted={_in_short(self.predicted)})"


@dataclass(frozen=True, slots=True)
class Preferred:
    """The trial that is believed best, its parameters, and the ``chance`` that it is better than trial
    ``next``, the next best; both None where no other one may be the best.
    """

    trial: int
    parameters: dict[str, Any]
    next: int | None
    chance: float | None


@dataclass(frozen=True, slots=True, repr=False)
class Believed:
    """A result that is believed best, and what the model predicts of its point, without offsets and noise.
    ``trial`` is None where it is known from elsewhere.
    """

    trial: int | None
    parameters: dict[str, Any]
    predicted: Prediction

    def __repr__(self) -> str:
        told = f"trial={self.trial}, parameters={self.parameters!r}"
        return f"Believed({told}, predicted={_in_short(self.predicted)})"


@dataclass(frozen=True, slots=True, repr=False)
class Best:
    """The best value told, and where; or, of several objectives, one that no other beats in all of them, with
    its ``outcomes``; ``extras`` are what else came with it. ``trial`` is None for a result known from
    elsewhere. Where results come in blocks, the best value may be of a lucky one: which result is
    ``believed`` best without its offset; None before there is a model, and elsewhere.
    """

    trial: int | None
    parameters: dict[str, Any]
    value: float
    outcomes: Outcomes = field(default_factory=dict)
    believed: Believed | None = None
    extras: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        told = f"trial={self.trial}, parameters={self.parameters!r}, value={self.value!r}"
        believed = "" if self.believed is None else f", believed={self.believed!r}"
        extras = f", extras={self.extras!r}" if self.extras else ""
        if len(extras) > LONGEST_CELL:
            extras = f", extras of {printable(', '.join(self.extras))}"
        return f"Best({told}, outcomes={self.outcomes!r}{believed}{extras})"

    def row(self) -> dict[str, Any]:
        """All of it, one level deep."""
        own = {"trial": self.trial, "value": self.value}
        if (likely := self.believed) is not None:
            own |= {
                "believed_best": likely.predicted.mean,
                "believed_best_deviation": likely.predicted.deviation,
                "believed_best_trial": likely.trial,
            }
        return _beside(own, {**self.outcomes, **self.parameters})

    def cells(self) -> dict[str, object]:
        """What is shown of it among others."""
        return self.row()

    def handed_out(self) -> Best:
        """The same, to be changed at will."""
        parameters, extras = copied(dict(self.parameters)), copied(dict(self.extras))
        return replace(self, parameters=parameters, outcomes=dict(self.outcomes), extras=extras)


def _in_short(predicted: Prediction | None) -> str:
    return "None" if predicted is None else uncertain(predicted.mean, predicted.deviation)


def _beside(own: Mapping[str, Any], theirs: Mapping[str, Any]) -> dict[str, Any]:
    """What is ours, by a name of its own, and what the experiment has names for."""
    return {own_name(name, theirs): told for name, told in own.items()} | dict(theirs)
