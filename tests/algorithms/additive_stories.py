"""What the stories about the additive algorithms share: driving one, and functions of known structure."""

import math

import numpy as np

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem
from orchestrator.unit_cube.domain import Domain

PAIRS = ((0, 3), (1, 4), (2, 5))


def pairs(point) -> np.ndarray:
    """Three terms, each a product wave of two parameters that lie apart."""
    return np.array([math.sin(7 * point[a]) * math.sin(5 * point[b] + a) for a, b in PAIRS])


def two_bowls(point) -> np.ndarray:
    """Two terms that share the second parameter; highest at (0.3, 0.6, 0.8), where they are 0."""
    x, y, z = point
    return np.array([-((x - 0.3) ** 2) - (x - 0.3) * (y - 0.6) - (y - 0.6) ** 2, -((y - 0.6 + z - 0.8) ** 2)])


CHAIN = ((0, 1), (1, 2))


def built(name, dimension, options=None, **problem):
    return registry.build(name, Problem(Domain.continuous(dimension), **problem), options)


def told(algorithm, terms, points, with_terms=False):
    """The algorithm after it was told random points and has adopted its first refit."""
    for trial, point in enumerate(points):
        parts = terms(point)
        algorithm.tell([Observation(trial, point, float(parts.sum()), factors=parts if with_terms else None)])
    algorithm.adopt(algorithm.compute_refit(1))
    return algorithm


def optimise(algorithm, terms, trials, with_terms=False):
    """The best value, and the last suggestion."""
    best, suggestion = -math.inf, None
    for trial in range(trials):
        if (number := algorithm.refit_due()) is not None:
            algorithm.adopt(algorithm.compute_refit(number))
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        parts = terms(suggestion.point)
        best = max(best, float(parts.sum()))
        algorithm.tell(
            [Observation(trial, suggestion.point, float(parts.sum()), factors=parts if with_terms else None)]
        )
    return best, suggestion
