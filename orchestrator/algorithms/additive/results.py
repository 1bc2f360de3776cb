"""What an additive algorithm was told: totals as the model sees them, and terms where evaluators report them.

Notation: D coordinates, F factors, n results.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.ask_and_tell.told_values import ToldValues
from orchestrator.algorithms.base import Observation, Problem
from orchestrator.algorithms.history import History
from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.thinning import best_and_drawn
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.unit_cube.domain import Domain

# So many results a model holds, beside those told since its refit. What a choice costs grows with the square
# of their number, times that of factors; what one of DEC-HBO's does, with the cube.
LARGEST = 500
# Decomposed outputs add up to the values but for noise: where their sums leave more than this part of the
# values' variance open, they are outputs of something else, and not used.
MOST_UNACCOUNTED = 0.5


@dataclass(frozen=True, eq=False, slots=True)
class Rows:
    """Results as a model learns them: (n, D) points, (n,) or (n, F) values, and (n,) noise variances.

    ``log_slopes`` (n,): `Standardisation.log_slopes` of totals.
    """

    points: FloatArray
    values: FloatArray
    noise: FloatArray
    log_slopes: FloatArray | None = None

    def data(self, domain: Domain) -> Data:
        """For fits: embedded inputs, and the noise that came with each value."""
        X = domain.embed(self.points)
        return Data(X, self.values, domain.embedded_parameter, self.noise, self.log_slopes)


class AdditiveResults:
    """Results in the order told. Terms count where the problem has known factors, one term for each."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.history = History(problem.domain)
        self._terms: list[FloatArray | None] = []
        self.misfits = 0

    def __len__(self) -> int:
        """n, failures included."""
        return len(self.history)

    def tell(self, observation: Observation) -> None:
        """Remember one result. Of a row of terms of the wrong length (`misfits`) only the total counts."""
        self.history.tell(observation)
        terms = observation.factors if observation.value is not None else None
        expected = 0 if self._problem.factors is None else len(self._problem.factors)
        if terms is not None and (len(terms) != expected or not np.isfinite(terms).all()):
            terms = None
            self.misfits += 1
        self._terms.append(None if terms is None else np.asarray(terms, dtype=float))

    @property
    def with_terms(self) -> int:
        """How many results brought a term for each known factor."""
        return sum(terms is not None for terms in self._terms)

    def most_kept(self, results: int) -> int:
        """How many of so many results a model holds at most."""
        return min(results, LARGEST)

    def kept(self, refit: int, results: int, *, with_terms: bool = False) -> IndexArray:
        """The numbers of those of the first ``results`` that a model holds: all up to 500, else the best 125
        and a draw of the rest, another one for each ``refit``'s number; ``with_terms``, of those alone.
        """
        rows = np.arange(results)
        if with_terms:
            rows = rows[[terms is not None for terms in self._terms[:results]]]
        values = self.history.values[rows]
        rng = stream(self._problem.seed, "additive results kept", refit)
        return rows[best_and_drawn(np.where(np.isnan(values), -np.inf, values), LARGEST, rng)]

    @property
    def unaccounted(self) -> float:
        """The part of what values vary by that their terms leave open, as variances: 0 where they add up to
        them but for a constant. 0 for fewer than two results with terms, and for values that do not vary.
        """
        values, sums = self._values_and_sums
        if len(sums) < 2 or not np.ptp(values) > 0.0:
            return 0.0
        largest = float(np.abs(values).max())
        return float(np.var((values - sums) / largest) / np.var(values / largest))

    @property
    def add_up(self) -> bool:
        """Whether terms are those of the values, as far as `unaccounted` says, if it is a number."""
        return not self.unaccounted > MOST_UNACCOUNTED

    @property
    def offset(self) -> float:
        """What values are above the sums of their terms, on average; 0 where none brought any."""
        values, sums = self._values_and_sums
        return float(np.mean(values - sums)) if len(sums) else 0.0

    @property
    def _values_and_sums(self) -> tuple[FloatArray, FloatArray]:
        """(k,) values that came with terms, and the sums of these."""
        sums_of = {i: float(terms.sum()) for i, terms in enumerate(self._terms) if terms is not None}
        return self.history.values[list(sums_of)], np.array(list(sums_of.values()))

    @property
    def succeeded(self) -> FloatArray:
        """(k,) the values of evaluations that did not fail."""
        values = self.history.values
        return values[~np.isnan(values)]

    def typical_noise(self, standardisation: Standardisation, results: int) -> float:
        """The median noise variance of the first results' totals that is known or reported, standardised."""
        told = ToldValues.of(self._problem, self.history, slice(results))
        return told.typical_noise(standardisation)

    def totals(
        self, standardisation: Standardisation, which: slice | IndexArray, noise_of_a_failure: float
    ) -> Rows:
        """Some results by their totals, failures as average ones; noise as far as it is known or reported."""
        told = ToldValues.of(self._problem, self.history, which)
        y, noise = told.standardised(standardisation, noise_of_a_failure=noise_of_a_failure)
        return Rows(self.history.points[which], y, noise, standardisation.log_slopes(told.values))

    def terms(self, scale: float, which: slice | IndexArray) -> Rows:
        """Those of some results that brought terms, divided by ``scale``; their noise is to be inferred."""
        numbers = [int(i) for i in np.arange(len(self))[which] if self._terms[i] is not None]
        rows = [terms for i in numbers if (terms := self._terms[i]) is not None]
        width = len(self._problem.factors or ())
        Y = np.array(rows, dtype=float).reshape(len(rows), width) / scale
        return Rows(self.history.points[numbers], Y, np.zeros(len(rows)))
