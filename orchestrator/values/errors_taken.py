"""How errors of targets are taken, where it is asked which settings are plausible: as people say it."""

from __future__ import annotations

from orchestrator.errors import UsageError
from orchestrator.spelling import did_you_mean

TOLD, SCALED = "told", "scaled"
ERRORS_TAKEN = (TOLD, SCALED)
"""As they were told, or all larger by one factor that nobody knows."""


def are_scaled(taken: object) -> bool:
    """Whether they are larger by a factor. Raises UsageError for what is no way to take them."""
    if taken not in ERRORS_TAKEN:
        raise UsageError(
            f"expected `errors` as told or scaled, got {taken!r}{did_you_mean(str(taken), ERRORS_TAKEN)}"
        )
    return taken == SCALED
