"""The points of a caller's own that a search evaluates first, as they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from orchestrator.errors import UsageError
from orchestrator.values.foreign import in_a_line

Points: TypeAlias = Sequence[Mapping[str, Any]]


def points_of(told: object) -> Points:
    """Those that are told; none, if nothing is. Raises UsageError for what is no list of mappings."""
    if told is None:
        return ()
    if isinstance(told, Sequence) and not isinstance(told, str | bytes):
        points = [one for one in told if isinstance(one, Mapping)]
        if len(points) == len(told):
            return points
    raise UsageError(
        f'expected as `points` a list of mappings, as [{{"x": 0.3, "n": 2}}], got {in_a_line(told)}'
    )
