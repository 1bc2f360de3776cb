"""The workloads of `evaluators` as functions for a benchmark: the rover, pushes, the WLAN, a network.

What is best there is not known; each has a reference that no value exceeds, or hardly, and regret is what is
missing to it.

Notation: D parameters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import gettempdir
from typing import Literal

import numpy as np

from evaluators.context import Context
from evaluators.readiness.catalogue import WORKLOADS as CATALOGUE
from evaluators.rover import GOAL, POINTS, REFERENCE_OPTIMUM, START, rover
from evaluators.synthetic import SyntheticFunction, shifted_and_permuted
from evaluators.synthetic.definition import Box, Kind, Optimum, single
from orchestrator.arrays import FloatArray

Value = Callable[[FloatArray, int], float]
"""A (D,) place and a seed to a value."""

FIXED_SEED = 0
GOALS = 10
# The corners of a way between the rover's obstacles, found by Dijkstra's algorithm on a grid of the terrain.
ROVER_WAY = np.array([START, [0.125, 0.2], [0.175, 0.25], [0.2, 0.3], [0.75, 0.85], GOAL])
MOST_CAPACITY = 6000.0
"""Mb/s, a round number above what any run has found of the WLAN."""


@dataclass(frozen=True, eq=False)
class MeasuredFunction(SyntheticFunction):
    """A workload. ``noisy_value`` is one evaluation; the value of `evaluate` is without noise, or with the
    noise of one fixed seed where the workload cannot do without.
    """

    noisy_value: Value | None = None

    def observe(self, place: FloatArray, seed: int) -> float:
        """What an evaluation at a (1, D) place gives."""
        if self.noisy_value is None:
            return float(self.evaluate(place)[0])
        return self.noisy_value(place[0], seed)


def workload_function(name: str, seed: int, shifted: bool) -> SyntheticFunction | None:
    """The function of this name that a seed sees; None for a name that is no workload's.

    A seed chooses the goal of a push, and with ``shifted`` the rover's `shifted_and_permuted` copy.
    """
    if name not in WORKLOADS:
        return None
    if name == "rover":
        return shifted_and_permuted(_rover(), seed) if shifted else _rover()
    return WORKLOADS[name](seed)


def lacking(name: str) -> str | None:
    """What this machine lacks for a workload, in words; None if it can run, or the name is no workload's."""
    workload = next((w for w in CATALOGUE if w.name == name.partition("-")[0] and name in WORKLOADS), None)
    lacks = [lack.what for lack in workload.lacking()] if workload is not None else []
    return f"needs {', '.join(lacks)}" if lacks else None


def _rover() -> SyntheticFunction:
    """60 parameters. It is shifted by a way that is good and not by the best, which is not known: what is
    lost by that is at most the good way's own regret.
    """

    def values(points: FloatArray) -> FloatArray:
        rows = [{f"x{i + 1}": float(x) for i, x in enumerate(point)} for point in points]
        return np.array([rover(row)["value"] for row in rows])

    share = np.linspace(0.0, 1.0, POINTS)
    legs = np.linalg.norm(np.diff(ROVER_WAY, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(legs)]) / legs.sum()
    way = np.stack([np.interp(share, along, ROVER_WAY[:, axis]) for axis in (0, 1)], axis=1)
    return SyntheticFunction(
        name="rover",
        box=Box.cube(0.0, 1.0, 2 * POINTS),
        optimum=Optimum(REFERENCE_OPTIMUM, way.ravel()),
        terms=single(values),
    )


def _push(seed: int, *, slanted: bool) -> SyntheticFunction:
    """Minus the distance to a goal, in metres: 3 parameters, or 4 with the bar's angle."""
    names = ("x", "y", "duration", "angle")[: 4 if slanted else 3]
    bounds = np.array([[-5.0, 5.0], [-5.0, 5.0], [0.1, 3.0], [0.0, 2.0 * math.pi]])[: len(names)]

    def value(place: FloatArray, draw: int, noise: float) -> float:
        from evaluators.robots import push  # loads a physics engine

        parameters = dict(zip(names, map(float, place), strict=True))
        return float(push(parameters, goal=seed % GOALS, noise=noise, context=_context(draw))["value"])

    return _measured(
        f"push-{len(names)}",
        Box(bounds),
        0.0,
        exact=lambda place: value(place, FIXED_SEED, 0.0),
        noisy=lambda place, draw: value(place, draw, 0.05),
    )


def _wlan(seed: int) -> SyntheticFunction:
    """The capacity in Mb/s: 12 transmit powers, as logarithms to the base of 10."""
    del seed
    from evaluators.wlan import network

    def value(place: FloatArray, draw: int) -> float:
        powers = {f"power_{i + 1}": float(10.0**x) for i, x in enumerate(place)}
        return float(network(powers, context=_context(draw))["value"])

    return _measured(
        "wlan",
        Box.cube(0.1, 2.5, 12),
        MOST_CAPACITY,
        exact=lambda place: value(place, FIXED_SEED),
        noisy=value,
    )


def _network(seed: int, *, dataset: Literal["breast_cancer", "digits"]) -> SyntheticFunction:
    """The accuracy of a network: two layers' neurons, and logarithms of learning rate and batch size."""
    del seed
    from evaluators.learning.two_layer_network import network

    def value(place: FloatArray, draw: int) -> float:
        parameters = {
            "neurons_1": int(place[0]),
            "neurons_2": int(place[1]),
            "learning_rate": float(10.0 ** place[2]),
            "batch_size": round(float(2.0 ** place[3])),
        }
        return float(network(parameters, dataset=dataset, repeats=3, context=_context(draw))["value"])

    kinds: tuple[Kind, ...] = ("int", "int", "float", "float")
    return _measured(
        f"network-{dataset.replace('_', '-')}",
        Box(np.array([[2.0, 100.0], [2.0, 100.0], [-6.0, -1.0], [2.0, 6.0]]), kinds),
        1.0,
        exact=lambda place: value(place, FIXED_SEED),
        noisy=value,
    )


def _measured(
    name: str, box: Box, reference: float, *, exact: Callable[[FloatArray], float], noisy: Value
) -> MeasuredFunction:
    return MeasuredFunction(
        name=name,
        box=box,
        # Where it is best is not known; the middle stands for it, and nothing is shifted by it.
        optimum=Optimum(reference, np.array([_middle(box)])),
        terms=single(lambda points: np.array([exact(point) for point in points])),
        noisy_value=noisy,
    )


def _middle(box: Box) -> FloatArray:
    middle: FloatArray = box.bounds.mean(axis=1)
    return np.where([kind == "float" for kind in box.kinds], middle, np.rint(middle))


def _context(seed: int) -> Context:
    folder = Path(gettempdir()) / "unused"
    return Context(trial=1, attempt=1, seed=seed, options={}, directory=folder)


WORKLOADS: Mapping[str, Callable[[int], SyntheticFunction]] = {
    "rover": lambda _: _rover(),
    "push-3": partial(_push, slanted=False),
    "push-4": partial(_push, slanted=True),
    "wlan": _wlan,
    "network-digits": partial(_network, dataset="digits"),
    "network-breast-cancer": partial(_network, dataset="breast_cancer"),
}
"""By name, and the seed."""
