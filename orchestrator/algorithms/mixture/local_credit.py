"""How much of the search goes into a region, by what searching there and elsewhere has brought of late."""

from __future__ import annotations

from dataclasses import dataclass, replace

# With each result that comes, the ones before count for this part of what they did.
MEMORY = 0.95
# Neither search is given up, whatever it has brought of late.
LEAST_SHARE, LARGEST_SHARE = 0.25, 0.75
# Successive multiples of it, less their whole parts, are spread evenly over [0, 1] however many there are.
GOLDEN = 0.6180339887498949


@dataclass(frozen=True, slots=True)
class LocalCredit:
    """Discounted counts of results in the region and elsewhere, and of those that were successes."""

    inside: float = 0.0
    inside_successes: float = 0.0
    outside: float = 0.0
    outside_successes: float = 0.0

    def after(self, inside: bool, success: bool) -> LocalCredit:
        """After one more result."""
        faded = LocalCredit(
            MEMORY * self.inside,
            MEMORY * self.inside_successes,
            MEMORY * self.outside,
            MEMORY * self.outside_successes,
        )
        if inside:
            return replace(faded, inside=faded.inside + 1, inside_successes=faded.inside_successes + success)
        return replace(faded, outside=faded.outside + 1, outside_successes=faded.outside_successes + success)

    @property
    def share(self) -> float:
        """The part of suggestions that are for the region, a quarter at least and three quarters at most."""
        local = (self.inside_successes + 0.5) / (self.inside + 1.0)
        elsewhere = (self.outside_successes + 0.5) / (self.outside + 1.0)
        return min(max(local / (local + elsewhere), LEAST_SHARE), LARGEST_SHARE)

    def chooses_region(self, trial: int) -> bool:
        """Whether a trial is for the region: settled by its number, whoever asks and in what order."""
        return _even(trial) < self.share

    def owes_region(self, trial: int) -> bool:
        """Whether it is one of those that are the region's in any case."""
        return _even(trial) < LEAST_SHARE


def _even(trial: int) -> float:
    return (trial * GOLDEN) % 1.0
