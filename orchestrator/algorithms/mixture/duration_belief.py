"""What is believed of how long evaluations take: a Gaussian process of the logarithm of their seconds.

Notation: n results, E embedded columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.quickness import LogQuickness
from orchestrator.algorithms.mixture.belief import Member, Results
from orchestrator.arrays import FloatArray


@dataclass(frozen=True, eq=False, slots=True)
class DurationBelief:
    """By one ``member``, which learns in place."""

    member: Member

    def learn(self, X: FloatArray, seconds: FloatArray) -> None:
        """Take in one result: (1, E) embedded, and its (1,) seconds, NaN where they are not known."""
        held = logarithms(X, seconds)
        if len(held.values):
            self.member.learn(held)

    @property
    def quickness(self) -> LogQuickness:
        """Of embedded inputs."""
        return LogQuickness(self.member.posterior, self.member.scale.scale)

    def seconds(self, X: FloatArray) -> float:
        """What an evaluation at a (1, E) embedded input is as likely to exceed as not."""
        return math.exp(float(self.member.expected(X)[0]))


def logarithms(X: FloatArray, seconds: FloatArray) -> Results:
    """Of (n, E) embedded inputs and (n,) seconds, what is known: the logarithms of those."""
    known = ~np.isnan(seconds)
    return Results(X[known], np.log(seconds[known]), np.zeros(np.count_nonzero(known)))


def durations_noted(seconds: FloatArray) -> str:
    """A sentence on (n,) durations that are weighed, NaN where one is not known, for `Insight.notes`."""
    known = seconds[~np.isnan(seconds)]
    if not len(known):
        return "durations are to be weighed, and none is known"
    span = f"from {known.min():.3g} to {known.max():.3g} s"
    return f"durations are weighed: those of {len(known)} of {len(seconds)} results are known, {span}"
