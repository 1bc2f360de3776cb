"""When hyperparameters are fitted anew where that is done as soon as they are asked for: ever more rarely."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RarerFits:
    """After ``each`` of the first so many results, and so often in each ``doubling`` of them since."""

    each: int
    doubling: int

    def seen(self, results: int) -> int:
        """How many of so many results, the first, the last fit sees: the same whenever the run is resumed."""
        if results < self.each:
            return results
        step = max(1, (1 << (results.bit_length() - 1)) // self.doubling)
        return results - results % step
