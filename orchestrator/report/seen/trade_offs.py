"""The trade-offs of a run with several objectives: the trials of its front, as values and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.report.words.goals import goals_of
from orchestrator.report.words.wording import number, number_beside
from orchestrator.scheduler.front import scores
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.trial import Trial
from orchestrator.values.finite import is_finite
from orchestrator.values.named import Values
from orchestrator.values.printable import printable

if TYPE_CHECKING:
    from orchestrator.spec.model import Spec

DIGITS = 6


@dataclass(frozen=True, slots=True)
class TradeOff:
    """A trial that no other one beats in all objectives, settled at ``at`` seconds of the run.

    ``objectives`` are in the order of the spec, ``outcomes`` what it brought besides. A known result has a
    trial below 1.
    """

    trial: int
    at: float | None
    objectives: Mapping[str, float]
    outcomes: Mapping[str, object]
    parameters: Values

    @property
    def record(self) -> dict[str, object]:
        """As JSON values, for programs."""
        return {
            "trial": self.trial,
            "objectives": dict(self.objectives),
            "outcomes": dict(self.outcomes),
            "parameters": dict(self.parameters),
        }


def other_outcomes(spec: Spec) -> list[str]:
    """The names of the outcomes that are no objectives."""
    objectives = goals_of(spec)
    return [name for name in spec.outcomes if name not in objectives]


def objectives_of(spec: Spec, trial: Trial) -> dict[str, float]:
    """The objectives of a trial, as far as it has them."""
    told: dict[str, object] = {spec.objective.name: trial.value}
    told |= {one.name: trial.extras.get(one.name) for one in spec.further_objectives}
    return {
        name: float(value)
        for name, value in told.items()
        if isinstance(value, int | float) and is_finite(value)
    }


def objective_words(
    own: Mapping[str, float],
    beside: Mapping[str, float],
    units: Mapping[str, str],
    digits: int = 5,
) -> str:
    """``drag = 8.1 N, lift = 5.5 N``, in digits that tell them from those of another trial, if there is
    one; ``units`` by name.
    """
    words = (
        f"{name} = {number_beside(value, beside.get(name), digits)} {units.get(name, '')}".rstrip()
        for name, value in own.items()
    )
    return printable(", ".join(words))


def best_first(policy: Policy, front: Sequence[Trial]) -> list[Trial]:
    """The trials of a front, sorted by the first objective, and where that is the same by the next."""

    def place(trial: Trial) -> list[float]:
        return [-score for score in scores(policy, trial) or ()]

    return sorted(front, key=place)


def trade_offs_of(spec: Spec, policy: Policy, front: Sequence[Trial]) -> tuple[TradeOff, ...]:
    """Those of a front, sorted by the first objective, the best first."""
    others = other_outcomes(spec)
    return tuple(
        TradeOff(
            trial.number,
            trial.settled_at,
            objectives_of(spec, trial),
            {name: trial.extras[name] for name in others if name in trial.extras},
            dict(trial.parameters),
        )
        for trial in best_first(policy, front)
    )


def ranges_of(trade_offs: Sequence[TradeOff]) -> dict[str, tuple[float, float]]:
    """The least and the most of each objective along the front. There must be a trade-off."""
    return {
        name: (min(values), max(values))
        for name in trade_offs[0].objectives
        if (values := [one.objectives[name] for one in trade_offs])
    }


def range_words(low: float, high: float) -> str:
    """``0.1 to 8.1``, or the only value."""
    if low == high:
        return number(low, DIGITS)
    return f"{number_beside(low, high, DIGITS)} to {number_beside(high, low, DIGITS)}"


def range_of_each(trade_offs: Sequence[TradeOff], units: Mapping[str, str]) -> list[str]:
    """``drag 0.1 to 8.1 N`` and so on for each objective. There must be a trade-off."""
    ranges = ranges_of(trade_offs)
    return [
        printable(f"{name} {range_words(*both)} {units.get(name, '')}".rstrip())
        for name, both in ranges.items()
    ]


def ranges_words(trade_offs: Sequence[TradeOff], units: Mapping[str, str]) -> str:
    """``drag 0.1 to 8.1 N, lift 2 to 12 N``. There must be a trade-off."""
    return ", ".join(range_of_each(trade_offs, units))


def newest(trade_offs: Sequence[TradeOff]) -> TradeOff:
    """The last that came. There must be one."""
    return max(trade_offs, key=lambda one: (one.at is not None, one.at or 0.0, one.trial))
