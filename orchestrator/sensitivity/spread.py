"""How values are spread where parameters are uncertain, and how well models know that.

Of each function that is drawn of what is believed there is a mean over the settings, a deviation and so on;
as these differ from function to function, that much is not known of them.

Notation: N settings, K functions, D coordinates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.stats import qmc

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.expressions.constraints import Constraint
from orchestrator.expressions.values import hold_at
from orchestrator.parameters.space import Space
from orchestrator.parameters.uncertain import UncertainSettings
from orchestrator.sensitivity.drawn_values import expected_of
from orchestrator.sensitivity.held_out import HIGH, LOW
from orchestrator.values.finite import is_number

SHARES: Mapping[str, float] = {"1 %": 0.01, "5 %": 0.05, "median": 0.5, "95 %": 0.95, "99 %": 0.99}
"""Of all that comes up, what lies below."""
FUNCTIONS = 128
APART = 8
"""So many samples there are, each evenly by itself: how they differ tells what luck there is in all."""
FEWEST_BROKEN = 10
"""Of the settings drawn that are independent: of fewer it is not known how seldom a limit is broken."""
MOST_SETTINGS, FEWEST_SETTINGS = 16384, 1024
MOST_NUMBERS = 1 << 25
"""That are held at a time."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What is ``expected``, the ``deviation`` of that, and the bounds between which it lies nine times out of
    ten, by what models do not know. ``luck``: by how much it may be off besides, as settings were drawn.
    """

    expected: float
    deviation: float
    low: float
    high: float
    luck: float


@dataclass(frozen=True, eq=False, slots=True)
class DrawnSettings:
    """(N, D) ``points``, worth so many ``independent`` ones: fewer where they hang together."""

    points: FloatArray
    independent: float

    @property
    def luck(self) -> float:
        """How many times as large it is as of independent ones."""
        return float(np.sqrt(max(1.0, len(self.points) / self.independent)))


@dataclass(frozen=True, slots=True)
class SpreadOf:
    """Of one quantity: its ``mean`` over all that comes up, its ``deviation``, and what lies below the values
    that `SHARES` names. ``by_models``: the share of the variance of all that is believed of it which would go
    if models knew everything.
    """

    figures: Mapping[str, Figure]
    by_models: float


@dataclass(frozen=True, slots=True)
class Spread:
    """Of each of the ``quantities``, by name; of each of the ``limits``, as it was written, how likely it is
    ``broken``, and how likely ``any`` of several is.
    """

    quantities: Mapping[str, SpreadOf]
    broken: Mapping[str, Figure] = field(default_factory=dict)
    any: Figure | None = None


def settings_at_once(numbers: int) -> int:
    """N, a power of two, where so many numbers are drawn of each setting."""
    affordable = MOST_NUMBERS // (FUNCTIONS * max(1, numbers))
    return int(np.clip(1 << (max(1, affordable).bit_length() - 1), FEWEST_SETTINGS, MOST_SETTINGS))


def drawn_settings(uncertain: UncertainSettings, count: int, rng: np.random.Generator) -> DrawnSettings:
    """So many, a power of two."""
    dimension = len(uncertain.parts)
    uniform = [qmc.Sobol(dimension, seed=rng).random(count // APART) for _ in range(APART)]
    return DrawnSettings(uncertain.placed(np.concatenate(uniform)), float(count))


def spread(
    space: Space,
    settings: DrawnSettings,
    drawn: Mapping[str, FloatArray],
    limits: Sequence[Constraint] = (),
) -> Spread:
    """Of quantities of which (K, N) values are ``drawn``, by name. ``limits`` may be about these and
    parameters.
    """
    told = _Told(settings.luck)
    quantities = {name: told.spread_of(values) for name, values in drawn.items()}
    if not limits:
        return Spread(quantities)
    shape = next(iter(drawn.values())).shape
    named = {name.name for limit in limits for name in limit.names}
    known = {name: values.ravel() for name, values in drawn.items() if name in named}
    known |= {
        name: np.tile(values, shape[0])
        for name, values in _of_parameters(space, settings.points, named - known.keys()).items()
    }
    breaks = {limit.text: ~hold_at(limit, known, shape[0] * shape[1]).reshape(shape) for limit in limits}
    return Spread(
        quantities,
        {text: told.chance(broken) for text, broken in breaks.items()},
        told.chance(np.logical_or.reduce(list(breaks.values()))) if len(breaks) > 1 else None,
    )


def _of_parameters(space: Space, points: FloatArray, names: set[str]) -> dict[str, FloatArray]:
    """(N,) values of each; NaN where it does not count."""
    if not names:
        return {}
    told = [space.decode(point) for point in points]
    return {
        name: np.array([float(one[name]) if is_number(one.get(name)) else np.nan for one in told])
        for name in names
    }


@dataclass(frozen=True, eq=False, slots=True)
class _Told:
    """What is told of (K, N) values, of settings with so many times the ``luck`` of independent ones."""

    luck: float

    def spread_of(self, values: FloatArray) -> SpreadOf:
        # Halvings round nothing, and the squares of what is near 1 are doubles.
        halvings = np.frexp(np.abs(values).max())[1]
        values = np.ldexp(values, -halvings)
        shares = list(SHARES.values())
        each = np.vstack([values.mean(axis=1), values.std(axis=1), np.quantile(values, shares, axis=1)])
        told = expected_of(each.T)
        expected = values.mean(axis=0)
        groups = _groups(expected)
        apart = np.vstack([groups.mean(axis=1), groups.std(axis=1), np.quantile(groups, shares, axis=1)])
        parts = zip(told.mean, told.deviation, told.low, told.high, self._luck(apart), strict=True)
        figures = [Figure(*np.ldexp(one, halvings).tolist()) for one in parts]
        unknown = float(np.square(values - expected).mean())
        whole = unknown + float(expected.var())
        by_models = 0.0 if whole <= 0.0 else unknown / whole
        return SpreadOf(dict(zip(("mean", "deviation", *SHARES), figures, strict=True)), by_models)

    def chance(self, broken: BoolArray) -> Figure:
        """Of what is so at (K, N)."""
        own = broken.mean(axis=1)
        luck = self._luck(_groups(broken.mean(axis=0)).mean(axis=1)[None])[0]
        low, high = np.quantile(own, (LOW, HIGH))
        return Figure(float(own.mean()), float(own.std()), float(low), float(high), float(luck))

    def _luck(self, apart: FloatArray) -> FloatArray:
        """(s,) of what is averaged, of which each of the samples says (s, APART)."""
        return np.asarray(self.luck * apart.std(axis=1, ddof=1) / np.sqrt(APART))


def _groups(values: FloatArray) -> FloatArray:
    """(APART, N / APART) of (N,)."""
    return values[: len(values) // APART * APART].reshape(APART, -1)
