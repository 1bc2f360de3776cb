"""What callers of the Python interface tell of an evaluation, and what it is read as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from orchestrator.algorithms.base import Observation
from orchestrator.arrays import FloatArray
from orchestrator.values.curve import Outcomes
from orchestrator.values.named import Values
from orchestrator.wanted_outcomes import Judged


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was tried: the (D,) ``point``, the ``parameters`` that count there, and the constraints
    on parameters that are ``broken``.
    """

    point: FloatArray
    parameters: Values
    broken: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Telling:
    """What is told of an evaluation, as it came: no more of it is known than that, how many ``seconds`` it
    took, and whether it was asked for while parameters were ``held``, or not at all, its point being
    ``attached``; of which ``block`` it is, the ``reason`` why it failed, and ``derivatives`` of the value.
    ``extras`` are kept with it.
    """

    value: object
    variance: object = None
    factors: object = None
    outcomes: object = None
    foreseen: bool = False
    held: bool = False
    seconds: object = None
    attached: bool = False
    block: object = None
    reason: object = None
    derivatives: object = None
    extras: Mapping[Any, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """One that can be learned. ``value`` is in the sense of the caller, and None of what failed; ``stands``:
    it was not foreseen, it satisfies the constraints, and so it may be the best. ``between`` are the
    parameters of which it lies between two values; ``reason`` is why it failed, as far as that was said;
    ``extras`` are what came with it.
    """

    trial: int | None
    parameters: Values
    value: float | None
    variance: float | None
    factors: Sequence[float] | None
    outcomes: Outcomes
    judged: Judged | None
    observation: Observation
    stands: bool
    between: tuple[str, ...] = ()
    reason: str = ""
    derivatives: Mapping[str, float] = field(default_factory=dict)
    extras: Mapping[str, Any] = field(default_factory=dict)

    @property
    def measured(self) -> bool:
        """Whether an evaluation came to it, if not at this very point."""
        return bool(self.between) or not self.observation.foreseen
