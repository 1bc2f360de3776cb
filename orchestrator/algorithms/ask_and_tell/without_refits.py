"""The part of the protocol that is about refits, of an algorithm that has nothing to refit."""

from __future__ import annotations

from orchestrator.algorithms.base import Refit


class WithoutRefits:
    """All that it believes follows from what it was told, at once."""

    def refit_due(self) -> int | None:
        """Never."""
        return None

    def compute_refit(self, number: int) -> Refit:
        """Nothing to compute: of no results."""
        return Refit(number, 0, {})

    def adopt(self, refit: Refit) -> None:
        """Nothing to adopt."""
        del refit
