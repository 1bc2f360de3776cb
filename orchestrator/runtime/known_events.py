"""Known results as they stand in the journal, from what was read of them."""

from __future__ import annotations

from collections.abc import Iterable

from orchestrator.scheduler.events import KnownResult
from orchestrator.spec import model


def known_events(results: Iterable[model.KnownResult]) -> tuple[KnownResult, ...]:
    """Each result of a spec, or of a file or line added to a run, for the scheduler."""
    return tuple(
        KnownResult(
            parameters=one.parameters,
            value=one.value,
            variance=one.variance,
            factors=None if one.factors is None else tuple(one.factors),
        )
        for one in results
    )
