"""Choices alone: dials in a ring, each of which has to suit the next."""

from __future__ import annotations

import numpy as np

from evaluators.synthetic.definition import Box, FloatArray, Kind, Optimum, SyntheticFunction

FEWEST_DIALS, FEWEST_SETTINGS = 3, 2


def dials(count: int, settings: int) -> SyntheticFunction:
    """``count`` dials of so many ``settings`` without order; every two neighbours in the ring have a table of
    what each pair of settings is worth, standard normal, and the value is the sum.

    Factors (1, 2), (2, 3), ..., (D, 1). Fewer than 3 dials or 2 settings are a ValueError.
    """
    if count < FEWEST_DIALS or settings < FEWEST_SETTINGS:
        raise ValueError(
            f"expected at least {FEWEST_DIALS} dials of {FEWEST_SETTINGS} settings, got {count} of {settings}"
        )
    rng = np.random.default_rng(np.random.SeedSequence([count, settings]))
    tables = rng.standard_normal((count, settings, settings))
    ring = np.arange(count)

    def terms(points: FloatArray) -> FloatArray:
        chosen = points.astype(int)
        worth: FloatArray = tables[ring, chosen, np.roll(chosen, -1, axis=1)]
        return worth

    best = _best(tables)
    choices = np.tile([0.0, settings - 1.0], (count, 1))
    kinds: list[Kind] = ["choice"] * count
    return SyntheticFunction(
        name=f"dials-{count}-{settings}",
        box=Box(choices, tuple(kinds), reach=choices),
        optimum=Optimum(float(terms(best[None, :]).sum()), best),
        terms=terms,
        factors=tuple((i, (i + 1) % count) for i in range(count)),
    )


def _best(tables: FloatArray) -> FloatArray:
    """(D,) the settings of most worth: around the ring once for each setting of the first dial."""
    count, settings, _ = tables.shape
    found, worth = np.zeros(count, dtype=int), -np.inf
    for first in range(settings):
        reached = tables[0, first]
        ways = []
        for table in tables[1:-1]:
            through = reached[:, None] + table
            ways.append(through.argmax(axis=0))
            reached = through.max(axis=0)
        closed = reached + tables[-1, :, first]
        if closed.max() > worth:
            worth = float(closed.max())
            back = [int(closed.argmax())]
            for way in reversed(ways):
                back.append(int(way[back[-1]]))
            found = np.array([first, *reversed(back)])
    return found.astype(float)
