"""Rounds whose points share some of their parameters, as samples that are in one oven have one temperature.

Notation: D coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from orchestrator.algorithms.ask_and_tell.start_design import OF_DESIGN, StartDesign
from orchestrator.algorithms.base import AskKey, Suggestion
from orchestrator.arrays import FloatArray
from orchestrator.errors import SpecError
from orchestrator.parameters.held import held_within, suggested_as_held
from orchestrator.parameters.space import Space
from orchestrator.scheduler.event_parts import ROUND
from orchestrator.values.named import Values

Ask: TypeAlias = Callable[[int, Sequence[FloatArray], AskKey], Sequence[Suggestion]]
"""As `Algorithm.ask`."""


@dataclass(frozen=True, slots=True)
class Round:
    """Points of a ``space`` that are asked for together while parameters are ``held``, and that share the
    parameters ``sharing``, perhaps none: as the trial ``of`` which it is the round has them ``settled``, or
    as the first point of all will. Rounds of a start design have them as the points of one have them that
    follow each other: as many apart as a round is long, those of a sequence lie side by side. Where no others
    are found beside the first point, all are as that is. The ``seed`` is the problem's.

    Source: pc-BO(basic) of Vellanki et al. 2017.

    Deviations: the first point, and the others beside it, are chosen by whatever an algorithm has, and not by
    upper bounds.
    """

    space: Space
    seed: int
    sharing: Sequence[str] = ()
    held: Values = field(default_factory=dict)
    settled: Values = field(default_factory=dict)
    of: int = 0

    @property
    def places(self) -> Values:
        """What is held while the others are chosen."""
        return {**self.held, **self.settled}

    def settled_by(self, trial: int, parameters: Values) -> Round:
        """The same, with what is shared as that trial has it among its parameters."""
        return replace(self, settled={name: parameters[name] for name in self.sharing}, of=trial)

    def asked(
        self, ask: Ask, n: int, pending: Sequence[FloatArray], key: AskKey
    ) -> tuple[Round, list[Suggestion]]:
        """At most n points beside (D,) ones that are ``pending``, as of one ask, and the round as it is
        settled by then.
        """
        within = held_within(self.space, self.places)
        if self.of or all(name in self.held for name in self.sharing):
            chosen = ask(n, pending, replace(key, within=within))
            return self, [self._marked(one, trial) for trial, one in enumerate(chosen, key.first_trial)]
        first = list(ask(1, pending, replace(key, within=within)))
        if not first:
            return self, []
        settling, trial = first[0], key.first_trial
        if settling.why.get("source") == OF_DESIGN:
            design = StartDesign(within or self.space.domain, self.seed)
            settling, first = replace(settling, point=design.point(key.ask - 1)), []
        together = self.settled_by(trial, suggested_as_held(self.space, settling.point, self.held))
        if len(first) == n:
            return together, first
        if not together.has_points():
            return together, [together._marked(settling, number) for number in range(trial, trial + n)]
        following = replace(key, first_trial=trial + len(first))
        beside = [*pending, *(one.point for one in first)]
        _, others = together.asked(ask, n - len(first), beside, following)
        return together, [*first, *others]

    def has_points(self) -> bool:
        """Whether any are found where it is settled: constraints may leave hardly more than one."""
        try:
            held_within(self.space, self.places)
        except SpecError:
            return False
        return True

    def _marked(self, suggestion: Suggestion, trial: int) -> Suggestion:
        if self.of in (0, trial):
            return suggestion
        return replace(
            suggestion, why={**suggestion.why, ROUND: {"of": self.of, "shares": dict(self.settled)}}
        )
