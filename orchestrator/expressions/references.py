"""What was measured at a run's reference, as constraints on outcomes name it: ``reference(latency)``.

In a formula it is a name like others, with these brackets in it, and has no value until that is measured.
"""

from __future__ import annotations

from collections.abc import Iterable

from orchestrator.values.reference_named import REFERENCE

ELSEWHERE = ("baseline", "status_quo", "statusquo")
"""What others call it."""
INSTEAD = "; what is measured of today's settings is written `reference(heat)`, and is that of an outcome"
NO_REFERENCE = (
    "expected settings that `{0}` was measured at, `initial: {{reference: {{x: 0.3}}}}`, and from Python"
    ' `reference={{"x": 0.3}}`, got none'
)
NOT_KEPT = (
    "expected a limit that is known before anything is tried, where every trial is to keep it, got `{0}`;"
    " write the number"
)


def reference_to(outcome: str) -> str:
    """The name of what the reference has of an outcome."""
    return f"{REFERENCE}({outcome})"


def referred_to(name: str) -> str | None:
    """The outcome whose value at the reference a name stands for; None where it is a name as others."""
    if name.startswith(f"{REFERENCE}(") and name.endswith(")"):
        return name[len(REFERENCE) + 1 : -1]
    return None


def referred_among(names: Iterable[str]) -> tuple[str, ...]:
    """The outcomes whose values at the reference are among the names, each once."""
    found = (referred_to(name) for name in names)
    return tuple(dict.fromkeys(name for name in found if name is not None))
