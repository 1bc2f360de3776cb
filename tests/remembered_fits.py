"""Fits to results that were fitted before, for tests that ask about the same results again and again."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from typing import Any

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.refit import AutoRefit
from orchestrator.algorithms.mixture.standing import Standing


class RememberedFits:
    """In the place of `AutoRefit` where models of results are made, whose history is points, values and
    variances, and nothing else. A fit is the same whenever it is computed.
    """

    def __init__(self) -> None:
        self._payloads: dict[bytes, Mapping[str, Any]] = {}

    def __call__(
        self, problem: Problem, history: History, number: int, designed: int, standing: Standing
    ) -> _Remembered:
        refit = AutoRefit(problem, history, number, designed, standing)
        told = (history.points, history.values, history.variances)
        key = pickle.dumps(
            (problem, number, designed, standing, [(rows.shape, rows.tobytes()) for rows in told])
        )
        return _Remembered(self._payloads, key, refit.compute)


class _Remembered:
    def __init__(
        self, payloads: dict[bytes, Mapping[str, Any]], key: bytes, anew: Callable[[], Mapping[str, Any]]
    ) -> None:
        self._payloads, self._key, self._anew = payloads, key, anew

    def compute(self) -> Mapping[str, Any]:
        if self._key not in self._payloads:
            self._payloads[self._key] = self._anew()
        return self._payloads[self._key]
