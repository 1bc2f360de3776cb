"""Evaluations that are ended from outside together with their worker: no outcomes, and not held against them.

A queue of a cluster that takes a job back, or a service manager that stops one, signals all of its processes:
the worker, and what it evaluates.
"""

from __future__ import annotations

import math
from typing import Final

from evaluators.worker_process.slot_events import Finished
from evaluators.worker_process.waiting_tasks import is_lease

TOGETHER_S: Final = 1.0
"""Whoever signals all processes of a job needs no longer to come from one to the next."""


class CutShort:
    """Evaluations whose process was ended by a signal that asks for that, and not by this worker.

    Where the worker is asked to leave as well, before or soon after, they stay leases of it, and its goodbye
    gives them back. Else they are outcomes: whoever signals an evaluation alone means it.
    """

    def __init__(self) -> None:
        self._leaves = False
        self._doubtful: list[tuple[float, Finished]] = []
        self._cut_short: list[Finished] = []

    @property
    def due(self) -> float:
        """The moment at which `outcomes` must be looked at."""
        return min((until for until, _ in self._doubtful), default=math.inf)

    @property
    def doubtful(self) -> bool:
        """Whether there are some of which it is not known yet."""
        return bool(self._doubtful)

    def worker_leaves(self) -> None:
        """It was asked to, by a signal."""
        self._leaves = True
        self._cut_short += [finished for _, finished in self._doubtful]
        self._doubtful.clear()

    def keeps(self, finished: Finished, now: float) -> bool:
        """Whether it was ended so, and is kept here."""
        if not finished.asked_to_end:
            return False
        if self._leaves:
            self._cut_short.append(finished)
        else:
            self._doubtful.append((now + TOGETHER_S, finished))
        return True

    def outcomes(self, now: float) -> list[Finished]:
        """Those that have waited for long enough, once."""
        over = [finished for until, finished in self._doubtful if now >= until]
        self._doubtful = [(until, finished) for until, finished in self._doubtful if now < until]
        return over

    def drop(self, run: str | None, lease: str) -> None:
        """It was called off: nothing more is said about it."""
        self._doubtful = [one for one in self._doubtful if not is_lease(one[1].task, run, lease)]
        self._cut_short = [
            finished for finished in self._cut_short if not is_lease(finished.task, run, lease)
        ]

    def tell(self, reason: str) -> str:
        """Why the worker leaves, with what was ended beside it."""
        numbers = sorted(finished.task.trial for finished in self._cut_short)
        ended = ", ".join(f"trial {number}" for number in numbers)
        return f"{reason}, by which {ended} ended too" if numbers else reason

    def leases(self, run: str | None) -> list[str]:
        """Those of a run that the worker holds all the same."""
        held = [*self._cut_short, *(finished for _, finished in self._doubtful)]
        return [finished.task.lease for finished in held if finished.task.run == run]
