"""An algorithm whose refits take as long as the test likes, and that remembers what it was told."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from orchestrator.algorithms.base import AskKey, Insight, Observation, Refit, Suggestion
from orchestrator.arrays import FloatArray

PREPARED = bytes(range(256))


@dataclass
class SlowAlgorithm:
    """Suggests ``told + adopted / 10`` of the way along each axis: an answer says what came before it.

    ``refit_every`` observations a refit is due, and takes until ``gate`` is a file; ``trouble`` is what
    the refit does instead, and what befalls it in a copy. ``handed`` is what each refit adopted had prepared,
    ``beside`` the points that each ask was said to run.
    """

    refit_every: int = 0
    gate: str = ""
    trouble: str = ""
    told: list[Observation] = field(default_factory=list)
    adopted: int = 0
    handed: list[Mapping[str, bytes]] = field(default_factory=list)
    beside: list[list[float]] = field(default_factory=list)
    original: int = field(default_factory=os.getpid)

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        del key
        self.beside.append([round(float(point[0]), 6) for point in pending])
        return [Suggestion(np.array([min(1.0, len(self.told) / 100 + self.adopted / 10)]))] * n

    def tell(self, observations: Sequence[Observation]) -> None:
        self.told.extend(observations)

    def refit_due(self) -> int | None:
        if not self.refit_every:
            return None
        number = len(self.told) // self.refit_every
        return number if number > self.adopted else None

    def compute_refit(self, number: int) -> Refit:
        while self.gate and not os.path.exists(self.gate):
            time.sleep(0.005)
        if self.trouble == "raise":
            raise ArithmeticError("not positive definite")
        if self.trouble == "exit":
            os._exit(7)
        if self.trouble == "no memory for a copy" and os.getpid() != self.original:
            os.kill(os.getpid(), signal.SIGKILL)
        payload = {"scales": np.array([0.5, 0.25]), "told": len(self.told)}
        return Refit(number, len(self.told), payload, {"sums": PREPARED})

    def adopt(self, refit: Refit) -> None:
        self.adopted = max(self.adopted, refit.number)
        self.handed.append(refit.prepared)

    def insight(self) -> Insight:
        return Insight(notes=[f"{len(self.told)} told, {self.adopted} adopted"])
