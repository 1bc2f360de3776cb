"""The whole function as the one who asks may know it: what the factors tell of points, added up.

Each factor is told its own coordinates of a point and answers with its own parts; nobody holds the function.

Notation: D parameters, F factors, n points, phi as in `factor_objective`.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.maximisers.factors.factor_objective import (
    Parts,
    PartsAndGradients,
    alone,
    combine,
    combine_with_gradients,
)
from orchestrator.maximisers.message_passing.exchange import Exchange
from orchestrator.maximisers.message_passing.nodes import Message, factor_name


class ExchangeObjective:
    """phi of an exchange's factors; keeps `Objective`."""

    def __init__(self, exchange: Exchange) -> None:
        self.graph = exchange.graph
        self.coupled = exchange.coupled
        self._exchange = exchange
        self._weights = np.zeros(exchange.graph.size)

    def values(self, X: FloatArray) -> FloatArray:
        """(n,) phi at (n, D) points."""
        return self.combined(*self.all_parts(X))

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) phi and its (n, D) gradient at (n, D) points."""
        told = self._told("gradients", self._own(X))
        parts = [PartsAndGradients(*(found[name] for name in PartsAndGradients._fields)) for found in told]
        return combine_with_gradients(self.graph, self.coupled, self._weights, parts)

    def all_parts(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(F, n) plain and (F, n) shared parts at (n, D) points."""
        told = self._told("values", self._own(X))
        return np.array([found["plain"] for found in told]), np.array([found["shared"] for found in told])

    def alone(self, X: FloatArray) -> FloatArray:
        """(F, n) what each factor's own function is at (n, D) points: see `factor_objective.alone`."""
        plain, shared = self.all_parts(X)
        return alone(self._weights[:, None], plain, shared)

    def parts(self, points: Mapping[int, FloatArray]) -> dict[int, Parts]:
        """Of some factors, each at (n_i, d_i) points in its own coordinates."""
        told = self._told("values", points)
        return {i: Parts(found["plain"], found["shared"]) for i, found in zip(points, told, strict=True)}

    def combined(self, plain: FloatArray, shared: FloatArray) -> FloatArray:
        """(n,) phi from the (F, n) parts of factors all of which have been asked about before."""
        return combine(self.graph, self.coupled, self._weights, plain, shared)

    def _own(self, X: FloatArray) -> dict[int, FloatArray]:
        return {i: X[:, v] for i, v in enumerate(self.graph.indices)}

    def _told(self, program: str, points: Mapping[int, FloatArray]) -> list[Message]:
        inputs = {factor_name(i): {"points": X} for i, X in points.items()}
        results = self._exchange.run(program, {}, inputs).results
        told = [results[factor_name(i)] for i in points]
        self._weights[list(points)] = [float(found["weight"]) for found in told]
        return told
