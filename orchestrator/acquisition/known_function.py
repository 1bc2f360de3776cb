"""What an objective is that is a known function of what evaluations return, as algorithms are told it.

Notation: m outcomes, D coordinates, S draws, k points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from orchestrator.acquisition.curve_components import Curve, CurveComponents
from orchestrator.arrays import BoolArray, FloatArray

if TYPE_CHECKING:
    from orchestrator.acquisition.whitening import Whitening


@dataclass(frozen=True, eq=False, slots=True)
class Targets:
    """What outcomes were measured to be: (m,) ``values``, each with its ``errors`` > 0. ``beyond``: the
    square of what of them no outcomes can reach, in errors. ``without_errors``: names of those of which
    nobody told any.
    """

    values: FloatArray
    errors: FloatArray
    beyond: float = 0.0
    without_errors: tuple[str, ...] = ()


class KnownFunction(Protocol):
    """g(y, x) of ``outcomes`` many outcomes y, and perhaps of where x they were seen, in the sense of
    maximisation. Where it is no number it is NaN.
    """

    @property
    def outcomes(self) -> int:
        """m."""
        ...

    @property
    def named(self) -> BoolArray:
        """(D,) the coordinates that it depends on besides."""
        ...

    @property
    def units(self) -> FloatArray:
        """(m,) by how much of each outcome it may well be off; 0 where it does not say."""
        ...

    @property
    def sought(self) -> Targets | None:
        """Of a misfit to what was measured; None of any other function."""
        ...

    @property
    def curves(self) -> Sequence[Curve]:
        """Which outcomes are the points of curves: these are modelled by their components."""
        ...

    @property
    def whitening(self) -> Whitening | None:
        """What outcomes whose errors hang together are modelled as; None where none do."""
        ...

    @property
    def whitened(self) -> KnownFunction:
        """The same of what they are modelled as; where none hang together, itself."""
        ...

    def of_components(self, components: Sequence[CurveComponents]) -> KnownFunction:
        """The same of all other outcomes and, behind them, the weights of each curve's components, as if
        these left nothing out.
        """
        ...

    def of_components_and_rests(self, components: Sequence[CurveComponents]) -> KnownFunction:
        """The same, and behind all these the `rests`, one of each curve."""
        ...

    def rests(self, components: Sequence[CurveComponents], outcomes: FloatArray) -> FloatArray:
        """(n, curves) what (n, m) outcomes add to the function beside the weights of their components."""
        ...

    def values(self, outcomes: FloatArray, points: FloatArray) -> FloatArray:
        """(S, k) of (S, k, m) outcomes at (k, D) points."""
        ...

    def values_and_slopes(self, outcomes: FloatArray, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The same, with the (S, k, m) slopes along each outcome; 0 where it jumps."""
        ...
