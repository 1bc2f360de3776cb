"""Which parameters turned out to count by their logarithms, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from orchestrator.report.words.wording import listed, searched_parameters
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.parameters import FloatParameter, IntParameter, OrderedParameter
from orchestrator.values.printable import printable

LEAST_SPAN = 5.0
"""Of bounds that are fewer times apart a logarithmic scale is much like a linear one."""
ON_LOG = " of a scale that is logarithmic already"
LOG = ": `scale: log` would say so from the start"
LINEAR = ": `scale: linear` would say about the same from the start"


def scales_words(spec: Spec, insight: Mapping[str, Any]) -> Iterator[str]:
    """A clause for each kind of them, by an algorithm's insight, and what to do about it."""
    names = searched_parameters(spec, insight)
    for end, numbers in (insight.get("by_logarithm") or {}).items():
        alike: dict[_Kind, list[str]] = {}
        for name in (names[j] for j in numbers if j < len(names)):
            alike.setdefault(_kind(spec.parameters[name], upper=end == "upper"), []).append(name)
        for kind, which in alike.items():
            yield printable(f"{_counting(which, kind)}{kind.advice_of(len(which))}")


def seen_words(by_logarithm: Mapping[str, Sequence[str]]) -> str:
    """How a model sees parameters that it sees so, by their names under each end; else nothing."""
    said = []
    for end, which in by_logarithm.items():
        whose = "its" if len(which) == 1 else "their"
        said.append(f"{_named(which)} by the logarithm of {whose} distance from the {end} end")
    return printable(f"seeing {listed(said)}") if said else ""


@dataclass(frozen=True)
class _Kind:
    """From which ``end`` they count, what is to be said of the scale that they are on, and the ``advice`` how
    to say so from the start, which may be to have them ``computed``.
    """

    end: str
    on_scale: str = ""
    advice: str = ""
    computed: bool = False

    def advice_of(self, count: int) -> str:
        if not self.computed:
            return self.advice
        it = "it" if count == 1 else "them"
        return f": to say so from the start, have {it} computed from that distance, searched on `scale: log`"


def _kind(parameter: object, *, upper: bool) -> _Kind:
    """A logarithmic scale counts from zero, not from an end: it is advised where that is about the same."""
    end = "upper end" if upper else "lower end"
    if isinstance(parameter, FloatParameter | IntParameter):
        if parameter.scale == "log":
            return _Kind(end, ON_LOG, LINEAR if upper else "")
        low, high = parameter.bounds
        spans = not upper and 0 < LEAST_SPAN * low <= high
        return _Kind(end, advice=LOG if spans else "", computed=not spans)
    if isinstance(parameter, OrderedParameter):
        end = "last value" if upper else "first value"
        if parameter.scale == "log":
            return _Kind(end, ON_LOG)
        towards = parameter.numbers[::-1] if upper else parameter.numbers
        spans = bool(towards) and 0 < LEAST_SPAN * towards[0] <= towards[-1]
        return _Kind(end, advice=LOG if spans else "")
    return _Kind(end)


def _counting(names: Sequence[str], kind: _Kind) -> str:
    verb, whose = ("counts", "its") if len(names) == 1 else ("count", "their")
    by = f"{verb} by the logarithm of {whose} distance from the {kind.end}"
    return f"{_named(names)} {by}{kind.on_scale}"


def _named(names: Sequence[str]) -> str:
    return listed([f"`{name}`" for name in names])
