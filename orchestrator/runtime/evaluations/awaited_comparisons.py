"""Which trials wait for people to compare them: each is told of once, and again where it waits once more."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.scheduler.handling.comparing import to_compare_with
from orchestrator.scheduler.state import State


class AwaitedComparisons:
    """What was told already is kept between turns."""

    def __init__(self) -> None:
        self._told: set[int] = set()

    def sentences(self, state: State) -> Iterator[str]:
        """One for each trial that waits since the last turn."""
        waiting = {trial.number for trial in state.uncompared}
        for number in sorted(waiting - self._told):
            other = to_compare_with(state, number)
            yield (
                f"trial {number} is to be compared, best with trial {other}:"
                f" orchestrator prefer {number} --over {other}, or the other way round"
            )
        self._told = waiting
