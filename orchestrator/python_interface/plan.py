"""What callers of the Python interface plan: how long they go on, and how many evaluations run at a time."""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.errors import UsageError
from orchestrator.python_interface.unknown_arguments import OF_A_PLAN, is_made_of_what_is_meant
from orchestrator.values.finite import is_number
from orchestrator.values.foreign import single_number
from orchestrator.values.plain import whole_number


@is_made_of_what_is_meant(OF_A_PLAN)
@dataclass(frozen=True, slots=True)
class Plan:
    """What is planned: how many ``trials`` there will be in all (>= 1; None: nobody knows), and how many of
    them run at a time, ``parallel`` (>= 1). Algorithms that look at it explore while there is time to, and
    do not wait for what still runs; more or fewer may come all the same. Where evaluations may look less
    closely for less, ``cost`` (> 0) is what all will cost together, in evaluations at full fidelity.
    """

    trials: int | None = None
    parallel: int = 1
    cost: float | None = None

    @classmethod
    def of(cls, told: object) -> Plan:
        """What a caller tells, None of nothing. Raises UsageError."""
        if told is not None and not isinstance(told, Plan):
            raise UsageError(f"expected a Plan, as Plan(trials=80, parallel=4), got {told!r}")
        return cls() if told is None else told

    def __post_init__(self) -> None:
        for name, told in (("trials", self.trials), ("parallel", self.parallel)):
            if name == "trials" and told is None:
                continue
            number = whole_number(told)
            if number is None or number < 1:
                raise UsageError(f"expected a plan whose `{name}` is a whole number above 0, got {told!r}")
            object.__setattr__(self, name, number)
        if self.cost is not None:
            cost = single_number(self.cost)
            if not is_number(cost) or cost <= 0.0:
                raise UsageError(
                    "expected a plan whose `cost` is a number above 0, of evaluations at full fidelity, got"
                    f" {self.cost!r}"
                )
            object.__setattr__(self, "cost", float(cost))
