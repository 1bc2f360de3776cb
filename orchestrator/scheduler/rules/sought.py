"""What a run is after: which of two values is better, and which points cannot be the best."""

from __future__ import annotations

from dataclasses import dataclass, field

from orchestrator.objectives import Goal
from orchestrator.scheduler.rules.places import Places


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """What is sought.

    ``goal`` is that of the value, and ``further`` are outcomes that are objectives too, each with its goal.
    ``full`` is the value at full fidelity of the parameter that says how closely an evaluation looks, by its
    name; empty where all look alike. ``kept`` are the limits on outcomes that no trial may break, as they
    were written: the optimiser may have no point that is sure enough before more is known. ``averages``: it
    is best on average over settings that are a little off, and not as set. ``in_use``: parameters that vary
    in use, over which no trial is the best, but a design of the others, and ``over`` in words how it is best
    over these; or, where it is ``for_each``, other settings are best in each of their values. ``threshold``:
    it is sought where the value is above this, and no point is the best.
    """

    goal: Goal = "maximise"
    further: tuple[tuple[str, Goal], ...] = ()
    full: Places = field(default_factory=dict)
    kept: tuple[str, ...] = ()
    averages: bool = False
    in_use: tuple[str, ...] = ()
    over: str = ""
    for_each: bool = False
    threshold: float | None = None

    def better(self, value: float, than: float) -> bool:
        """Whether a value beats another, in the objective's own sense."""
        return value > than if self.goal == "maximise" else value < than
