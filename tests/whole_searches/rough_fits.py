"""Fits that end after a few steps: what depends on them is run through in a fraction of the time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from orchestrator.surrogates.fits import mode_search

STEPS = 2


@contextmanager
def rough_fits() -> Iterator[None]:
    """Hyperparameters are little better than where their search begins: worse models, but models."""
    minimize = mode_search.minimize

    def roughly(loss: Any, start: Any, *, options: dict[str, Any], **others: Any) -> Any:
        return minimize(loss, start, options={**options, "maxiter": STEPS}, **others)

    mode_search.minimize = roughly
    try:
        yield
    finally:
        mode_search.minimize = minimize
