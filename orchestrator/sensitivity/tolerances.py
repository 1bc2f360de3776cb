"""By how much settings are off, and where points then lie.

Each of some parameters is off by up to its tolerance, evenly, independently of the others, and never beyond
its bounds. One that constraints count is 0, exactly, where it is left out.

Notation: D parameters, T of them with a tolerance, k points, m ways to be off.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy.stats import qmc

from orchestrator.algorithms.base import Problem
from orchestrator.arrays import FloatArray
from orchestrator.errors import UsageError
from orchestrator.expressions.constraints import counted_by
from orchestrator.parameters.space import Parameter, Space
from orchestrator.parameters.tolerances import is_measurable, off_by
from orchestrator.spelling import did_you_mean, listed
from orchestrator.unit_cube.domain import Domain
from orchestrator.values.named import Values
from orchestrator.values.quoted import quoted


@dataclass(frozen=True, eq=False)
class Tolerances:
    """By how much parameters of a space may be off: ``widths`` are in each parameter's own units. What is to
    be found lies where parameters are ``held``, which may be off, too.

    Raises UsageError for a width that is not positive, and for a parameter that is no number between whose
    values there are others.
    """

    space: Space
    widths: Mapping[str, float]
    held: Values = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.widths:
            raise UsageError(
                "expected a tolerance for one parameter at least, got none: parameters have none of their"
                ' own, so say which are off, and by how much, as {"span": 0.5}'
            )
        for name, width in self.widths.items():
            if not is_measurable(self._parameter(name)):
                raise UsageError(
                    "expected a float, or an ordered parameter of numbers, to be off by a little, got"
                    f" `{name}`, which is neither"
                )
            if not (math.isfinite(width) and width > 0.0):
                raise UsageError(f"expected a tolerance above 0 of `{name}`, got {width!r}")

    @property
    def counted(self) -> frozenset[str]:
        """The parameters that may be left out, by a constraint that counts them or a least amount."""
        return counted_by(self.space.constraints)

    def sought(self, problem: Problem) -> Domain:
        """The part of a problem's domain in which answers lie."""
        held = {self.space.index(name): value for name, value in self.held.items()}
        places = {i: self.space.parameters[i].encode(value) for i, value in held.items()}
        return problem.sought.holding(places) if places else problem.sought

    def drawn(self, count: int, rng: np.random.Generator, beside: int = 0) -> FloatArray:
        """(m, T + beside) numbers in (0, 1) that fill the cube evenly; ``count`` is a power of two."""
        return np.asarray(qmc.Sobol(len(self.widths) + beside, seed=rng).random(count))

    def around(self, points: FloatArray, drawn: FloatArray) -> tuple[FloatArray, dict[str, FloatArray]]:
        """(k m, D) positions of (k, D) points that are off in (m, T + ...) ways, those of each point
        together; and by name the (k m,) values there of those parameters that may be off.
        """
        off = np.repeat(points, len(drawn), axis=0)
        values: dict[str, FloatArray] = {}
        for way, (name, width) in zip(drawn.T, self.widths.items(), strict=False):
            i, parameter = self.space.index(name), self._parameter(name)
            assert is_measurable(parameter)
            axis = off_by(parameter, i, width)
            meant = np.array([parameter.decode(float(x)) for x in points[:, i]], dtype=float)
            shifted = axis.shifted(meant, 2.0 * way - 1.0)
            if name in self.counted:
                shifted[meant == 0.0] = 0.0
            values[name] = shifted.ravel()
            off[:, i] = axis.placed(values[name])
        return off, values

    def _parameter(self, name: str) -> Parameter:
        if name in self.space.fixed:
            raise UsageError(f"expected a parameter that varies, got `{name}`, which is fixed")
        if name in {one.name for one in self.space.computed}:
            raise UsageError(f"expected a parameter that is chosen, got `{name}`, which is computed")
        if name not in self.space.names:
            known = list(self.space.names)
            raise UsageError(
                f"expected a parameter, {listed(known)}, got {quoted(name)}{did_you_mean(name, known)}"
            )
        return self.space.parameters[self.space.index(name)]
