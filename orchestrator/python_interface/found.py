"""What was found by an Optimiser: the best result, or of several objectives those that no other beats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from orchestrator.errors import UsageError
from orchestrator.objectives import as_good
from orchestrator.python_interface.answers import Best
from orchestrator.python_interface.reading import Reading
from orchestrator.python_interface.results import Result
from orchestrator.values.finite import is_number
from orchestrator.values.foreign import single_number
from orchestrator.values.named import Values
from orchestrator.values.reference_named import names_reference


@dataclass(slots=True)
class Found:
    """The ``best`` of one objective, and the ``front`` of several, each with its objectives, the more the
    better. ``sign``: -1 where one minimises. Where values ``drift``, none is kept. ``since``: what the trials
    count for that were added since one of these was.
    """

    sign: float
    drift: bool = False
    best: Best | None = None
    front: list[tuple[tuple[float, ...], Best]] = field(default_factory=list)
    since: float = 0.0

    def add(self, result: Result, parameters: Values, cost: float) -> None:
        """A result, at parameters as an evaluation was given them, and what it counts for as a trial."""
        before = self.best, self.front
        self._compare(result, parameters)
        if result.trial is not None:
            # What is known from elsewhere uses up no patience, and renews none.
            improved = self.best is not before[0] or self.front is not before[1]
            self.since = 0.0 if improved else self.since + cost

    def _compare(self, result: Result, parameters: Values) -> None:
        if self.drift or not result.stands or result.value is None:
            return
        one = Best(result.trial, dict(parameters), result.value, result.outcomes, extras=result.extras)
        if result.judged is not None and result.judged.further:
            self._join(one, (self.sign * result.value, *result.judged.further))
        elif self.best is None or self.sign * (result.value - self.best.value) > 0:
            self.best = one

    def _join(self, one: Best, own: tuple[float, ...]) -> None:
        if np.isnan(own).any() or any(as_good(theirs, own) for theirs, _ in self.front):
            return
        kept = [(theirs, other) for theirs, other in self.front if not as_good(own, theirs)]
        self.front = [*kept, (own, one)]


def target_of(told: object) -> float:
    """Raises UsageError for what is no finite number."""
    target = single_number(told)
    if not is_number(target):
        raise UsageError(f"expected as `target` a finite number, got {told!r}")
    return float(target)


def nothing_satisfies(results: Iterable[Result], reading: Reading) -> bool:
    """Whether trials have values, and all that has one breaks constraints on outcomes. One that does not, and
    is no best one for want of fidelity, may lead to one; of limits by what the reference has nobody knows
    before that was told.
    """
    there = None if reading.reference is None else reading.reference.parameters
    came = [one for one in results if one.measured]
    in_doubt = bool(reading.relative) and not any(one.parameters == there for one in came)
    valued = [one for one in came if one.value is not None]
    for one in valued:
        broken = () if one.judged is None else one.judged.broken
        if not broken or (in_doubt and all(map(names_reference, broken))):
            return False
    return any(one.trial is not None for one in valued)
