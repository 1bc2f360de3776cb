"""How many evaluations are under way at a time, and what they have in common."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from orchestrator.scheduler.rules.places import Places
from orchestrator.values.named import Values


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """Whether points wait for each other, as ``batch`` of them do where synchronous; ``sharing`` are the
    parameters that are alike in all that run.
    """

    kind: Literal["asynchronous", "synchronous", "sequential"] = "asynchronous"
    batch: int = 1
    sharing: tuple[str, ...] = ()

    @property
    def at_a_time(self) -> float:
        """How many trials may run at a time, whatever the workers; infinite where only these limit it."""
        return {"sequential": 1, "synchronous": self.batch, "asynchronous": math.inf}[self.kind]

    def shared_by(self, parameters: Values) -> Places:
        """What all trials that run beside one of these parameters are to have as well."""
        return {name: parameters[name] for name in self.sharing if name in parameters}
