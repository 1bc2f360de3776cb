"""What is believed of the slacks of constraints on outcomes, a Gaussian process for each, on its own scale;
of whether evaluations succeed; and of how long they take.

Notation: C slacks, at least 0 where a constraint is satisfied; n results, k points, E embedded columns.
"""

from __future__ import annotations

import math
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

import numpy as np

from orchestrator.acquisition.feasibility import (
    DrawnSlackScore,
    ExpectedSlack,
    LogFeasibility,
    SlackScore,
)
from orchestrator.algorithms.ask_and_tell.hallucination import in_all
from orchestrator.algorithms.mixture.belief import Member, Results
from orchestrator.algorithms.mixture.duration_belief import DurationBelief
from orchestrator.algorithms.mixture.penalties import penalty_among
from orchestrator.algorithms.mixture.success_belief import SuccessBelief
from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.surrogates.draws.drawn_functions import FirstOf
from orchestrator.surrogates.draws.pathwise_functions import PathwiseFunctions
from orchestrator.surrogates.posteriors.exact import ExactGP

# A point counts as one that satisfies constraints, or succeeds, where it is likelier than this to do so.
LIKELY = 0.5


@dataclass(frozen=True, slots=True)
class SlackReading:
    """How one slack is read: what is not above ``penalty`` stands for a violation, and not for its size; such
    a result counts as ``typical_size`` > 0 short, and an infinite slack as that much to spare.
    """

    typical_size: float
    penalty: float

    @classmethod
    def of(cls, slacks: FloatArray, designed: int, apart: BoolArray | None = None) -> SlackReading:
        """Of (n,) of one slack in the order told, NaN where one is not known and minus infinity where nobody
        can say by how much it falls short; so many of the first results are of the start design, and
        some stand ``apart`` (n,).
        """
        numbers = np.where(np.isfinite(slacks), slacks, np.nan)
        penalty = penalty_among(numbers, designed, apart)
        above = numbers[numbers > penalty]
        size = float(np.median(np.abs(above))) if len(above) else 0.0
        return cls(size or 1.0, penalty)

    def known(self, X: FloatArray, slacks: FloatArray) -> Results:
        """Of (n, E) embedded inputs and (n,) of the slack, what is known."""
        rows = ~np.isnan(slacks)
        values = np.where(slacks[rows] <= self.penalty, -self.typical_size, slacks[rows])
        values[np.isposinf(values)] = self.typical_size
        return Results(X[rows], values, np.zeros(len(values)))


@dataclass(frozen=True, eq=False, slots=True)
class SlackBelief:
    """Of the slack with this ``number``."""

    number: int
    member: Member
    reading: SlackReading

    @property
    def least(self) -> float:
        """What a slack of 0 is on its scale."""
        return float(self.member.scale.apply(0.0))


@dataclass(frozen=True, eq=False, slots=True)
class OutcomeBelief:
    """Of all slacks of which enough is known for a model, of ``success``, once something has failed, and of
    the ``duration`` of an evaluation, where that is weighed and enough is known.
    """

    slacks: tuple[SlackBelief, ...]
    success: SuccessBelief | None = None
    duration: DurationBelief | None = None

    def learn(self, X: FloatArray, told: FloatArray, seconds: FloatArray, *, succeeded: bool) -> None:
        """Take in one result: (1, E) embedded, its (C,) slacks and (1,) seconds, NaN where one is not known,
        and whether it ``succeeded``.
        """
        if self.success is not None:
            self.success.learn(X, succeeded)
        if self.duration is not None:
            self.duration.learn(X, seconds)
        for slack in self.slacks:
            result = slack.reading.known(X, told[slack.number : slack.number + 1])
            if len(result.values):
                slack.member.learn(result)

    @property
    def log_probability(self) -> LogFeasibility:
        """Of embedded inputs, success included, for what it is; `log_feasibility` is more cautious."""
        cautious = self.log_feasibility
        success = None if cautious.success is None else replace(cautious.success, times=1.0, least=-math.inf)
        return replace(cautious, success=success)

    @property
    def log_feasibility(self) -> LogFeasibility:
        """Of embedded inputs, success included."""
        scores = [SlackScore(slack.member.posterior, slack.least) for slack in self.slacks]
        return LogFeasibility(scores, None if self.success is None else self.success.log_success)

    @property
    def expected(self) -> list[ExpectedSlack]:
        """What each slack, and success, is expected to be, on its own scale, of embedded inputs."""
        expected = [ExpectedSlack(slack.member.posterior, slack.least) for slack in self.slacks]
        return expected if self.success is None else [*expected, self.success.expected]

    def probability(self, X: FloatArray) -> FloatArray:
        """(k,) that all slacks are at least 0 at (k, E) embedded inputs, of what succeeds."""
        return np.exp(self.log_feasibility.of_slacks.values(X))

    def likely(self, X: FloatArray) -> BoolArray:
        """(k,) at which of (k, E) embedded inputs all slacks are likelier at least 0 than not."""
        return self.probability(X) > LIKELY

    def likely_to_succeed(self, X: FloatArray) -> BoolArray:
        """(k,) at which of (k, E) embedded inputs an evaluation is likelier to succeed than not."""
        return np.ones(len(X), dtype=bool) if self.success is None else self.success.probability(X) > LIKELY

    def drawn(self, frequencies: int, rng: np.random.Generator) -> LogFeasibility:
        """One function drawn for each slack, and for success, in so many frequencies."""
        drawn = [] if self.success is None else [self.success.drawn(frequencies, rng)]
        for slack in self.slacks:
            posterior = slack.member.drawable
            assert isinstance(posterior, ExactGP)
            functions = PathwiseFunctions.from_posterior(posterior, frequencies, 1, rng)
            drawn.append(DrawnSlackScore(FirstOf(functions), slack.least))
        return LogFeasibility(drawn)

    def hallucinating(self, X: FloatArray) -> AbstractContextManager[None]:
        """Within the block (k, E) points count as come out at each member's mean."""
        return in_all(slack.member.posterior.hallucinating(X) for slack in self.slacks)
