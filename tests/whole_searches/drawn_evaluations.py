"""Evaluations of a drawn search by a worker's process: what a draft's return of the same settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cheap_values import Returned
from drawn_search import drawn


def evaluate(parameters: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Of the search of a seed. Raises ValueError where one fails."""
    returned = Returned(drawn(seed))
    if returned.fails(parameters):
        raise ValueError("it burst")
    return flat(returned.told(1, parameters))


def flat(told: dict[str, Any]) -> dict[str, Any]:
    """The value and what comes beside it by name, as workers and people say it."""
    if isinstance(told.get("value"), Mapping):
        told |= told.pop("value")
    told |= told.pop("outcomes", {})
    told.pop("seconds", None)
    if (block := told.pop("block", None)) is not None:
        told["plate"] = block
    if told.get("value") is not None:
        told["value"] = float(told["value"])
    return told
