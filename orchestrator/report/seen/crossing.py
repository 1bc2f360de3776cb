"""In which share of the domain the value is believed to lie above a threshold, as the optimiser said last."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from orchestrator.report.words.goals import threshold_words
from orchestrator.scheduler.state import State
from orchestrator.spec.model import Spec


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
        return f"{domain_share(self.above)} of the domain lies above {self.threshold}"

    @property
    def believed(self) -> str:
        """How surely, which is to stand behind the words."""
        between = f"between {_percent(self.low)} and {domain_share(self.high)}, as the model believes"
        return f"{between}; of {domain_share(self.misclassified)} it is expected to name the wrong side"


def crossing_of(spec: Spec, state: State) -> SeenCrossing | None:
    """None where it does not say, or not yet."""
    told = state.insight.get("crossing")
    if told is None or spec.objective.threshold is None:
        return None
    above, low, high, wrong = (told[name] for name in ("above", "low", "high", "misclassified"))
    return SeenCrossing(above, low, high, wrong, threshold_words(spec))


def domain_share(share: float) -> str:
    """``41 %`` of a share in [0, 1], or ``2.3 %`` of a small one."""
    return f"{_percent(share)} %"


def _percent(share: float) -> str:
    percent = 100.0 * share
    if 0.0 < percent < 0.05:
        return "<0.1"
    near = min(percent, 100.0 - percent)
    return f"{percent:.0f}" if near >= 9.95 or near == 0.0 else f"{percent:.1f}"
