"""A weighted mixture of hypotheses: the one ensemble behind every paper.

A member is a posterior under one hypothesis (a kernel, a decomposition). Its weight is the hypothesis's
probability: re-initialised by evidence (Lu et al. 2022, Eq. 7), updated by predictive likelihood (Eq. 10).

Notation: M members, n points.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

import numpy as np

from orchestrator.arrays import FloatArray


class EnsembleMember(Protocol):
    """What an ensemble needs of a member. Inputs are embedded, (E,) or (n, E)."""

    def condition(self, x: FloatArray, y: float, variance: float = 0.0) -> tuple[Self, float]:
        """Conditioned on one value with its reported noise variance, and its log predictive density.

        A member that learns in place returns itself; ensembles that held it before are then spent.
        """
        ...

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) means and variances of the function at (n, E) inputs."""
        ...


MemberT = TypeVar("MemberT", bound=EnsembleMember)


def normalised(log_weights: Sequence[float] | FloatArray, floor: float = 0.0) -> FloatArray:
    """(M,) log probabilities, none below ``floor``: first raised to it, then normalised again.

    So the smallest is floor / (1 + M floor) at least. A weight that is NaN (a member that broke down)
    counts as 0; if none is left they are all alike.
    """
    logs = np.array(log_weights, dtype=float)
    logs[np.isnan(logs)] = -math.inf
    highest = logs.max()
    # Infinite logarithms cannot be subtracted: then the highest share everything.
    weights = np.exp(logs - highest) if math.isfinite(highest) else np.where(logs == highest, 1.0, 0.0)
    weights /= weights.sum()
    weights = np.maximum(weights, floor)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(weights / weights.sum()))


@dataclass(frozen=True, eq=False)
class Ensemble(Generic[MemberT]):
    """M members with names and log weights (normalised). A value: conditioning makes another one.

    ``floor`` keeps every member drawable: after each update weights below it are raised to it and all are
    normalised again (the 1e-4 of Lu et al. 2022, App. E).
    """

    names: tuple[str, ...]
    members: tuple[MemberT, ...]
    log_weights: FloatArray
    floor: float = 0.0

    @classmethod
    def by_evidence(
        cls,
        names: Sequence[str],
        members: Sequence[MemberT],
        log_evidences: Sequence[float] | FloatArray,
        floor: float = 0.0,
    ) -> Ensemble[MemberT]:
        """Weights proportional to evidence (times prior, if that is in ``log_evidences``): Eq. 7."""
        if not len(names) == len(members) == len(log_evidences) > 0:
            raise ValueError(
                "expected as many names, members and evidences, at least one, "
                f"got {len(names)}, {len(members)} and {len(log_evidences)}"
            )
        return cls(tuple(names), tuple(members), normalised(log_evidences, floor), floor)

    @property
    def weights(self) -> FloatArray:
        """(M,) probabilities."""
        return np.exp(self.log_weights)

    @property
    def leader(self) -> int:
        """The number of the most probable member."""
        return int(np.argmax(self.log_weights))

    def condition(self, x: FloatArray, y: float, variance: float = 0.0) -> Ensemble[MemberT]:
        """Every member conditioned on one value, and the weights with it (Eqs. 10 and 11)."""
        learned = [member.condition(x, y, variance) for member in self.members]
        logs = self.log_weights + np.array([density for _, density in learned])
        return Ensemble(self.names, tuple(m for m, _ in learned), normalised(logs, self.floor), self.floor)

    def suppose(self, x: FloatArray, y: float, variance: float = 0.0) -> Ensemble[MemberT]:
        """Every member conditioned on a value that stands in for one nobody was told (a failed evaluation's):
        how likely it was says nothing of the hypotheses, and the weights stay.
        """
        members = tuple(member.condition(x, y, variance)[0] for member in self.members)
        return Ensemble(self.names, members, self.log_weights, self.floor)

    def draw(self, rng: np.random.Generator) -> int:
        """The number of a member, drawn by weight (the first half of Eq. 8)."""
        drawn = int(np.searchsorted(np.cumsum(self.weights), rng.random()))
        return min(drawn, len(self.members) - 1)

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(n,) means and variances of the mixture (Eq. 6) at (n, E) inputs."""
        predicted = [member.mean_and_variance(X) for member in self.members]
        means = np.array([mean for mean, _ in predicted])
        variances = np.array([variance for _, variance in predicted])
        mean = self.weights @ means
        return mean, self.weights @ (variances + (means - mean) ** 2)
