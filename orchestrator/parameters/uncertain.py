"""Which parameters are uncertain, and where points lie whose values of these are drawn.

Uncertain is what varies in use, of what something is known beforehand, and what is not met exactly. What a
person tells exactly is not. Constraints between parameters are about what is asked for, and not about what
comes out.

Notation: D coordinates, g reasons that vary apart from one another, m points.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.errors import UsageError
from orchestrator.expressions.constraints import counted_by
from orchestrator.parameters.drawn_priors import draws_in_words, within_bounds
from orchestrator.parameters.in_use import Varied, VaryingApart, varying_apart
from orchestrator.parameters.priors import chances_of, knowing
from orchestrator.parameters.tolerances import is_measurable, off_by
from orchestrator.values.distributions import AboutMean, ByChance, WithinFactor
from orchestrator.values.drawn import Drawn
from orchestrator.values.foreign import numbers_within
from orchestrator.values.in_use import Evenly, Recorded
from orchestrator.values.named import Values
from orchestrator.values.prior import prior_in_brief, prior_in_words
from orchestrator.values.typed_priors import EVENLY

if TYPE_CHECKING:
    from orchestrator.parameters.space import Space

NOTHING = (
    "expected something that is uncertain, got none: no parameter has a `prior`, a `tolerance` or varies"
    " `in_use`; say what is known of one, as {}"
)


@dataclass(frozen=True, eq=False, slots=True)
class Uncertain:
    """By the names of parameters of a ``space``, how those are ``spread`` of which something is known, and by
    how much others are ``off`` what is asked for, up or down, evenly.
    """

    space: Space
    spread: Mapping[str, Varied]
    off: Mapping[str, float]

    @classmethod
    def of(
        cls, space: Space, asked: Mapping[str, Any], exact: Collection[str] = (), never: Collection[str] = ()
    ) -> Uncertain:
        """Of a space, where of some parameters something else is ``asked``: what is known of them as a spec
        says it, `evenly`, or None, where they are not uncertain. Those that are ``exact`` are asked for as
        told, and off that by their tolerance; those that are in ``never`` cannot be uncertain. Raises
        UsageError for names of none, for what cannot be known of one, and for what is both asked and exact.
        """
        if both := [name for name in asked if name in exact]:
            raise UsageError(
                f"expected either a setting of `{both[0]}` or what is known of it, got both: what is set is"
                " exact"
            )
        asked = numbers_within(asked)
        known = knowing(space, {name: None if one == EVENLY else one for name, one in asked.items()})
        spread: dict[str, Varied] = {**space.in_use, **known.priors}
        off = dict(space.tolerances)
        for name, one in asked.items():
            off.pop(name, None)
            if one == EVENLY:
                spread[name] = Evenly()
            elif one is None:
                spread.pop(name, None)
        spread = {name: one for name, one in spread.items() if name not in exact}
        _refuse_tied(space, [*spread, *off])
        if set_once := [name for name in (*spread, *off) if name in never]:
            raise UsageError(
                f"expected parameters that may be uncertain, got `{set_once[0]}`, which is how closely to"
                " look, or the time"
            )
        return cls(space, spread, {name: width for name, width in off.items() if name not in spread})

    @property
    def names(self) -> tuple[str, ...]:
        """Of all that is uncertain, in the order of the space."""
        return tuple(name for name in self.space.names if name in self.spread or name in self.off)

    @property
    def middle(self) -> Values:
        """What lies amid those that are spread: it stands for them where a whole point is asked for."""
        point, settings = np.full(len(self.space.names), 0.5), {}
        for part in varying_apart(self.space, self._varied):
            point[list(part.coordinates)] = part.at(np.array([0.5]))[0]
        for name in self.spread:
            j = self.space.index(name)
            settings[name] = self.space.parameters[j].decode(float(point[j]))
        return settings

    def about(self, settings: Values) -> UncertainSettings:
        """Those of which all else is as in ``settings``, a whole point."""
        point = self.space.encode(self.space.nearest(settings))
        parts = varying_apart(self.space, self._varied)
        parts += [self._off(name, width, settings[name]) for name, width in self.off.items()]
        return UncertainSettings(self.space, point, tuple(parts))

    @property
    def _varied(self) -> dict[str, Varied]:
        """``spread``, numbers that are listed with the chances that a fit gives them by what is known."""
        known = {name: one for name, one in self.spread.items() if one is not self.space.in_use.get(name)}
        chances = {
            name: ByChance(found)
            for name, one in known.items()
            if isinstance(one, AboutMean | WithinFactor)
            and (found := chances_of(self.space.parameters[self.space.index(name)], one))
        }
        return {**self.spread, **chances}

    def in_words(self) -> str:
        """How each of them is."""
        units = self.space.units
        told = within_bounds(self.space, self.spread).items()
        each = {name: f"{_in_words(one)} {units[name]}".rstrip() for name, one in told}
        each |= {name: f"off by up to {width:g} {units[name]}".rstrip() for name, width in self.off.items()}
        each |= {name: one.in_words(units[name]) for name, one in told if isinstance(one, Drawn)}
        return ", ".join(f"{name} {words}" for name, words in each.items())

    def draws_in_words(self) -> str:
        """How those count that are known by draws; nothing where none are."""
        return draws_in_words(self.space, self.spread)

    def told(self) -> dict[str, Any]:
        """The same for programs, as specs have it."""
        off = {name: {"tolerance": width} for name, width in self.off.items()}
        return {**{name: _told(one) for name, one in within_bounds(self.space, self.spread).items()}, **off}

    def _off(self, name: str, width: float, setting: Any) -> VaryingApart:
        j = self.space.index(name)
        parameter = self.space.parameters[j]
        assert is_measurable(parameter), "others have no tolerance"
        axis, meant = off_by(parameter, j, width), np.array([float(setting)])

        def at(uniform: FloatArray) -> FloatArray:
            return axis.placed(axis.shifted(meant, 2.0 * uniform - 1.0)).reshape(-1, 1)

        return VaryingApart((j,), at)


@dataclass(frozen=True, eq=False, slots=True)
class UncertainSettings:
    """About a (D,) ``point`` of a ``space``, in ``parts`` that vary apart from one another."""

    space: Space
    point: FloatArray
    parts: tuple[VaryingApart, ...]

    @property
    def reasons(self) -> list[tuple[int, ...]]:
        """The coordinates of each part."""
        return [part.coordinates for part in self.parts]

    @property
    def names(self) -> list[str]:
        """What each part is called."""
        return [" with ".join(self.space.names[j] for j in part.coordinates) for part in self.parts]

    def placed(self, uniform: FloatArray) -> FloatArray:
        """(m, D) points of (m, g) uniform numbers, as often as they come up."""
        points = np.tile(self.point, (len(uniform), 1))
        for part, own in zip(self.parts, uniform.T, strict=True):
            points[:, list(part.coordinates)] = part.at(own)
        return points


def _in_words(one: Varied) -> str:
    if isinstance(one, Evenly):
        return "evenly between its bounds"
    if isinstance(one, Recorded):
        return f"as recorded {len(one.values):,} times"
    return prior_in_words(one)


def _told(one: Varied) -> Any:
    return one.told if isinstance(one, Evenly | Recorded) else prior_in_brief(one)


def _refuse_tied(space: Space, names: Collection[str]) -> None:
    """Raises UsageError for parameters that do not vary by themselves."""
    counted = counted_by(space.constraints)
    for name in names:
        if space.candidates is not None and name in space.candidates.names:
            raise UsageError(
                f"expected parameters that vary by themselves, got `{name}`, which has the values of the"
                " candidates alone"
            )
        if name in counted:
            raise UsageError(
                f"expected parameters that always count, got `{name}`, which may be left out, by `least` or"
                " as only so many are used"
            )
