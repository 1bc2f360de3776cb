"""A function of settings and of conditions that come up in use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from orchestrator.arrays import FloatArray
from orchestrator.parameters.in_use import conditions_in_use
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.conditions_in_use import ConditionsInUse
from orchestrator.values.over import Over


@dataclass(frozen=True)
class FunctionOfConditions:
    """``value`` is (n,) at (n, D) points of the unit cube; ``description`` says what its D parameters are,
    the conditions among them, ``over`` what it is to be best over; ``evaluations`` is the budget of a
    comparison, ``noise`` the deviation of an evaluation, and ``about`` says in a few words what it is.
    """

    description: Mapping[str, object]
    value: Callable[[FloatArray], FloatArray]
    over: Over
    evaluations: int
    about: str
    noise: float = 0.0

    @cached_property
    def space(self) -> Space:
        """Its parameters."""
        return Space.from_description(self.description)

    @property
    def dimension(self) -> int:
        """D."""
        return len(self.space.names)

    @cached_property
    def in_use(self) -> ConditionsInUse:
        """As algorithms are told it."""
        found = conditions_in_use(self.space, self.over)
        assert found is not None
        return found
