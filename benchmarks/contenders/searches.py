"""Searches that a comparison is made of, one evaluation at a time: what is asked for, and what came of it.

Notation: D parameters.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from orchestrator.algorithms.base import Algorithm, AskKey, Noise, Observation, Suggestion
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.arrays import FloatArray
from orchestrator.scheduler.standing import ROUNDING

EXACT = Noise("known", 0.0)


@dataclass(frozen=True)
class SearchJob:
    """``algorithm`` on the function called ``function``; everything random follows from ``seed``."""

    algorithm: str
    function: str
    seed: int

    @property
    def title(self) -> str:
        """What a table calls the contender."""
        return self.algorithm


def one_job(algorithm: str, function: str, seed: int) -> list[SearchJob]:
    """Where there is one way to search."""
    return [SearchJob(algorithm, function, seed)]


J = TypeVar("J", bound=SearchJob)
V = TypeVar("V")


@dataclass(frozen=True)
class SearchRun(Generic[J, V]):
    """What came of a job: the ``values`` told in order, and the mean processor ``seconds`` of an ask, refits
    included. ``date`` is the day that it was made on, as year-month-day; empty where nobody said.
    """

    job: J
    values: tuple[V, ...]
    seconds: float
    date: str = ""


def search(
    algorithm: Algorithm, evaluations: int, evaluate: Callable[[int, FloatArray], tuple[Observation, V]]
) -> tuple[tuple[V, ...], float]:
    """Ask for a point, evaluate and tell it, so many times, each refit adopted before the next ask.

    ``evaluate`` takes the number of a trial, from 0, and a (D,) point of the unit cube; it gives what the
    algorithm is told, and the value that is kept.

    Returns the values, in order, and the mean processor seconds of an ask, refits included, and evaluations
    not.
    """
    values: list[V] = []
    begun, evaluating = time.process_time(), 0.0
    for trial in range(evaluations):
        bring_up_to_date(algorithm)
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        before = time.process_time()
        observation, value = evaluate(trial, suggestion.point)
        evaluating += time.process_time() - before
        algorithm.tell([observation])
        values.append(value)
    return tuple(values), (time.process_time() - begun - evaluating) / evaluations


def search_within(
    algorithm: Algorithm,
    budget: float,
    evaluate: Callable[[int, Suggestion], tuple[Observation, V, float]],
) -> tuple[tuple[V, ...], float]:
    """The same until so much is spent. Trials are numbered from 1, as in a run: what is known from elsewhere
    has the numbers before. ``evaluate`` takes all of a suggestion, and gives what is paid as well.
    """
    values: list[V] = []
    begun, evaluating, spent = time.process_time(), 0.0, 0.0
    while spent < budget - ROUNDING:
        trial = len(values) + 1
        bring_up_to_date(algorithm)
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        before = time.process_time()
        observation, value, paid = evaluate(trial, suggestion)
        evaluating += time.process_time() - before
        algorithm.tell([observation])
        values.append(value)
        spent += paid
    return tuple(values), (time.process_time() - begun - evaluating) / len(values)
