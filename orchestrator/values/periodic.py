"""A parameter that comes round, such as an angle from -180 to 180 degrees: both bounds are one setting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

BESIDE: Final[Mapping[str, str]] = {
    "travel": "which way round a setting may go is not said by how far",
    "change": "which way round a setting goes is not said by how far",
    "tolerance": "what is off by a little past a bound is not followed to the other",
    "least": "an amount does not come round",
    "prior": "what is known beforehand lies along a line",
}
"""Keys of a parameter that cannot stand beside, and why."""


def refused_beside(key: str, why: str) -> str:
    """What is expected, of an item of `BESIDE`."""
    return f"no `{key}` beside `periodic`: {why}; leave one of them out"


def require_periodic(beside: Mapping[str, Any]) -> None:
    """Raises ValueError, with what was expected, where what else is said of a parameter says that it cannot
    come round: ``bounds``, and perhaps ``scale``, ``step``, ``type`` and keys of `BESIDE`.
    """
    if beside.get("scale", "linear") != "linear":
        raise ValueError("a linear scale beside `periodic`: by orders of magnitude nothing comes round")
    for key, why in BESIDE.items():
        if beside.get(key) is not None:
            raise ValueError(refused_beside(key, why))
    low, high = beside["bounds"]
    step = beside.get("step") or (1 if beside.get("type") == "int" else None)
    if step is not None and not high - low > 1.5 * step:
        raise ValueError(
            "at least two settings beside `periodic`, where both bounds are the same one; widen the bounds"
        )
