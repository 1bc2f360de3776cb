"""What a person sees of what was found by one moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from orchestrator.report.seen.believed import BELIEVED
from orchestrator.report.seen.best_now import BEST_NOW
from orchestrator.report.seen.crossing import SeenCrossing
from orchestrator.report.seen.trade_offs import TradeOff
from orchestrator.report.words.without_best import WhyNoBest
from orchestrator.values.named import Values


@dataclass(frozen=True, slots=True)
class BestPoint:
    """The best value so far; parameters are written with their units, and beside them the outcomes that
    constraints may be about; ``settings`` are the parameters for programs. A known result has a trial
    below 1.
    """

    trial: int
    value: float
    at: float | None
    parameters: tuple[tuple[str, str], ...]
    outcomes: tuple[tuple[str, str], ...] = ()
    settings: Values = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BelievedPoint:
    """Where values are noisy, or settings off: the trial believed best, as its ``title`` says, and what is
    believed of it, in words; ``settings`` are its parameters for programs.
    """

    trial: int
    value: float
    words: str
    parameters: tuple[tuple[str, str], ...]
    settings: Values = field(default_factory=dict)
    title: str = BELIEVED

    @property
    def brief(self) -> str:
        """What it is believed best in, in a few words."""
        return "but for noise" if self.title == BELIEVED else "on average"


@dataclass(frozen=True, slots=True)
class BestNowPoint:
    """Where what is best drifts: the settings believed best at this time, and what is expected of them, each
    in words and for programs; or, where conditions vary in use, the design. The ``title`` says which.
    """

    value: float
    words: str
    parameters: tuple[tuple[str, str], ...]
    settings: Values = field(default_factory=dict)
    title: str = BEST_NOW


@dataclass(frozen=True, slots=True)
class ReferencePoint:
    """The trial that the best is measured against, the value measured there, if there is one by now, on
    average over so many ``times``, and its settings, in words and for programs. ``uncounted``: a value that
    was measured and does not count, as it was forgotten or lies outside bounds that were amended. ``levels``:
    what it has, by outcomes that limits are relative to, as far as that is known.
    """

    trial: int
    value: float | None
    parameters: tuple[tuple[str, str], ...]
    settings: Values = field(default_factory=dict)
    uncounted: float | None = None
    times: int = 0
    levels: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PreferredPoint:
    """Where people compare trials: the one that is believed best, how surely, in words, and its settings, in
    words and for programs.
    """

    trial: int
    next: int | None
    chance: float | None
    words: str
    parameters: tuple[tuple[str, str], ...]
    settings: Values = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found:
    """``curve`` are the best values so far, each with the number of completed trials when it came. Where
    there are several objectives there are ``trade_offs``, the best in the first objective first, and neither
    a best one nor a curve. ``why_no_best``: there are neither trade-offs nor a best one yet. ``best_now`` are
    settings, where no trial is the best as that drifts, and ``crossing`` what is believed of where the value
    is above a threshold, where that is sought. ``preferred`` is the best trial where people compare them, of
    which none has a value. ``reference`` is what the best is measured against, if the spec names it.
    """

    best: BestPoint | None
    believed: BelievedPoint | None
    best_now: BestNowPoint | None
    crossing: SeenCrossing | None
    preferred: PreferredPoint | None
    reference: ReferencePoint | None
    trade_offs: tuple[TradeOff, ...]
    curve: tuple[tuple[int, float], ...]
    why_no_best: WhyNoBest | None
