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
    "promising": "where good settings are believed to lie is told along a line",
}
"""Keys of a parameter that cannot stand beside, and why."""


def none_beside(key: str) -> str:
    """What is expected of what comes round, by a key of `BESIDE`."""
    return f"no `{key}` beside `periodic`: {BESIDE[key]}"


def require_nothing_beside(told: Mapping[str, Any]) -> None:
    """Raises ValueError, with what was expected, where anything of `BESIDE` is ``told``, or an `in_use` that
    has a mean.
    """
    for key in BESIDE:
        if told.get(key) is not None:
            raise ValueError(f"{none_beside(key)}; leave one of them out")
    in_use = told.get("in_use")
    if isinstance(in_use, Mapping) and "mean" in in_use:
        raise ValueError(
            "no `mean` of what comes up in use beside `periodic`: what is past a bound would be cut off"
            " there; say `evenly`, or list what was `recorded`"
        )


def require_periodic(beside: Mapping[str, Any]) -> None:
    """Raises ValueError, with what was expected, where what else is said of a parameter says that it cannot
    come round: ``bounds``, and perhaps ``scale``, ``step``, ``type``, ``in_use`` and keys of `BESIDE`.
    """
    if beside.get("scale", "linear") != "linear":
        raise ValueError("a linear scale beside `periodic`: by orders of magnitude nothing comes round")
    require_nothing_beside(beside)
    low, high = beside["bounds"]
    step = beside.get("step") or (1 if beside.get("type") == "int" else None)
    if step is not None and not high - low > 1.5 * step:
        raise ValueError(
            "at least two settings beside `periodic`, where both bounds are the same one; widen the bounds"
        )
