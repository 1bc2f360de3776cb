"""What is believed of the slacks of constraints on outcomes: a Gaussian process for each, on its own scale.

Notation: C slacks, at least 0 where a constraint is satisfied; n results, k points, E embedded columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from orchestrator.acquisition.feasibility import DrawnFeasibility, ExpectedSlack, LogFeasibility
from orchestrator.algorithms.mixture_belief import Member, Results
from orchestrator.surrogates.drawn_functions import FirstOf
from orchestrator.surrogates.exact import ExactGP
from orchestrator.surrogates.pathwise_functions import PathwiseFunctions

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class SlackBelief:
    """Of the slack with this ``number``; ``lacking`` > 0 is what a result counts as short of, in the slack's
    units, of which nobody can say by how much.
    """

    number: int
    member: Member
    lacking: float

    @property
    def least(self) -> float:
        """What a slack of 0 is on its scale."""
        return float(self.member.scale.apply(0.0))


@dataclass(frozen=True, eq=False, slots=True)
class OutcomeBelief:
    """Of all slacks of which enough is known for a model."""

    slacks: tuple[SlackBelief, ...]

    def learn(self, X: FloatArray, told: FloatArray) -> None:
        """Take in one result: (1, E) embedded, and its (C,) slacks, NaN where one is not known."""
        for slack in self.slacks:
            result = known(X, told[None, :], slack.number, slack.lacking)
            if len(result.values):
                slack.member.learn(result)

    @property
    def log_feasibility(self) -> LogFeasibility:
        """Of embedded inputs."""
        return LogFeasibility([(slack.member.posterior, slack.least) for slack in self.slacks])

    @property
    def expected(self) -> list[ExpectedSlack]:
        """What each slack is expected to be, on its scale, of embedded inputs."""
        return [ExpectedSlack(slack.member.posterior, slack.least) for slack in self.slacks]

    def probability(self, X: FloatArray) -> FloatArray:
        """(k,) that all slacks are at least 0 at (k, E) embedded inputs."""
        return np.exp(self.log_feasibility.values(X))

    def drawn(self, frequencies: int, rng: np.random.Generator) -> DrawnFeasibility:
        """One function drawn for each slack, in so many frequencies."""
        drawn = []
        for slack in self.slacks:
            posterior = slack.member.drawable
            assert isinstance(posterior, ExactGP)
            functions = PathwiseFunctions.from_posterior(posterior, frequencies, 1, rng)
            drawn.append((FirstOf(functions), slack.least))
        return DrawnFeasibility(drawn)

    @contextmanager
    def hallucinating(self, X: FloatArray) -> Iterator[None]:
        """Within the block (k, E) points count as come out at each member's mean."""
        with ExitStack() as stack:
            for slack in self.slacks:
                stack.enter_context(slack.member.posterior.hallucinating(X))
            yield


def known(X: FloatArray, slacks: FloatArray, number: int, lacking: float) -> Results:
    """Of (n, E) embedded inputs and (n, C) slacks, what is known of one of these. Where it is minus infinity,
    it counts as ``lacking`` so much.
    """
    told = slacks[:, number]
    rows = ~np.isnan(told)
    values = np.where(np.isneginf(told[rows]), -lacking, told[rows])
    return Results(X[rows], values, np.zeros(len(values)))


def typical_lack(slacks: FloatArray, number: int) -> float:
    """What a result of which nobody can say by how much counts as short of: the root of the mean square of
    those (n, C) of which one can, so that it lies about as far below 0 as they lie from it.
    """
    finite = slacks[np.isfinite(slacks[:, number]), number]
    size = float(np.abs(finite).max(initial=0.0))
    return size * float(np.sqrt(np.mean((finite / size) ** 2))) if size > 0.0 else 1.0
