"""By how much points are believed to be better than another, by models of all that an Optimiser was told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from orchestrator.errors import UsageError
from orchestrator.objectives import SIGNS, Goal
from orchestrator.python_interface.prediction import models_told, outcomes_told, places_meant
from orchestrator.python_interface.reading import Reading
from orchestrator.python_interface.sensitivity import ToldResults
from orchestrator.python_interface.shown import InRows, settings, uncertain
from orchestrator.python_interface.table import Rows
from orchestrator.spec.results.column_names import own_name
from orchestrator.values.named import Values
from orchestrator.values.percent import percent
from orchestrator.values.plain import copied
from orchestrator.values.printable import printable
from orchestrator.values.read_in_percent import is_read_in_percent, shares_seen

if TYPE_CHECKING:
    from orchestrator.sensitivity.differences import Difference
    from orchestrator.sensitivity.value_model import ValueModel


@dataclass(frozen=True, slots=True, repr=False)
class Apart:
    """Of one quantity, in its own units and without noise: what is ``expected``, and of the point compared
    with, ``expected_against``; the ``mean`` of the first less the second, the ``deviation`` of that, ``low``
    and ``high``, between which it is believed to lie nineteen times out of twenty; how likely it is to be
    ``higher``, and of what is optimised how likely to be ``better``, else None. ``share``: the mean, low and
    high as parts of the size of what it is compared with; None where that may be 0.
    """

    expected: float
    expected_against: float
    mean: float
    deviation: float
    low: float
    high: float
    higher: float
    better: float | None
    share: tuple[float, float, float] | None

    def __repr__(self) -> str:
        share = ""
        if self.share is not None and is_read_in_percent(self.share):
            share = f", {percent(shares_seen(self.share)[0], 3, signed=True)}"
        better = "" if self.better is None else f", better with {100.0 * self.better:.4g} %"
        return f"{uncertain(self.mean, self.deviation)} ({self.low:.4g} to {self.high:.4g}{share}){better}"

    @classmethod
    def of(cls, found: Difference, goal: Goal | None) -> Apart:
        """What was found, of a quantity with this goal, if it has one."""
        share = found.share
        return cls(
            found.here,
            found.there,
            found.mean,
            found.deviation,
            found.low,
            found.high,
            found.higher,
            None if goal is None else found.better(SIGNS[goal]),
            None if share is None else (share.mean, share.low, share.high),
        )


@dataclass(frozen=True, slots=True, repr=False)
class Compared:
    """By how much ``parameters`` are apart from those that they are held ``against``: in the ``value``, or in
    the outcome that was asked about; and in other objectives and constrained ``outcomes``, by name.
    """

    parameters: Values
    against: Values
    value: Apart
    outcomes: Mapping[str, Apart] = field(default_factory=dict)

    def __repr__(self) -> str:
        """In a line."""
        each = ", ".join(f"{printable(name)} {apart!r}" for name, apart in self._quantities)
        return f"<Compared: {each}, at {settings(self.parameters)} against {settings(self.against)}>"

    def row(self) -> dict[str, Any]:
        """All of it, one level deep: of each quantity ``value_difference``, ``_deviation``, ``_low``,
        ``_high``, ``_higher``, ``_better`` and ``_share``; and the parameters.
        """
        own: dict[str, Any] = {}
        for name, told in self._quantities:
            own |= {f"{name}_difference": told.mean, f"{name}_deviation": told.deviation}
            own |= {f"{name}_low": told.low, f"{name}_high": told.high}
            own |= {f"{name}_higher": told.higher, f"{name}_better": told.better}
            own |= {f"{name}_share": None if told.share is None else told.share[0]}
        return {own_name(name, self.parameters): told for name, told in own.items()} | dict(self.parameters)

    def cells(self) -> dict[str, object]:
        """What is shown of it among others."""
        own: dict[str, object] = {name: repr(told) for name, told in self._quantities}
        return {own_name(name, self.parameters): told for name, told in own.items()} | dict(self.parameters)

    @property
    def _quantities(self) -> list[tuple[str, Apart]]:
        return [(own_name("value", self.outcomes), self.value), *self.outcomes.items()]


def compared(
    points: Rows,
    against: Mapping[str, object],
    best: Values | None,
    reading: Reading,
    told: ToldResults,
    outcome: str | None,
) -> InRows[Compared]:
    """By all that was ``told``, in the order of the points; what mappings leave out is as `predicted_at` has
    it.

    Raises UsageError for points that are wrong, and where results are too few.
    """
    if not isinstance(against, Mapping):
        raise UsageError(f'expected one point to compare with, as {{"x": 0.3}}, got {against!r}')
    there = places_meant([against], best, reading)[0]
    places = places_meant(points, best, reading)
    if not places:
        return InRows()
    # SciPy's statistics take a second to import.
    from orchestrator.sensitivity.differences import difference, differences

    model: ValueModel
    if reading.is_computed and outcome is None:
        model, models = told.composed(reading.problem), outcomes_told(reading, told)
    else:
        model, models = models_told(reading, told, outcome)
    goals = _goals(reading)
    off, space = reading.problem.off, reading.space
    first = None if outcome is None else goals.get(outcome)
    own: Goal | None = ("maximise" if reading.sign > 0.0 else "minimise") if outcome is None else first
    made = []
    for place in places:
        value = Apart.of(difference(model, place.point, there.point, off), own)
        others = differences(models.models, place.point, there.point, off)
        beside = {name: Apart.of(found, goals.get(name)) for name, found in others.items()}
        settings_of = [copied(space.given(one.parameters)) for one in (place, there)]
        made.append(Compared(settings_of[0], settings_of[1], value, beside))
    return InRows(made)


def _goals(reading: Reading) -> dict[str, Goal]:
    """Of outcomes that are objectives."""
    further = () if reading.wanted is None else reading.wanted.further
    return {name: "maximise" if sign > 0.0 else "minimise" for name, sign in further}
