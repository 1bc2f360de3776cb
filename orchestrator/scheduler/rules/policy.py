"""What the spec decides for the scheduler: how many trials at a time, how often to try, when to end."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from orchestrator.objectives import Goal
from orchestrator.scheduler.rules.clock import Clock
from orchestrator.scheduler.rules.places import Places, away
from orchestrator.scheduler.rules.slots_needed import SlotsNeeded
from orchestrator.values.change import Changes
from orchestrator.values.named import Values
from orchestrator.values.travel import Travels


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The rules of one run.

    ``trials``, ``cost``, ``time_s``, ``target``, ``patience`` and ``expected_gain`` are budgets, each
    optional; the clock is watched by the runtime, and costs are in evaluations at full fidelity. ``attempts``
    is how many failures a trial is allowed; ``give_up_after`` how many failed trials a run is in which none
    has succeeded. ``mode`` and ``batch`` say how many trials are under way at a time, and ``sharing`` which
    parameters are alike in all that run. ``outcomes`` are what results bring besides that the optimiser is to
    be told, and ``derivatives`` whether it is to be told those of the value; ``further`` those of them that
    are objectives too, each with its goal. ``full`` is the value at full fidelity of the parameter that says
    how closely an evaluation looks, by its name; empty where all look alike. ``held`` are the values of
    parameters that are not to be chosen, but are as they are; the ``clock`` is another whose value is the
    time. ``travel`` says how far those may go from one trial to the next that may not go anywhere, and
    ``changes`` what it takes to change others.
    ``averages``: what is sought is best on average over settings that are a little off, and not as set.
    ``blocks``: what results say which block they are of by, whose offset they share, or ``worker``; None
    where they share none. ``compared``: no trial has a value, but people say which of two is better. ``kept``
    are the limits on outcomes that no trial may break, as they were written: the optimiser may have no point
    that is sure enough before more is known. ``candidates``: only what is listed may be tried, of which there
    may be no more, and where points are ``tried_once`` a second value at one tells nothing. ``in_use``:
    parameters that vary in use, over which no trial is the best, but a design of the others, and ``over`` in
    words how it is best over these; or, where it is ``for_each``, other settings are best in each of their
    values. ``threshold``: it is sought where the value is above this, and no point is the best. ``slots``:
    how many of a worker's a trial takes; None where each takes one.
    """

    goal: Goal = "maximise"
    trials: int | None = None
    cost: float | None = None
    time_s: float | None = None
    target: float | None = None
    patience: int | None = None
    expected_gain: float | None = None
    attempts: int = 3
    give_up_after: int | None = None
    mode: Literal["asynchronous", "synchronous", "sequential"] = "asynchronous"
    batch: int = 1
    sharing: tuple[str, ...] = ()
    approval: bool = False
    outcomes: tuple[str, ...] = ()
    derivatives: bool = False
    further: tuple[tuple[str, Goal], ...] = ()
    full: Places = field(default_factory=dict)
    held: Places = field(default_factory=dict)
    clock: Clock | None = None
    travel: Travels = field(default_factory=dict)
    changes: Changes = field(default_factory=dict)
    averages: bool = False
    blocks: str | None = None
    compared: bool = False
    kept: tuple[str, ...] = ()
    candidates: bool = False
    tried_once: bool = False
    in_use: tuple[str, ...] = ()
    over: str = ""
    for_each: bool = False
    threshold: float | None = None
    slots: SlotsNeeded | None = None

    @property
    def no_trial_is_best(self) -> bool:
        """Whether what is best is another point than those of trials, and said by the optimiser, or none."""
        return self.clock is not None or bool(self.in_use) or self.threshold is not None

    @property
    def one_machine(self) -> bool:
        """Whether it matters where the machine stands: what it can be set to at once, or how soon."""
        return bool(self.travel) or bool(self.changes)

    @property
    def at_a_time(self) -> float:
        """How many trials may run at a time, whatever the workers; infinite where only these limit it."""
        return {"sequential": 1, "synchronous": self.batch, "asynchronous": math.inf}[self.mode]

    @property
    def evaluations(self) -> int | None:
        """How many evaluations at full fidelity are paid for, if trials or what they cost are counted."""
        paid = [] if self.cost is None else [math.ceil(self.cost)]
        return min([*paid, *([] if self.trials is None else [self.trials])], default=None)

    def elsewhere(self, parameters: Values) -> tuple[str, ...]:
        """The parameters of a point that keep it from being the best, whatever its value: the best one is at
        full fidelity, and where parameters are held.
        """
        return away(self.full, parameters) + away(self.held, parameters)

    def shared_by(self, parameters: Values) -> Places:
        """What all trials that run beside one of these parameters are to have as well."""
        return {name: parameters[name] for name in self.sharing if name in parameters}

    def slots_of(self, parameters: Values) -> int:
        """How many slots of a worker a trial of these parameters takes; 0 where that cannot be told."""
        return 1 if self.slots is None else self.slots.of(parameters)

    def better(self, value: float, than: float) -> bool:
        """Whether a value beats another, in the objective's own sense."""
        return value > than if self.goal == "maximise" else value < than

    def target_reached(self, best: float) -> bool:
        """Whether the best value is at least as good as the target."""
        return self.target is not None and not self.better(self.target, best)
