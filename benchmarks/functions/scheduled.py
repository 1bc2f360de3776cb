"""Trainings that go on from what others left with settings of their own, for comparisons. All are minimised.

Of a training there is a state, which is advanced by so many steps with settings, and says how it stands.

Notation: h curvatures, e expected squared distances from the bottom, r rates.
"""

from __future__ import annotations

import copy
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np

from orchestrator.arrays import FloatArray

STEPS = "steps"
CURVATURES, SPREADS = np.array([1.0, 0.05]), np.array([0.3, 2.0])


class State(Protocol):
    """A training that has come somewhere."""

    def step(self, settings: Mapping[str, Any]) -> None:
        """One step more, with these settings."""
        ...

    def loss(self) -> float:
        """How it stands; infinite once it failed."""
        ...


@dataclass(frozen=True)
class Scheduled:
    """A training of so many ``steps``, of which a piece has ``least``; as many steps as so many whole
    ``evaluations`` have are the budget. ``begun`` makes a state under a seed.
    """

    settings: dict[str, dict[str, Any]]
    begun: Callable[[int], State]
    steps: int = 30
    least: int = 3
    evaluations: int = 16

    @property
    def description(self) -> dict[str, dict[str, Any]]:
        """Of all parameters, the number of steps the last."""
        return {**self.settings, STEPS: {"type": "int", "bounds": [self.least, self.steps]}}

    @property
    def at_full(self) -> dict[str, dict[str, Any]]:
        """The parameters with the number of steps fixed."""
        return {**self.settings, STEPS: {"type": "fixed", "value": self.steps}}

    @property
    def dimension(self) -> int:
        """How many settings there are."""
        return len(self.settings)

    def advanced(self, before: State, steps: int, settings: Mapping[str, Any]) -> State:
        """Another state, so many steps after one that stays as it is."""
        state = copy.deepcopy(before)
        for _ in range(steps):
            state.step(settings)
        return state


class _Descent:
    """What is expected of a descent by noisy slopes, ten a step, in two directions with a rate for each: high
    rates come near the bottom soon, and stay away from it. A drag takes off noise, and leads aside.
    """

    def __init__(self, seed: int) -> None:
        del seed
        self._e = np.array([1.0, 20.0])

    def step(self, settings: Mapping[str, Any]) -> None:
        r, drag = np.array([settings["steep"], settings["flat"]]), float(settings["drag"])
        h, spreads = np.minimum(CURVATURES * r, 1.0), SPREADS * (1.0 - 0.8 * drag)
        for _ in range(10):
            self._e = (1.0 - h) ** 2 * self._e + h**2 * spreads + (0.02 * drag) ** 2

    def loss(self) -> float:
        return math.log10(float(CURVATURES @ self._e))


class _Steady:
    """A loss of which each step takes off a part that hangs on the settings alone: the same are best all
    along.
    """

    def __init__(self, seed: int) -> None:
        del seed
        self._lost = 0.0

    def step(self, settings: Mapping[str, Any]) -> None:
        off = [settings[name] - (0.27 + 0.13 * k) for k, name in enumerate("abcd")]
        self._lost += 0.05 * math.exp(-4.0 * sum(o * o for o in off))

    def loss(self) -> float:
        return -self._lost


@cache
def _digits() -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """What is learned from, what is judged by, and the classes of both."""
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

    features, labels = load_digits(return_X_y=True)
    learned, judged, own, truth = train_test_split(features / 16.0, labels, test_size=0.3, random_state=0)
    return learned, judged, own, truth


class _Network:
    """A network by stochastic gradients, epoch by epoch: its loss on data that it does not learn from."""

    def __init__(self, seed: int) -> None:
        from sklearn.neural_network import MLPClassifier

        self._failed = False
        self._network = MLPClassifier((32, 16), solver="sgd", random_state=seed % 2**31)

    def step(self, settings: Mapping[str, Any]) -> None:
        from sklearn.exceptions import ConvergenceWarning

        if self._failed:
            return
        network = self._network
        learned, _, labels, _ = _digits()
        network.learning_rate_init = settings["learning_rate"]
        network.momentum = settings["momentum"]
        network.batch_size, network.alpha = settings["batch_size"], settings["decay"]
        if hasattr(network, "_optimizer"):
            # Else only a network that has learned nothing yet would learn at another rate.
            network._optimizer.learning_rate = settings["learning_rate"]
            network._optimizer.momentum = settings["momentum"]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            warnings.simplefilter("ignore", RuntimeWarning)
            try:
                network.partial_fit(learned, labels, classes=np.unique(labels))
            except ValueError:
                # Its weights have gone to infinity.
                self._failed = True

    def loss(self) -> float:
        from sklearn.metrics import log_loss

        if self._failed:
            return math.inf
        _, judged, _, truth = _digits()
        foretold = np.nan_to_num(self._network.predict_proba(judged), nan=0.1)
        return float(log_loss(truth, np.clip(foretold, 1e-12, 1.0)))


_RATE = {"type": "float", "bounds": [0.001, 1.0], "scale": "log"}
_STOCHASTIC = {
    "learning_rate": {"type": "float", "bounds": [1e-4, 1.0], "scale": "log"},
    "momentum": {"type": "float", "bounds": [0.0, 0.99]},
    "batch_size": {"type": "ordered", "values": [16, 32, 64, 128, 256]},
    "decay": {"type": "float", "bounds": [1e-6, 1.0], "scale": "log"},
}
SCHEDULED: Mapping[str, Scheduled] = {
    "annealed": Scheduled(
        {
            "steep": _RATE,
            "flat": {"type": "float", "bounds": [0.02, 20.0], "scale": "log"},
            "drag": {"type": "float", "bounds": [0.0, 1.0]},
        },
        _Descent,
    ),
    "steady": Scheduled({name: {"type": "float", "bounds": [0.0, 1.0]} for name in "abcd"}, _Steady),
    "digits": Scheduled(_STOCHASTIC, _Network),
}
