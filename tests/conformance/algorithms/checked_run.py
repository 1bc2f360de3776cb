"""A search whose every suggestion is looked at: what the stories of all algorithms are told of."""

import copy
import math
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import numpy as np
from quick_options import quick_options

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem, Refit


def bowl(point) -> float:
    return -float(np.sum((point - 0.37) ** 2))


def written_and_read(values: Mapping[str, Any]) -> dict[str, Any]:
    """JSON values, which are to be those of Python: numbers of NumPy's are refused here."""
    read: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(dict(values)))
    return read


class Run:
    """An algorithm driven as the scheduler drives one: asks and trials numbered, refits adopted when due."""

    def __init__(self, name: str, problem: Problem, **options: Any) -> None:
        self.problem = problem
        self.name = name
        self.options = quick_options(name, **options)
        self.algorithm = registry.build(name, problem, self.options)
        self.events: list[tuple[str, Any]] = []
        self.pending: dict[int, np.ndarray] = {}
        self.asks = self.trials = 0

    def ask(self, n: int = 1) -> list:
        if (number := self.algorithm.refit_due()) is not None:
            refit = self.algorithm.compute_refit(number)
            assert refit.number == number
            self.adopt(Refit(number, refit.observations, written_and_read(refit.payload)))
        key = AskKey(self.asks, self.trials)
        suggestions = self.algorithm.ask(n, list(self.pending.values()), key)
        assert len(suggestions) == n
        self.asks += 1
        for suggestion in suggestions:
            self.check(suggestion)
            self.pending[self.trials] = suggestion.point
            self.trials += 1
        return suggestions

    def check(self, suggestion) -> None:
        """Feasible, explained, and predicted in finite numbers, if predicted."""
        assert suggestion.point.shape == (self.problem.domain.dimension,)
        assert np.array_equal(self.problem.domain.snap(suggestion.point), suggestion.point)
        known = ("start design", "model", "tree", "distribution", "parents", "random")
        assert suggestion.why["source"] in known or not registry.ours(self.name)
        written_and_read(suggestion.why)
        if suggestion.predicted is not None:
            assert math.isfinite(suggestion.predicted.mean)
            assert suggestion.predicted.deviation >= 0

    def adopt(self, refit: Refit) -> None:
        self.events.append(("adopt", refit))
        self.algorithm.adopt(refit)

    def tell(self, trial: int, value: float | None, **more: Any) -> None:
        observation = Observation(trial, self.pending.pop(trial), value, **more)
        self.events.append(("tell", observation))
        self.algorithm.tell([observation])

    def rebuilt(self) -> "Run":
        """Another, built from what this one was told and adopted, as a run that is resumed is."""
        another = copy.copy(self)
        another.algorithm = registry.build(self.name, self.problem, self.options)
        another.events, another.pending = list(self.events), dict(self.pending)
        for kind, what in self.events:
            if kind == "adopt":
                another.algorithm.adopt(what)
            else:
                another.algorithm.tell([what])
        return another

    def sequential(self, trials: int, objective: Callable = bowl) -> list[np.ndarray]:
        points = []
        for _ in range(trials):
            (suggestion,) = self.ask()
            points.append(suggestion.point)
            self.tell(self.trials - 1, objective(suggestion.point))
        return points
