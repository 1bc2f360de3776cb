"""What was told, as BoTorch's models take it, and the surroundings in which they are called.

Notation: K columns, n results.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from orchestrator.algorithms.ask_and_tell.told_values import ToldValues
from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.peers.botorch_columns import Columns
from orchestrator.arrays import FloatArray
from orchestrator.surrogates.scales.standardise import Standardisation


@dataclass(frozen=True, eq=False)
class Results:
    """``X`` (n, K); ``Y`` (n, 1) standardised; ``Yvar`` (n, 1) noise variances, None where they are to be
    inferred; ``standardisation`` undoes the units.
    """

    X: Tensor
    Y: Tensor
    Yvar: Tensor | None
    standardisation: Standardisation

    @classmethod
    def of(
        cls, history: History, columns: Columns, problem: Problem, rows: Sequence[int] | None = None
    ) -> Results:
        """Some of what was told, or all of it."""
        which = slice(None) if rows is None else list(rows)
        told = ToldValues.of(problem, history, which)
        standardisation = Standardisation.of(told.values[~np.isnan(told.values)])
        y, noise = told.standardised(standardisation)
        return cls(
            columns.tensor(history.points[which]),
            _column(y),
            None if problem.noise.kind == "unknown" else _column(noise),
            standardisation,
        )


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """torch's global generator set to a seed and put back afterwards; warnings, which are many, kept
    quiet.
    """
    with torch.random.fork_rng(devices=[]), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(seed)
        yield


def _column(values: FloatArray) -> Tensor:
    return torch.as_tensor(values, dtype=torch.double).unsqueeze(-1)
