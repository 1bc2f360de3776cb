"""In which share of the domain the value is believed to lie above a threshold, as the optimiser said last."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from orchestrator.report.words.goals import threshold_words
from orchestrator.scheduler.state import State
from orchestrator.spec.model import Spec
from orchestrator.values.percent import fine_percentage


@dataclass(frozen=True, slots=True)
class SeenCrossing:
    """Shares as `Crossing` has them, of a domain where the value is above ``threshold``, in words."""

    above: float
    low: float
    high: float
    misclassified: float
    threshold: str

    def to_json(self) -> dict[str, float]:
        """For programs."""
        return {name: value for name, value in asdict(self).items() if name != "threshold"}

    @property
    def words(self) -> str:
        """As in ``41 % of the domain lies above 80 °C``."""
        return f"{fine_percentage(self.above)} of the domain lies above {self.threshold}"

    @property
    def believed(self) -> str:
        """How surely, which is to stand behind the words."""
        low = fine_percentage(self.low).removesuffix(" %")
        between = f"between {low} and {fine_percentage(self.high)}, as the model believes"
        return f"{between}; of {fine_percentage(self.misclassified)} it is expected to name the wrong side"


def crossing_of(spec: Spec, state: State) -> SeenCrossing | None:
    """None where it does not say, or not yet."""
    told = state.optimiser.insight.get("crossing")
    if told is None or spec.objective.threshold is None:
        return None
    above, low, high, wrong = (told[name] for name in ("above", "low", "high", "misclassified"))
    return SeenCrossing(above, low, high, wrong, threshold_words(spec))
