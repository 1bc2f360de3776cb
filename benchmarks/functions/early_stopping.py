"""Evaluations that say how they stand while they run, for comparisons of what is made of that.

All are minimised. One is begun with its parameters and a seed, and gives its readings step by step; the last
is its value.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from orchestrator.arrays import FloatArray

Parameters = Mapping[str, Any]


@dataclass(frozen=True)
class EarlyFunction:
    """``steps`` of an evaluation; as many as ``evaluations`` have are the budget. ``truth`` is what a point
    is worth without the noise of its value, the least being 0; without it, its value is.
    """

    description: dict[str, dict[str, Any]]
    steps: int
    evaluations: int
    begun: Callable[[Parameters, int], Iterator[float]]
    truth: Callable[[Parameters], float] | None = None

    @property
    def dimension(self) -> int:
        """How many parameters there are."""
        return len(self.description)


def _cube(*names: str) -> dict[str, dict[str, Any]]:
    return {name: {"type": "float", "bounds": [0, 1]} for name in names}


def _bowl(parameters: Parameters) -> float:
    """A rippled bowl over the unit cube, 0 at its bottom and about 1 at its edges."""
    off = [value - (0.27 + 0.13 * k) for k, value in enumerate(parameters.values())]
    ripples = sum(math.sin(3.0 * math.pi * o) ** 2 for o in off)
    return float(2.0 * (1.6 * sum(o * o for o in off) + 0.15 * ripples) / len(off))


def _descends(parameters: Parameters, seed: int) -> Iterator[float]:
    """To the bowl as a power of the step, of a size and at a rate that depend on the point: curves cross."""
    del seed
    bottom = _bowl(parameters)
    size, rate = 0.4 + parameters["a"], 0.3 + 1.2 * parameters["b"]
    for step in range(1, 31):
        yield bottom + (size * step**-rate if step < 30 else 0.0)


def _comes_late(parameters: Parameters, seed: int) -> Iterator[float]:
    """The best look worst until half of the way."""
    del seed
    bottom = _bowl(parameters)
    for step in range(1, 31):
        yield bottom + 2.0 * (1.0 - bottom) * max(0.0, 1.0 - step / 21.0)


def _averages(parameters: Parameters, seed: int) -> Iterator[float]:
    """The mean so far of a simulation's noisy samples."""
    rng = np.random.default_rng([seed, 17])
    bottom, total = _bowl(parameters), 0.0
    for step in range(1, 61):
        total += bottom + 0.5 * float(rng.standard_normal())
        yield total / step


@cache
def _split(name: str) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    from sklearn.datasets import load_breast_cancer, load_digits
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import StandardScaler

    features, labels = (load_digits if name == "digits" else load_breast_cancer)(return_X_y=True)
    parts: list[FloatArray] = train_test_split(features, labels, test_size=0.3, random_state=0)
    scaler = StandardScaler().fit(parts[0])
    return scaler.transform(parts[0]), scaler.transform(parts[1]), parts[2], parts[3]


def _trains(name: str) -> Callable[[Parameters, int], Iterator[float]]:
    """A network, epoch by epoch: its loss on data that it does not learn from."""

    def train(parameters: Parameters, seed: int) -> Iterator[float]:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.metrics import log_loss
        from sklearn.neural_network import MLPClassifier

        learned, judged, labels, truth = _split(name)
        network = MLPClassifier(
            (parameters["neurons_1"], parameters["neurons_2"]),
            learning_rate_init=parameters["learning_rate"],
            batch_size=parameters["batch_size"],
            alpha=parameters["decay"],
            random_state=seed % 2**31,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            for _ in range(27):
                network.partial_fit(learned, labels, classes=np.unique(labels))
                yield float(log_loss(truth, np.clip(network.predict_proba(judged), 1e-12, 1.0)))

    return train


NETWORK = {
    "neurons_1": {"type": "int", "bounds": [4, 128], "scale": "log"},
    "neurons_2": {"type": "int", "bounds": [4, 128], "scale": "log"},
    "learning_rate": {"type": "float", "bounds": [1e-5, 1e-1], "scale": "log"},
    "batch_size": {"type": "int", "bounds": [16, 256], "scale": "log"},
    "decay": {"type": "float", "bounds": [1e-6, 1.0], "scale": "log"},
}

EARLY: dict[str, EarlyFunction] = {
    "descents": EarlyFunction(_cube("a", "b", "c", "d"), 30, 30, _descends, _bowl),
    "late": EarlyFunction(_cube("a", "b", "c", "d"), 30, 30, _comes_late, _bowl),
    "averages": EarlyFunction(_cube("a", "b", "c"), 60, 40, _averages, _bowl),
    "digits": EarlyFunction(NETWORK, 27, 30, _trains("digits")),
    "tumours": EarlyFunction(NETWORK, 27, 30, _trains("tumours")),
}
