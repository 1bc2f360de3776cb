"""Of some seeds: evaluations that take several slots of their worker, as many each or by where they are.

What these seeds draw beyond the others is drawn from a stream of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from virtual_world import Broken

from evaluators.worker_process.slot import Slot
from orchestrator.spec.model import Spec

SHARE = 0.3
MOST = 3
"""As many as the largest evaluation takes, and the first host has."""
WHOSE = (2, 3, f"min({MOST}, ceil(1 + 2 * x))", f"min({MOST}, 4 - ceil(1 + 2 * x))")
"""No more of them wherever bounds are amended to: no larger worker would ever come."""


def stream(seed: int) -> Random | None:
    """Of a seed whose evaluations take several slots; None of any other."""
    chance = Random(f"broad {seed}")
    return chance if chance.random() < SHARE else None


def broadened(spec: Spec, chance: Random) -> Spec:
    """The same, with evaluations that take several."""
    evaluation = spec.evaluation.model_copy(update={"slots": chance.choice(WHOSE)})
    return spec.model_copy(update={"evaluation": evaluation})


def check_room(name: str, slots: Iterable[Slot], there_are: int) -> None:
    """What a worker is at takes no more slots than it has. Raises `Broken`."""
    at = [slot.task for slot in slots if slot.task is not None]
    if sum(task.slots for task in at) > there_are:
        leases = ", ".join(f"{task.lease} on {task.slots}" for task in at)
        raise Broken(f"{name} has {there_are} slots, and is at {leases}")
