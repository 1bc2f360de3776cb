"""What questions about results ask of a model of a value, whatever it is made of.

Notation: D parameters, n results, m and p points, k draws.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from orchestrator.arrays import FloatArray
from orchestrator.sensitivity.believed_together import Drawn
from orchestrator.sensitivity.results_model import LeftOut
from orchestrator.unit_cube.by_logarithm import Scales
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.settings_off import SettingsOff


class Together(Protocol):
    """What is believed of p values together, without noise."""

    @property
    def places(self) -> int:
        """How many normal numbers a draw takes."""
        ...

    def expected(self) -> FloatArray:
        """(p,) values expected."""
        ...

    def drawn(self, normals: FloatArray) -> Drawn:
        """(k, p) values of each hypothesis, by (k, places) standard ``normals``."""
        ...


class ValueModel(Protocol):
    """Of values in their own units, over a ``domain``, by so many as were ``modelled`` of those ``measured``;
    what is believed reaches ``stretch`` times as far as it says itself. ``hypotheses``: what each is called,
    with its probability; none, where values are computed from what is modelled. ``scales``: on which
    points of the domain are seen.
    """

    @property
    def domain(self) -> Domain: ...

    @property
    def scales(self) -> Scales: ...

    @property
    def hypotheses(self) -> Mapping[str, float]: ...

    @property
    def modelled(self) -> int: ...

    @property
    def measured(self) -> int: ...

    @property
    def stretch(self) -> float: ...

    def expected(self, points: FloatArray) -> FloatArray:
        """(m,) values expected at (m, D) points, without noise."""
        ...

    def predicted(self, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The same, with the (m,) deviations of the belief."""
        ...

    def together(self, points: FloatArray, off: SettingsOff | None = None) -> Together:
        """What is believed at (p, D) points, or of averages over settings that are ``off``."""
        ...

    def left_out(self) -> LeftOut:
        """What is predicted of each of n results from all others."""
        ...
