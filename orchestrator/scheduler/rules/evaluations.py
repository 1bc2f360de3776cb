"""What a spec decides of evaluations: how often one is tried, who agrees to it, what it takes."""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.scheduler.rules.slots_needed import SlotsNeeded
from orchestrator.values.named import Values


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluations:
    """The rules of evaluations.

    ``attempts`` is how many failures a trial is allowed; ``give_up_after`` how many failed trials a run is in
    which none has succeeded. ``approval``: a person agrees to each beforehand. ``slots``: how many of a
    worker's a trial takes; None where each takes one.
    """

    attempts: int = 3
    give_up_after: int | None = None
    approval: bool = False
    slots: SlotsNeeded | None = None

    def slots_of(self, parameters: Values) -> int:
        """How many slots of a worker a trial of these parameters takes; 0 where that cannot be told."""
        return 1 if self.slots is None else self.slots.of(parameters)
