"""The budgets of a run, by name: when it ends, at the first that is reached."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

BudgetName: TypeAlias = Literal["trials", "cost", "time", "target", "patience", "expected_gain"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The budgets of a run, each optional.

    The clock is watched by the runtime; costs are in evaluations at full fidelity. ``target`` is a value that
    is good enough, ``patience`` how many trials may find nothing better, and ``expected_gain`` what must be
    left to gain.
    """

    trials: int | None = None
    cost: float | None = None
    time_s: float | None = None
    target: float | None = None
    patience: int | None = None
    expected_gain: float | None = None

    @property
    def full_evaluations(self) -> int | None:
        """How many evaluations at full fidelity are paid for, if trials or what they cost are counted."""
        paid = [] if self.cost is None else [math.ceil(self.cost)]
        return min([*paid, *([] if self.trials is None else [self.trials])], default=None)


class Budgets(Protocol):
    """A value of each budget, None of one that there is not; what each means says `Budget`."""

    @property
    def trials(self) -> int | None: ...
    @property
    def cost(self) -> float | None: ...
    @property
    def time_s(self) -> float | None: ...
    @property
    def target(self) -> float | None: ...
    @property
    def patience(self) -> int | None: ...
    @property
    def expected_gain(self) -> float | None: ...


def by_name(budgets: Budgets) -> dict[BudgetName, float | None]:
    """Their values."""
    return {
        "trials": budgets.trials,
        "cost": budgets.cost,
        "time": budgets.time_s,
        "target": budgets.target,
        "patience": budgets.patience,
        "expected_gain": budgets.expected_gain,
    }


def words_of(name: BudgetName) -> str:
    """``expected gain``."""
    return name.replace("_", " ")


def budget_words(given: Budgets, lifted: Collection[BudgetName]) -> str:
    """What is made of budgets, some of which are given and some are no more: ``trials 200, no target``."""
    said = [_said(name, value) for name, value in by_name(given).items() if value is not None]
    return ", ".join([*said, *(f"no {words_of(name)}" for name in lifted)])


def _said(name: BudgetName, value: float) -> str:
    number = f"{value}" if isinstance(value, int) else f"{value:g}"
    return f"{words_of(name)} {number}{' s' if name == 'time' else ''}"
