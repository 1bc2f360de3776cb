"""A search that is being put together: what its Optimiser is told, and how its results come."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from orchestrator import Candidates, Optimiser


@dataclass
class Draft:
    """``told``: the arguments of an `Optimiser` beside parameters and constraints. ``limits`` are constraints
    on outcomes. ``manner``: what of how its results come is out of the ordinary, by name. ``parts`` of
    points are to be tried first. ``features`` are those that it was drawn of.
    """

    chance: Random
    parameters: dict[str, Any] = field(default_factory=dict)
    constraints: list[str] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    outcomes: list[str] = field(default_factory=list)
    told: dict[str, Any] = field(default_factory=dict)
    manner: set[str] = field(default_factory=set)
    parts: list[dict[str, Any]] = field(default_factory=list)
    features: tuple[str, ...] = ()

    @property
    def rows(self) -> list[dict[str, Any]] | None:
        """The only ones that may be tried, as evaluations are given them; None where nothing is listed."""
        told = self.told.get("candidates")
        if not isinstance(told, Candidates):
            return told
        return [{name: value for name, value in row.items() if name not in told.seen} for row in told.rows]

    @property
    def may_come_again(self) -> bool:
        """Whether a row may be tried more than once."""
        told = self.told.get("candidates")
        return isinstance(told, Candidates) and told.again

    def arguments(self) -> dict[str, Any]:
        """All that its Optimiser is told."""
        told = dict(self.told)
        if bounds := [*self.constraints, *self.limits]:
            told["constraints"] = bounds
        if self.outcomes:
            told["outcomes"] = list(self.outcomes)
        return {"parameters": self.parameters, **told}

    def of_points_alone(self) -> dict[str, Any]:
        """What an Optimiser is told that draws points of the same kind, whatever they are for."""
        told = {name: self.told[name] for name in ("candidates",) if name in self.told}
        kept = {
            name: one if not isinstance(one, dict) else {key: one[key] for key in one if key not in VALUED}
            for name, one in self.parameters.items()
        }
        return {"parameters": kept, "constraints": self.constraints or None, "algorithm": "random", **told}

    def points(self, count: int) -> list[dict[str, Any]]:
        """Points of the same kind, drawn at random. Raises as an Optimiser of these parameters does."""
        plain = Optimiser(**self.of_points_alone(), seed=self.chance.randrange(1000))
        return [dict(one.parameters) for one in plain.ask(count)]


VALUED = ("travel", "change", "tolerance", "in_use", "prior", "promising")
"""Keys of a parameter that say nothing of where it may lie."""
