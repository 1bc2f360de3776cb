"""Functions of whole numbers, choices and continuous parameters together."""

from __future__ import annotations

import numpy as np

from evaluators.synthetic.definition import (
    EVERYWHERE,
    Box,
    FloatArray,
    Kind,
    Optimum,
    SyntheticFunction,
    single,
)
from evaluators.synthetic.rugged import ackley_height

_MACHINES, _MODES = 4, 3
_COUNTS = 20


def mixed_rastrigin(dimension: int) -> SyntheticFunction:
    """Rastrigin whose first half are whole numbers in [-5, 5], where only its bowl is left; negated.

    The rest are continuous in [-5.12, 5.12]. Each parameter is a factor.
    """
    if dimension < 2:
        raise ValueError(f"expected mixed-rastrigin in at least 2 dimensions, got {dimension}")
    whole = dimension // 2

    def terms(points: FloatArray) -> FloatArray:
        values: FloatArray = -10.0 - points**2 + 10.0 * np.cos(2.0 * np.pi * points)
        return values

    bounds = np.tile([-5.12, 5.12], (dimension, 1))
    bounds[:whole] = (-5.0, 5.0)
    kinds: list[Kind] = ["int"] * whole
    kinds += ["float"] * (dimension - whole)
    return SyntheticFunction(
        name=f"mixed-rastrigin-{dimension}",
        box=Box(bounds, tuple(kinds), reach=np.tile(EVERYWHERE, (dimension, 1))),
        optimum=Optimum(0.0, np.zeros(dimension)),
        terms=terms,
        factors=tuple((i,) for i in range(dimension)),
    )


def mixed_ackley(dimension: int) -> SyntheticFunction:
    """Ackley with three continuous parameters in [-1, 1], all others switches, 0 or 1; negated."""
    if dimension < 4:
        raise ValueError(f"expected mixed-ackley in at least 4 dimensions, got {dimension}")
    switches = dimension - 3
    bounds = np.tile([-1.0, 1.0], (dimension, 1))
    bounds[:switches] = (0.0, 1.0)
    kinds: list[Kind] = ["int"] * switches
    kinds += ["float"] * 3
    return SyntheticFunction(
        name=f"mixed-ackley-{dimension}",
        box=Box(bounds, tuple(kinds), reach=np.tile(EVERYWHERE, (dimension, 1))),
        optimum=Optimum(0.0, np.zeros(dimension)),
        terms=single(lambda points: -ackley_height(points)),
    )


def machines() -> SyntheticFunction:
    """A choice of four machines and one of three modes, each pair with its own best setting.

    A setting is a count from 1 to 20 and three continuous parameters in [0, 1]. The pairs' best values are
    1, 0.95, 0.90, ... in a random order, each the top of a Gaussian bump about its own setting.
    """
    pairs = _MACHINES * _MODES
    rng = np.random.default_rng(np.random.SeedSequence([pairs, _COUNTS]))
    tops = 1.0 - 0.05 * np.argsort(rng.random(pairs), kind="stable")
    counts = 3.0 + np.floor(15.0 * rng.random(pairs))
    settings = 0.15 + 0.7 * rng.random((pairs, 3))
    width = 0.3

    def values(points: FloatArray) -> FloatArray:
        pair = (_MODES * points[:, 0] + points[:, 1]).astype(int)
        distances = ((points[:, 3:] - settings[pair]) ** 2).sum(axis=1)
        distances += ((points[:, 2] - counts[pair]) / (_COUNTS - 1)) ** 2
        heights: FloatArray = tops[pair] * np.exp(-distances / (2.0 * width**2))
        return heights

    best = int(tops.argmax())
    choices = [[0.0, _MACHINES - 1.0], [0.0, _MODES - 1.0]]
    return SyntheticFunction(
        name="machines",
        box=Box(
            np.array([*choices, [1.0, float(_COUNTS)], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]]),
            ("choice", "choice", "int", "float", "float", "float"),
            reach=np.array([*choices, *[EVERYWHERE] * 4]),
        ),
        optimum=Optimum(1.0, np.array([best // _MODES, best % _MODES, counts[best], *settings[best]])),
        terms=single(values),
    )
