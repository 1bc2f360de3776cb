"""The trial that is believed best where people compare trials, of which none has a value."""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.scheduler.comparisons import is_comparable
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.values.percent import percent

PREFERRED = "preferred, as believed"


@dataclass(frozen=True, slots=True)
class Preferred:
    """It, and the ``chance`` that it is better than trial ``next``, the next best; both None where no other
    one that was compared may be the best.
    """

    trial: Trial
    next: int | None
    chance: float | None

    @property
    def words(self) -> str:
        """Which it is, and how surely."""
        if self.chance is None:
            return f"trial {self.trial.number}, as of those compared it alone satisfies the constraints"
        surely = f"better than trial {self.next}, the next, with a chance of {percent(self.chance, 2)}"
        return f"trial {self.trial.number}, {surely}"


def preferred(state: State) -> Preferred | None:
    """By what the optimiser said last; None where it does not say, or what it says counts no longer."""
    told = state.optimiser.insight.get("preferred")
    if told is None or not is_comparable(state, told["trial"]):
        return None
    if not state.where_sought(state.trials[told["trial"]]):
        return None
    return Preferred(state.trials[told["trial"]], told["next"], told["chance"])
