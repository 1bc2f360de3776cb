"""Functions that are evaluated in rounds which share some parameters, for comparisons. All are minimised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.functions.shifted import Shifted

AT_A_TIME, ROUNDS = 8, 10


@dataclass(frozen=True)
class InRounds(Shifted):
    """A ``function`` of which the rounds share the first parameters, ``shared`` of them."""

    shared: int
    evaluations: int = AT_A_TIME * ROUNDS


IN_ROUNDS: Mapping[str, InRounds] = {
    f"{function}-{shared}": InRounds(function, shared)
    for function, shared in (
        ("camel", 1),
        ("hartmann-6", 1),
        ("hartmann-6", 2),
        ("hartmann-6", 4),
        ("ackley-5", 2),
        ("styblinski-tang-5", 2),
        ("rosenbrock-4", 2),
    )
}
