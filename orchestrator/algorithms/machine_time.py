"""What a machine's evaluations take by themselves, and since when its settings are as they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median

from orchestrator.values.change import Changes, is_same, taken_by
from orchestrator.values.named import Values


@dataclass(slots=True)
class MachineTime:
    """Of results, told one after the other: at which parameters, and what they took.

    Where the machine's evaluations wait for its settings to change, as for an oven, what they took has the
    change in it, and where somebody else changes them it has not. Nobody has to say which: what changes
    nothing tells. As long as nothing does, what a change is said to take is taken off, where it took more.
    ``takes_s`` is what an evaluation takes by itself where a person said so.
    """

    changes: Changes
    takes_s: float | None = None
    places: list[Values] = field(default_factory=list)
    _stayed: list[float] = field(default_factory=list)
    _moved: list[float] = field(default_factory=list)
    _first: list[float] = field(default_factory=list)

    def tell(self, parameters: Values, seconds: float | None) -> float | None:
        """What an evaluation took, its change perhaps included, and returned without it; None where that is
        not known.
        """
        before = self.places[-1] if self.places else None
        self.places.append(parameters)
        if seconds is None:
            return None
        if before is None:
            # From where the machine came then, nobody knows.
            known = self._first
        elif change := sum(taken_by(self.changes, before, parameters).values()):
            known = self._moved
            seconds = seconds - change if seconds > change else seconds
        else:
            known = self._stayed
        known.append(seconds)
        return seconds

    @property
    def evaluation_s(self) -> float | None:
        """What an evaluation typically takes, without any change; None while that is not known."""
        if self.takes_s is not None:
            return self.takes_s
        known = self._stayed or self._moved or self._first
        return median(known) if known else None

    def evaluations_since(self, name: str, stands: Values) -> int:
        """How many of the last evaluations were with that setting as it ``stands``."""
        count = 0
        for place in reversed(self.places):
            if name not in place or not is_same(place[name], stands.get(name)):
                break
            count += 1
        return count

    def copied(self) -> MachineTime:
        """The same, whatever becomes of this one."""
        told = (list(self.places), list(self._stayed), list(self._moved), list(self._first))
        return MachineTime(self.changes, self.takes_s, *told)
