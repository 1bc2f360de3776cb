"""A population that is trained without a run: what is asked for, and what the trainings come to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Algorithm, AskKey, Noise, Observation, Problem, Suggestion
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.parameters.fidelity import Fidelity
from orchestrator.parameters.space import Space

MIXED = {
    "rate": {"type": "float", "bounds": [0.001, 1.0], "scale": "log"},
    "decay": {"type": "float", "bounds": [0.0, 1.0]},
    "batch": {"type": "ordered", "values": [16, 32, 64, 128]},
    "width": {"type": "int", "bounds": [1, 9]},
    "optimiser": {"type": "choice", "values": ["sgd", "adam", "rmsprop"]},
    "epochs": {"type": "int", "bounds": [5, 20]},
}


def seldom(trial: int) -> bool:
    """Which fail, where some do."""
    return trial % 7 == 3


def never(trial: int) -> bool:
    """None do."""
    del trial
    return False


def loss_after(parameters: Mapping[str, Any], before: float, done: int) -> float:
    """From what a training had come to; each step takes less off, and how much hangs on all settings."""
    off = 0.02 * (2 if parameters.get("optimiser") == "adam" else 1) * (1.0 + float(parameters["rate"]))
    off *= 1.0 - abs(float(parameters.get("decay", 0.3)) - 0.3)
    for step in range(done, int(parameters["epochs"])):
        before *= 1.0 - off / (1.0 + step / 20.0)
    return before


@dataclass
class Population:
    """An algorithm by its ``name``, its trainings, and what it was asked and told. Unless one ``continues``
    another, each begins from nothing.
    """

    name: str
    options: dict[str, Any]
    description: dict[str, Any] = field(default_factory=lambda: MIXED)
    trials: int | None = None
    budget: float | None = None
    fails: Callable[[int], bool] = never
    continues: bool = True
    noise: Noise = field(default_factory=Noise)

    def __post_init__(self) -> None:
        self.space = Space.from_description(self.description)
        self.fidelity = Fidelity.of(
            self.space, "epochs", "epochs", budget=self.budget, continues=self.continues
        )
        self.problem = Problem(
            self.space.domain, seed=4, fidelity=self.fidelity.levels, trials=self.trials, noise=self.noise
        )
        self.algorithm = self.built()
        self.asked: dict[int, Suggestion] = {}
        self.parameters: dict[int, dict[str, Any]] = {}
        self.losses: dict[int, float | None] = {}
        self.told: list[Observation] = []
        self.asks = 0

    def built(self) -> Algorithm:
        """The algorithm, of which nothing was asked."""
        return registry.build(self.name, self.problem, self.options)

    def ask(self, n: int = 1) -> Sequence[int]:
        """The trials of one ask."""
        bring_up_to_date(self.algorithm)
        running = [one.point for trial, one in self.asked.items() if trial not in self.losses]
        self.asks += 1
        first = len(self.asked) + 1
        for trial, one in enumerate(self.algorithm.ask(n, running, AskKey(self.asks, first)), first):
            self.asked[trial], self.parameters[trial] = one, dict(self.space.suggested(one.point))
        return range(first, first + n)

    def tell(self, trial: int) -> None:
        """What came of it."""
        one, parameters = self.asked[trial], self.parameters[trial]
        before, done = 1.0, 0
        if one.continues:
            loss = self.losses[one.continues]
            assert loss is not None
            before, done = loss, int(self.parameters[one.continues]["epochs"])
            assert done < parameters["epochs"]
        self.losses[trial] = None if self.fails(trial) else loss_after(parameters, before, done)
        value = None if (loss := self.losses[trial]) is None else -loss
        point = self.space.encode(parameters)
        self.told.append(Observation(trial, point, value, continues=one.continues))
        self.algorithm.tell(self.told[-1:])

    def train(self, trials: int, at_once: int = 1) -> None:
        """So many in all, of which so many run at a time; the one that began first ends first."""
        running = list[int]()
        while len(self.asked) < trials or running:
            if len(running) < at_once and len(self.asked) < trials:
                running += self.ask()
            else:
                self.tell(running.pop(0))
