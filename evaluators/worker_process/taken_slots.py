"""Which slots are free, where an evaluation may take several: one has it, and others are lent to that one."""

from __future__ import annotations

from collections.abc import Sequence

from evaluators.worker_process.slot import Slot
from orchestrator.wire.messages import Evaluate


class TakenSlots:
    """Of all ``slots`` of a worker, in their order. What is lent is given back by the end of the evaluation,
    which is that of its process: as long as that is being stopped, nothing else may use what it has.
    """

    def __init__(self, slots: Sequence[Slot]) -> None:
        self._slots = slots
        self._lent: dict[int, tuple[Slot, Evaluate]] = {}

    def for_task(self, task: Evaluate) -> list[int]:
        """The places of as many free ones as it takes, the first of which is to have it; none where not as
        many are free. One that takes more than there are takes all.
        """
        wanted = max(1, min(task.slots, len(self._slots)))
        if wanted == 1 and not self._lent:
            first = next((place for place, slot in enumerate(self._slots) if slot.free), None)
            return [] if first is None else [first]
        self._take_back()
        free = [place for place, slot in enumerate(self._slots) if slot.free and place not in self._lent]
        return free[:wanted] if len(free) >= wanted else []

    def lend(self, places: Sequence[int], task: Evaluate) -> None:
        """The first has the task, and what it takes beside."""
        self._lent |= dict.fromkeys(places[1:], (self._slots[places[0]], task))

    def _take_back(self) -> None:
        self._lent = {
            place: (slot, task)
            for place, (slot, task) in self._lent.items()
            if slot.task is task or (slot.task is None and slot.is_ending)
        }
