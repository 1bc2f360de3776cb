"""What an algorithm believes: of a point, of which trial is best, and of the function as a whole."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # Who only reads a spec need not load it.
    from orchestrator.surrogates.scales.standardise import Standardisation

WIDTH = 100


@dataclass(frozen=True, slots=True)
class Prediction:
    """The model's belief in a point's value before it is evaluated: mean and standard deviation."""

    mean: float
    deviation: float

    @classmethod
    def of(cls, mean: float, variance: float, scale: Standardisation) -> Prediction:
        """What is believed of standardised values, in the units of those that ``scale`` is of."""
        return cls(*scale.undo_prediction(float(mean), math.sqrt(variance)))


@dataclass(frozen=True, slots=True)
class BelievedBest:
    """The ``trial`` whose point is believed best of all that were told, and what is believed of it without
    the noise of its value.
    """

    trial: int
    predicted: Prediction


@dataclass(frozen=True, slots=True)
class Preferred:
    """The ``trial`` that is believed best by comparisons, and the ``chance`` that it is better than the
    ``next`` best; both None where no other one may be the best.
    """

    trial: int
    next: int | None
    chance: float | None


@dataclass(frozen=True, slots=True)
class Crossing:
    """Which share of the domain is believed to lie ``above`` the threshold, and between which bounds, ``low``
    and ``high``, that is nine times out of ten; and of which share the model is expected to name the wrong
    side, ``misclassified``. All in [0, 1].
    """

    above: float
    low: float
    high: float
    misclassified: float


@dataclass(frozen=True, slots=True, repr=False)
class Insight:
    """What the algorithm believes now, as JSON values, for the monitor, the journal and `explain`.

    ``weights`` maps an ensemble member's name to its probability. ``decomposition`` is the list of factors
    (parameter numbers) believed in, with its ``probability``. ``hyperparameters`` maps a member's name to
    its own. ``notes`` are sentences. ``believed_best`` is only where values are noisy, or settings are off:
    elsewhere the highest value is the best. ``preferred`` is only where there are no values. ``offsets`` are
    what is believed of those that values of each block share, by its name, from the mean of all. ``crossing``
    is only where a threshold is sought. ``by_logarithm`` has the numbers of parameters that count by the
    logarithm of their distance from the end of their range that they are under, "lower" or "upper", where
    nobody said so.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    decomposition: Sequence[Sequence[int]] | None = None
    probability: float | None = None
    hyperparameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    notes: Sequence[str] = ()
    believed_best: BelievedBest | None = None
    preferred: Preferred | None = None
    offsets: Mapping[str, Prediction] = field(default_factory=dict)
    crossing: Crossing | None = None
    by_logarithm: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def __repr__(self) -> str:
        """In lines, for whoever prints it: its models, the likeliest first; what acts together, by numbers of
        parameters; which trial is believed best; its notes; and the hyperparameters of each model, to three
        digits.
        """
        lines = [
            *_believed(self),
            *_crossing(self.crossing),
            *_by_logarithm(self.by_logarithm),
            *self.notes,
            *_hyperparameters(self.hyperparameters),
        ]
        return "\n".join(lines)


def in_own_terms(insight: Insight, sign: float) -> Insight:
    """An insight of an algorithm, which maximises, in the sense of an objective: -1 of one to minimise."""
    best = insight.believed_best
    offsets = {block: _in_sense(one, sign) for block, one in insight.offsets.items()}
    if best is None:
        return replace(insight, offsets=offsets) if offsets else insight
    believed = BelievedBest(best.trial, _in_sense(best.predicted, sign))
    return replace(insight, believed_best=believed, offsets=offsets)


def _in_sense(predicted: Prediction, sign: float) -> Prediction:
    return Prediction(sign * predicted.mean, predicted.deviation)


def _believed(insight: Insight) -> Iterator[str]:
    width = max(map(len, insight.weights), default=0)
    for name, weight in sorted(insight.weights.items(), key=lambda item: -item[1]):
        yield f"{name:{width}}  {100.0 * weight:5.1f} %"
    if insight.decomposition is not None:
        likely = "" if insight.probability is None else f" ({100.0 * insight.probability:.0f} %)"
        groups = "; ".join(", ".join(map(str, factor)) for factor in insight.decomposition)
        yield from _wrapped(f"these act together{likely}: {groups}")
    if (best := insight.believed_best) is not None:
        predicted = best.predicted
        yield f"trial {best.trial} is believed best: {predicted.mean:.5g} ± {predicted.deviation:.2g}"
    for block, offset in insight.offsets.items():
        yield f"offset of {block or 'results that say no block'}: {offset.mean:+.3g} ± {offset.deviation:.2g}"


def _crossing(told: Crossing | None) -> Iterator[str]:
    if told is not None:
        above, low, high, wrong = (
            100.0 * share for share in (told.above, told.low, told.high, told.misclassified)
        )
        yield f"{above:.3g} % of the domain lies above the threshold, between {low:.3g} and {high:.3g} %"
        yield f"of {wrong:.2g} % of it the model is expected to name the wrong side"


def _by_logarithm(told: Mapping[str, Sequence[int]]) -> Iterator[str]:
    for end, numbers in told.items():
        which = ", ".join(map(str, numbers))
        yield from _wrapped(f"these count by the logarithm of their distance from the {end} end: {which}")


def _hyperparameters(of_each: Mapping[str, Mapping[str, object]]) -> Iterator[str]:
    for name, own in of_each.items():
        yield from _wrapped(f"{name}: {_told(own)}")


def _told(own: Mapping[str, object]) -> str:
    return "; ".join(f"{name} {_value(value)}" for name, value in own.items())


def _value(value: object) -> str:
    match value:
        case float():
            return f"{value:.3g}"
        case Mapping():
            return f"({_told(value)})"
        case Sequence() if not isinstance(value, str):
            return f"[{', '.join(map(_value, value))}]"
    return str(value)


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, WIDTH, subsequent_indent="    ", break_long_words=False)
