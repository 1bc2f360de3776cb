"""How values are spread where parameters are uncertain, as an Optimiser tells it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from orchestrator.python_interface.shown import InRows, uncertain
from orchestrator.values.named import Values
from orchestrator.values.percent import percent

if TYPE_CHECKING:
    from orchestrator.sensitivity.marginals import Interval


@dataclass(frozen=True, slots=True)
class SpreadFigure:
    """Of a ``quantity``, `value` or an outcome, one ``figure``: its `mean`, its `deviation`, its `median`, or
    what `5 %` of all that comes up lie below. What is ``expected`` of it, the ``deviation`` of that, and
    ``low`` and ``high``, between which it lies nine times out of ten, by what models do not know; ``luck``:
    by how much it may be off besides, as settings were drawn.
    """

    quantity: str
    figure: str
    expected: float
    deviation: float
    low: float
    high: float
    luck: float

    def row(self) -> dict[str, Any]:
        """All of it."""
        return asdict(self)

    def cells(self) -> dict[str, object]:
        """What is shown of it among others."""
        told = uncertain(self.expected, max(self.deviation, self.luck))
        within = f"{self.low:.5g} to {self.high:.5g}"
        return {"quantity": self.quantity, "figure": self.figure, "expected": told, "within": within}


@dataclass(frozen=True, slots=True)
class Broken:
    """How likely a ``limit`` is ``broken``, the ``deviation`` of that, and so on, as of `SpreadFigure`; and
    by how many of so many ``results`` it is, ``results_broken``.
    """

    limit: str
    broken: float
    deviation: float
    low: float
    high: float
    luck: float
    results_broken: int
    results: int

    def row(self) -> dict[str, Any]:
        """All of it."""
        return asdict(self)

    def cells(self) -> dict[str, object]:
        """What is shown of it among others."""
        off = max(self.deviation, self.luck)
        within = f"{percent(self.low, 3)} to {percent(self.high, 3)}"
        told = f"{uncertain(100.0 * self.broken, 100.0 * off)} %"
        by = f"{self.results_broken:,} of {self.results:,}"
        return {"limit": self.limit, "broken": told, "within": within, "results": by}


@dataclass(frozen=True, slots=True, repr=False)
class Spread:
    """The ``figures`` of each quantity; how likely each of the ``limits`` is broken, and how likely any of
    them is, 0 without any. ``shares``: by quantity how much of its variance goes once a parameter is known,
    none of what is plausible by a fit. ``by_models``: by quantity the share of the variance of what may be
    that comes of what models do not know. ``uncertain``: what is known of parameters; all others are as in
    ``settings``. ``succeeds``: how likely an evaluation is to give a value. ``drawn``: by so many settings,
    worth so many ``independent_draws``. ``errors_factor``: by how much errors are larger than told, where
    these are scaled.
    """

    figures: InRows[SpreadFigure]
    limits: InRows[Broken]
    any_broken: float
    shares: Mapping[str, Mapping[str, float]]
    by_models: Mapping[str, float]
    uncertain: Mapping[str, Any]
    settings: Values = field(default_factory=dict)
    succeeds: float = 1.0
    drawn: int = 0
    independent_draws: float = 0.0
    errors_factor: Interval | None = None

    def __getitem__(self, quantity: str) -> Mapping[str, SpreadFigure]:
        """The figures of a quantity, by name. Raises KeyError."""
        own = {one.figure: one for one in self.figures if one.quantity == quantity}
        if not own:
            raise KeyError(quantity)
        return own

    def __repr__(self) -> str:
        """A table of the figures, one of the limits, what of these is not known, and what it is spread by."""
        limits = [repr(self.limits), *self._seldom] if self.limits else []
        return "\n".join([repr(self.figures), *limits, *self._by, *self._scaled])

    @property
    def _seldom(self) -> Iterator[str]:
        from orchestrator.sensitivity.spread import FEWEST_BROKEN

        for one in self.limits:
            if one.broken * self.independent_draws < FEWEST_BROKEN:
                settings = f"{self.independent_draws:,.0f} settings"
                yield f"{one.limit} is broken so seldom that {settings} do not tell how often"

    @property
    def _scaled(self) -> Iterator[str]:
        if (factor := self.errors_factor) is not None:
            yield f"errors are {factor.median:.3g} times as large ({factor.low:.3g} to {factor.high:.3g})"

    @property
    def _by(self) -> Iterator[str]:
        for quantity, shares in self.shares.items():
            each = sorted(shares.items(), key=lambda one: -one[1])
            words = ", ".join(f"{name} {percent(share, 2)}" for name, share in each)
            yield f"{quantity} is spread by {words}"
