"""The point believed best where no trial is, tried or not: at this time, in a run whose best point drifts; or
the design that is best over what varies in use.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from orchestrator.report.words.wording import uncertain
from orchestrator.scheduler.state import State
from orchestrator.values.named import Values

BEST_NOW = "best now, as believed"


@dataclass(frozen=True, slots=True)
class BestNow:
    """Its ``settings``, the time among them, and what is expected of them without noise; or those of a design
    alone, and what that is worth over what varies in use, as its ``title`` says; ``usually`` is that then
    mostly so, where something has to be said of it.
    """

    settings: Values
    mean: float
    deviation: float
    title: str = BEST_NOW
    usually: Values = field(default_factory=dict)

    @property
    def whole(self) -> Values:
        """A value of every parameter."""
        return {**self.settings, **self.usually}

    def to_json(self) -> dict[str, object]:
        """For programs."""
        return {"settings": dict(self.settings), "mean": self.mean, "deviation": self.deviation}

    @property
    def words(self) -> str:
        """As in ``1.234 ± 0.012``."""
        return uncertain(self.mean, self.deviation)


def best_now(state: State) -> BestNow | None:
    """By what the optimiser said last; None where it does not say, or not yet."""
    told = state.optimiser.insight.get("best_now")
    if told is None:
        return None
    varying, over = state.policy.sought.in_use, state.policy.sought.over
    settings = {name: value for name, value in told["parameters"].items() if name not in varying}
    title = f"best {over}, as believed" if varying else BEST_NOW
    usually = {name: value for name, value in told["parameters"].items() if name in varying}
    return BestNow(settings, told["mean"], told["deviation"], title, usually)
