"""Benchmarks that ask the Python interface get the points of algorithms asked with numbers from 0."""

from __future__ import annotations

from benchmarks.contenders.numbered_from_nought import numbered_from_nought
from orchestrator import Optimiser
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Problem
from orchestrator.unit_cube.domain import Domain


def test_the_first_ask_and_the_first_trial_are_number_0() -> None:
    optimiser = numbered_from_nought(
        Optimiser({"x": (0.0, 1.0), "y": (0.0, 1.0)}, algorithm="random", seed=3)
    )
    algorithm = registry.build("random", Problem(Domain.continuous(2), seed=3), {})
    for ask in range(3):
        (asked,) = optimiser.ask()
        (suggestion,) = algorithm.ask(1, [], AskKey(ask, ask))
        assert asked.trial == ask
        assert abs(suggestion.point - list(asked.parameters.values())).max() < 1e-11
        optimiser.abandon(asked.trial)
