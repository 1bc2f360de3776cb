"""The point believed best at this time, in a run whose best point drifts: tried or not."""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.report.words.wording import uncertain
from orchestrator.scheduler.state import State
from orchestrator.values.named import Values

BEST_NOW = "best now, as believed"


@dataclass(frozen=True, slots=True)
class BestNow:
    """Its ``settings``, the time among them, and what is expected of them without noise."""

    settings: Values
    mean: float
    deviation: float

    @property
    def words(self) -> str:
        """As in ``1.234 ± 0.012``."""
        return uncertain(self.mean, self.deviation)


def best_now(state: State) -> BestNow | None:
    """By what the optimiser said last; None where it does not say, or not yet."""
    told = state.insight.get("best_now")
    return None if told is None else BestNow(told["parameters"], told["mean"], told["deviation"])
