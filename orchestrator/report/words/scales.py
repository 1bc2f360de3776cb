"""Which parameters turned out to count by their logarithms, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from orchestrator.report.words.wording import listed, searched_parameters
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.parameters import FloatParameter, IntParameter
from orchestrator.values.printable import printable

LEAST_SPAN = 5.0
"""Of bounds that are fewer times apart a logarithmic scale is much like a linear one."""


def scales_words(spec: Spec, insight: Mapping[str, Any]) -> Iterator[str]:
    """A clause for each end that they count from, by an algorithm's insight, and what to do about it."""
    names = searched_parameters(spec, insight)
    for end, numbers in (insight.get("by_logarithm") or {}).items():
        which = [names[j] for j in numbers if j < len(names)]
        if not which:
            continue
        verb, whose = ("counts", "its") if len(which) == 1 else ("count", "their")
        said = f"{listed([f'`{name}`' for name in which])} {verb} by the logarithm of {whose} distance"
        advice = ": `scale: log` would say so from the start" if _may_say_so(spec, end, which) else ""
        yield printable(f"{said} from the {end} end{advice}")


def _may_say_so(spec: Spec, end: str, names: Sequence[str]) -> bool:
    """Whether the spec could say so of all of them, or nearly: what it says counts from zero, not an end."""
    told = [spec.parameters[name] for name in names]
    linear = [p for p in told if isinstance(p, FloatParameter | IntParameter) and p.scale == "linear"]
    if end == "upper" or len(linear) < len(told):
        return False
    return all(0 < LEAST_SPAN * p.bounds[0] <= p.bounds[1] for p in linear)
