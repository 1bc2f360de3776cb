"""What is believed of the objective by exact Gaussian processes: one, or several under different hypotheses.

Values are standardised (and warped, where tails are heavy) at each refit, hyperparameters found by a
`Fitter`, and the processes conditioned on what the refit saw; every value told since costs O(n^2). A failed
evaluation is an average result with the noise that is typical of those told, where it is known or reported.
Points that still run are no part of this: whoever chooses the next one hallucinates them meanwhile, with the
same noise (`Fitted.typical_noise`).

Cost is bounded: beyond 1,000 results a refit keeps 1,000 of them (the best quarter and a draw from the rest,
anew each time), and the processes hold those and what was told since. Hyperparameters see 400 at most.

Notation: n results, M processes, p points, D parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from orchestrator.algorithms.ask_and_tell.start_design import before_a_model
from orchestrator.algorithms.ask_and_tell.told_values import ToldValues
from orchestrator.algorithms.base import Prediction, Problem, Refit
from orchestrator.algorithms.gaussian_process.fitters import Fitter
from orchestrator.algorithms.history import History
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.thinning import subsample
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.scales.standardise import Standardisation

LARGEST = 1000


@dataclass(frozen=True, eq=False)
class Fitted:
    """The last refit adopted, and the M processes made of it, which learn in place.

    ``typical_noise``: the noise variance that one more value would bring, and a failure has, standardised:
    the median of those that the refit saw, where noise is known or reported.
    """

    refit: Refit
    results: int
    standardisation: Standardisation
    typical_noise: float
    hyperparameters: tuple[Hyperparameters, ...]
    posteriors: tuple[ExactGP, ...]


@dataclass(frozen=True)
class Schedule:
    """When to refit: after ``start_points`` results, then when ``wait`` of those seen have been told."""

    start_points: int
    wait: Callable[[int], int]


class GpBelief:
    """Exact Gaussian processes, fitted on a schedule. Rows are numbers of results in the history.

    ``purpose`` names its streams of randomness. `begin_anew` leaves what was told behind, for algorithms that
    restart.
    """

    def __init__(
        self, problem: Problem, history: History, fitter: Fitter, schedule: Schedule, purpose: str
    ) -> None:
        self._problem = problem
        self._history = history
        self._fitter = fitter
        self._schedule = schedule
        self._purpose = purpose
        self._rows: list[int] = []
        self._beginnings = 0
        self._refits = 0
        self._fitted: Fitted | None = None

    @property
    def ready(self) -> bool:
        """Whether a refit has been adopted since the (last) beginning."""
        return self._fitted is not None

    @property
    def fitted(self) -> Fitted:
        """The processes. Raises ValueError before the first refit."""
        if self._fitted is None:
            raise ValueError("expected a belief that has been fitted; adopt a refit first, or check `ready`")
        return self._fitted

    @property
    def posterior(self) -> ExactGP:
        """The first process, which is the only one for most."""
        return self.fitted.posteriors[0]

    @property
    def rows(self) -> Sequence[int]:
        """The results that it is made of, in the order told."""
        return self._rows

    def learn(self, row: int) -> None:
        """Take one result in: O(M n^2)."""
        self._rows.append(row)
        if self._fitted is not None:
            self._condition(self._fitted, [row])

    def begin_anew(self) -> None:
        """Forget all results: the next refit is made of what is told from now on."""
        self._rows = []
        self._fitted = None
        self._beginnings += 1

    def refit_due(self) -> int | None:
        """See `Algorithm`."""
        if self._fitted is None:
            enough = self._history.designed(self._rows) >= self._schedule.start_points
            return self._refits + 1 if enough and len(self._successes()) else None
        last = self._fitted.results
        return self._refits + 1 if len(self._rows) - last >= self._schedule.wait(last) else None

    def compute_refit(self, number: int) -> Refit:
        """See `Algorithm`."""
        standardisation = Standardisation.of(self._successes(), warped=True)
        data = self._kept(standardisation, self._rows, number)
        warm = None if self._fitted is None else self._fitted.hyperparameters
        noise_variance = None if self._problem.noise.kind == "unknown" else 0.0
        rng = stream(self._problem.seed, f"{self._purpose} hyperparameters", number)
        found = self._fitter.fit(data, noise_variance, warm, rng)
        members = {name: own.to_json() for name, own in zip(self._fitter.names, found, strict=True)}
        payload = {
            "beginnings": self._beginnings,
            "standardisation": standardisation.to_json(),
            "members": members,
        }
        return Refit(number, len(self._history), payload)

    def adopt(self, refit: Refit) -> bool:
        """See `Algorithm`. False where nothing was changed: it is old, or from before the last beginning.

        Raises ValueError for one that has seen results which have not been told.
        """
        if refit.number <= self._refits or refit.payload["beginnings"] != self._beginnings:
            return False
        refit.require_told(len(self._history))
        standardisation = Standardisation.from_json(refit.payload["standardisation"])
        members = refit.payload["members"]
        found = tuple(Hyperparameters.from_json(members[name]) for name in self._fitter.names)
        embedded_parameter = self._problem.domain.embedded_parameter
        posteriors = tuple(
            ExactGP(own.kernel(family, embedded_parameter), own.noise_variance)
            for own, family in zip(found, self._fitter.families, strict=True)
        )
        seen = [row for row in self._rows if row < refit.observations]
        data = self._kept(standardisation, seen, refit.number)
        for posterior in posteriors:
            posterior.append(data.X, data.y, data.extra_noise)
        typical = self._told(seen).typical_noise(standardisation)
        self._fitted = Fitted(refit, len(seen), standardisation, typical, found, posteriors)
        self._refits = refit.number
        self._condition(self._fitted, self._rows[len(seen) :])
        return True

    def predict(self, mean: float, variance: float) -> Prediction:
        """A standardised belief in the objective's units."""
        return Prediction.of(mean, variance, self.fitted.standardisation)

    @property
    def hyperparameters(self) -> Mapping[str, Mapping[str, Any]]:
        """Those of each process by name, as JSON values."""
        members: Mapping[str, Mapping[str, Any]] = self.fitted.refit.payload["members"]
        return members

    @property
    def notes(self) -> list[str]:
        """Sentences for `Insight`."""
        if self._fitted is None:
            start_points = self._schedule.start_points
            told = self._history.designed(self._rows)
            return [before_a_model(told, len(self._successes()), start_points)]
        seen = self._fitted.results
        kept = f", of which {LARGEST} are kept" if seen > LARGEST else ""
        return [f"refit {self._fitted.refit.number}, from {seen} results{kept}"]

    def _successes(self) -> FloatArray:
        values = self._history.values[self._rows]
        return np.asarray(values[~np.isnan(values)])

    def _condition(self, fitted: Fitted, rows: Sequence[int]) -> None:
        # One by one, so that how they arrived cannot be told from the bits.
        for row in rows:
            told = self._data(fitted.standardisation, [row], fitted.typical_noise)
            for posterior in fitted.posteriors:
                posterior.append(told.X, told.y, told.extra_noise)

    def _kept(self, standardisation: Standardisation, rows: Sequence[int], number: int) -> Data:
        rng = stream(self._problem.seed, f"{self._purpose} results kept", number)
        typical = self._told(rows).typical_noise(standardisation)
        return subsample(self._data(standardisation, rows, typical), LARGEST, rng)

    def _data(self, standardisation: Standardisation, rows: Sequence[int], typical_noise: float) -> Data:
        """Some of what was told as the processes see it."""
        domain, points = self._problem.domain, self._history.points[list(rows)]
        told = self._told(rows)
        y, noise = told.standardised(standardisation, noise_of_a_failure=typical_noise)
        return Data(domain.embed(points), y, domain.embedded_parameter, noise)

    def _told(self, rows: Sequence[int]) -> ToldValues:
        return ToldValues.of(self._problem, self._history, list(rows))
