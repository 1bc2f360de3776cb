"""What an algorithm believes, in lines for whoever prints it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from orchestrator.algorithms.base import Insight

WIDTH = 100


def in_lines(insight: Insight) -> str:
    """Its models, the likeliest first; what acts together, by the numbers of the parameters; which trial is
    believed best; its notes; and the hyperparameters of each model, to three digits.
    """
    return "\n".join([*_believed(insight), *insight.notes, *_hyperparameters(insight.hyperparameters)])


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
