"""Algorithms whose processes are a belief in the whole objective, and say what is left to gain, and where."""

from __future__ import annotations

from orchestrator.algorithms.base import Gain, Suggestion
from orchestrator.algorithms.best_tried import tells_its_best
from orchestrator.algorithms.gaussian_process.model_based import ModelBased
from orchestrator.algorithms.recommended import recommended, surely_better
from orchestrator.algorithms.remaining_gain import Foreseen, can_be_foreseen, remaining_gain
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain


class ModelWithGain(ModelBased):
    """The loop, for subclasses whose processes all count alike."""

    def remaining_gain(self) -> Gain | None:
        """See `ForeseesGain`. Over the point of the highest value, which is the one that a run reports.

        None before the start design is told, and while it cannot be foreseen.
        """
        if not (self._belief.ready and can_be_foreseen(self._history, self._problem.domain)):
            return None
        fitted = self._belief.fitted
        draws = remaining_gain(
            Foreseen(fitted.posteriors, [1.0] * len(fitted.posteriors), fitted.standardisation),
            self._problem.domain,
            self._history.best(1),
            stream(self._problem.seed, f"{self.name} remaining gain", fitted.refit.number),
        )
        return Gain(draws, len(self._history))

    def recommend(self, within: Domain | None) -> Suggestion | None:
        """See `Recommends`. By the first process. Where values are exact, and of all that is sought, the best
        one told unless another is surely better.
        """
        if not self._belief.ready:
            return None
        fitted, domain = self._belief.fitted, self._problem.domain if within is None else within
        found = recommended(
            domain,
            self._history,
            fitted.posteriors[0],
            fitted.standardisation,
            None,
            stream(self._problem.seed, f"{self.name} recommendation", fitted.refit.number),
        )
        exact = self._problem.noise.is_none and tells_its_best(self._problem)
        return surely_better(found, self._history, domain) if exact and within is None else found
