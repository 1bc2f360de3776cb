"""The parameter that is the time, where an Optimiser is told that there is one: what is best drifts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from orchestrator.errors import UsageError
from orchestrator.expressions.constraints import Constraint
from orchestrator.parameters.fidelity import Fidelity
from orchestrator.parameters.kinds import FloatParameter
from orchestrator.parameters.space import Space
from orchestrator.spelling import did_you_mean, listed
from orchestrator.values.foreign import in_a_line
from orchestrator.values.named import Values
from orchestrator.wanted_outcomes import WantedOutcomes


@dataclass(frozen=True, slots=True)
class Clock:
    """The parameter ``name``, which every ask holds where it is then; ``begins`` is its lower bound."""

    name: str
    begins: float

    def require(self, held: object) -> None:
        """Raises UsageError where what is held does not say the time."""
        if held is None or (isinstance(held, Mapping) and self.name not in held):
            came = "none" if not held else f"only {listed([str(name) for name in held], 'and')}"
            raise UsageError(
                f'expected the time beside a clock, as held={{"{self.name}": {self.begins!r}}}, got {came}'
            )

    def of(self, parameters: Values) -> float:
        """What it showed."""
        time = parameters[self.name]
        assert isinstance(time, float)
        return time

    @property
    def no_best(self) -> str:
        """Why no result is the best."""
        return (
            f"by the clock, `{self.name}`, no result is the best, for its value may be another by now;"
            f' recommend(held={{"{self.name}": ...}}) has what is believed best then'
        )


def clock_of(
    told: object, space: Space, wanted: WantedOutcomes | None, fidelity: Fidelity | None
) -> Clock | None:
    """The clock of a space, beside what is ``wanted`` of outcomes, if there is one. Raises UsageError for
    what is none, and for what else is said of it.
    """
    if told is None:
        return None
    if not isinstance(told, str) or told not in space.names:
        near = did_you_mean(str(told), space.names)
        raise UsageError(
            f"expected the parameter that is the clock ({listed(space.names)}), got {in_a_line(told)}{near}"
        )
    clock = space.parameters[space.index(told)]
    if not isinstance(clock, FloatParameter):
        raise UsageError(f'expected a float as the clock, as {{"{told}": (0.0, 48.0)}}, got {clock!r}')
    if (
        clock.scale != "linear"
        or clock.periodic
        or any(told in own for own in (space.conditions, space.travel, space.changes, space.tolerances))
    ):
        raise UsageError(
            f'expected a clock that runs evenly and always counts, as {{"{told}": (0.0, 48.0)}}, without more'
        )
    if len(space.names) == 1:
        raise UsageError("expected at least one parameter to choose beside the clock, got none")
    if fidelity is not None and fidelity.parameter.name == told:
        raise UsageError(f"expected for fidelity {is_the_clock(told)}")
    of_outcomes = () if wanted is None else [one.text for one in wanted.constraints]
    for one in space.computed:
        if told in one.parents:
            raise UsageError(
                f"parameter `{one.name}`: expected as what it is computed from {is_the_clock(told)}"
            )
    for text in (*space.constraints, *of_outcomes):
        if told in {one.name for one in Constraint.of(text).names}:
            raise UsageError(f"expected no constraint on the clock, which is as late as it is, got `{text}`")
    for name, condition in space.conditions.items():
        if told in condition.parents:
            raise UsageError(f"parameter `{name}`: expected as what it counts by {is_the_clock(told)}")
    return Clock(told, clock.low)


def is_the_clock(name: str) -> str:
    """What is expected in its place, where there can be none."""
    return f"a parameter other than `{name}`, which is the clock"


def refuse_to_be_off(clock: Clock | None, off: Values) -> None:
    """Raises UsageError where a clock is said to be off by a little."""
    if clock is not None and isinstance(off, Mapping) and clock.name in off:
        raise UsageError(f"expected as what may be off {is_the_clock(clock.name)}")
