"""How a constraint on outcomes names what was measured at a run's reference: ``reference(latency)``."""

from __future__ import annotations

REFERENCE = "reference"


def names_reference(constraint: str) -> bool:
    """Whether a constraint, as it was written, is relative to the reference."""
    return f"{REFERENCE}(" in "".join(constraint.split())
