"""How much exploration the deviation of each factor of a graph is worth.

Of the practical schedule `additive.options` makes its own, as its options say.

Notation: D parameters, F factors, t >= 1 the number of the evaluation to come. ``beta`` is under the root.
"""

from __future__ import annotations

import math

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph


def theoretical_betas(t: int, graph: FactorGraph, failure: float = 0.1) -> FloatArray:
    """(F,) 2 log(F pi^2 t^2 / (2 delta)) + 2 d log(D t^3), d the size of each factor: Theorem 5 of
    Kandasamy et al.

    ``failure`` is delta in (0, 1), the probability that the bound on regret does not hold.
    """
    t = max(t, 1)
    sizes = np.array([len(factor) for factor in graph.factors], dtype=float)
    any_factor = 2.0 * math.log(graph.size * math.pi**2 * t * t / (2.0 * _probability(failure)))
    return any_factor + 2.0 * sizes * math.log(graph.dimension * t**3)


def finite_domain_betas(t: int, graph: FactorGraph, log_points: float, failure: float = 0.1) -> FloatArray:
    """(F,) equal: 2 log(|X| F pi^2 t^2 / (6 delta)), Theorem 1 of Hoang et al. 2018.

    For a domain of |X| points; ``log_points`` is log |X|, as |X| itself may be beyond a float.
    """
    t = max(t, 1)
    beta = 2.0 * (log_points + math.log(graph.size * math.pi**2 * t * t / (6.0 * _probability(failure))))
    return np.full(graph.size, beta)


def beta_of_the_total(t: int, log_points: float, failure: float = 0.1) -> float:
    """2 log(|X| pi^2 t^2 / (6 delta)), Theorem 5.2 of Bardou et al. 2024, which bounds the sum only.

    For a domain of |X| points, of which ``log_points`` is the logarithm.
    """
    t = max(t, 1)
    return 2.0 * (log_points + math.log(math.pi**2 * t * t / (6.0 * _probability(failure))))


def _probability(failure: float) -> float:
    if not 0 < failure < 1:
        raise ValueError(f"a probability of failure lies between 0 and 1; got {failure}")
    return failure
