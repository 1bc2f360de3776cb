"""What is believed of the slacks of constraints on outcomes: a Gaussian process for each, on its own scale.

Notation: C slacks, at least 0 where a constraint is satisfied; n results, k points, E embedded columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from orchestrator.acquisition.feasibility import DrawnFeasibility, LogFeasibility
from orchestrator.algorithms.mixture_belief import Member, Results
from orchestrator.surrogates.drawn_functions import FirstOf
from orchestrator.surrogates.exact import ExactGP
from orchestrator.surrogates.pathwise_functions import PathwiseFunctions

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class OutcomeBelief:
    """``members`` by the number of their slack: one of which nothing was told yet has none."""

    members: tuple[tuple[int, Member], ...]

    def learn(self, X: FloatArray, slacks: FloatArray) -> None:
        """Take in one result: (1, E) embedded, and its (C,) slacks, NaN where one is not known."""
        for slack, member in self.members:
            if not np.isnan(slacks[slack]):
                member.learn(Results(X, slacks[slack : slack + 1], np.zeros(1)))

    @property
    def log_feasibility(self) -> LogFeasibility:
        """Of embedded inputs."""
        return LogFeasibility([(member.posterior, _least(member)) for _, member in self.members])

    def probability(self, X: FloatArray) -> FloatArray:
        """(k,) that all slacks are at least 0 at (k, E) embedded inputs."""
        return np.exp(self.log_feasibility.values(X))

    def drawn(self, frequencies: int, rng: np.random.Generator) -> DrawnFeasibility:
        """One function drawn for each slack, in so many frequencies."""
        drawn = []
        for _, member in self.members:
            posterior = member.drawable
            assert isinstance(posterior, ExactGP)
            functions = PathwiseFunctions.from_posterior(posterior, frequencies, 1, rng)
            drawn.append((FirstOf(functions), _least(member)))
        return DrawnFeasibility(drawn)

    @contextmanager
    def hallucinating(self, X: FloatArray) -> Iterator[None]:
        """Within the block (k, E) points count as come out at each member's mean."""
        with ExitStack() as stack:
            for _, member in self.members:
                stack.enter_context(member.posterior.hallucinating(X))
            yield


def _least(member: Member) -> float:
    return float(member.scale.apply(0.0))


def told(X: FloatArray, slacks: FloatArray, which: int) -> Results:
    """Of (n, E) embedded inputs and (n, C) slacks, what is known of one slack."""
    known = ~np.isnan(slacks[:, which])
    values = slacks[known, which]
    return Results(X[known], values, np.zeros(len(values)))
