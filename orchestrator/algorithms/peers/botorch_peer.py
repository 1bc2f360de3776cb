"""What the peers from BoTorch share: log EI over a model of theirs, fitted to everything told.

Notation: D coordinates, k points that run.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import torch
from botorch.acquisition import (
    AcquisitionFunction,
    LogExpectedImprovement,
    qLogExpectedImprovement,
    qLogNoisyExpectedImprovement,
)
from botorch.models.model import Model
from botorch.posteriors import Posterior
from pydantic import Field

from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Observation, Options, Prediction, Problem, Suggestion
from orchestrator.algorithms.gaussian_process.options import DesignOptions
from orchestrator.algorithms.peers.botorch_columns import Columns
from orchestrator.algorithms.peers.botorch_results import Results, seeded
from orchestrator.algorithms.peers.botorch_search import Search
from orchestrator.algorithms.peers.peer import Peer, deterministic
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream


class BotorchOptions(DesignOptions):
    """``restarts``: gradient ascents of the acquisition, from the best of ``raw_samples`` points. And those
    of `DesignOptions`.
    """

    restarts: int = Field(10, ge=1)
    raw_samples: int = Field(512, ge=1)


class BotorchPeer(Peer):
    """The loop. The model follows from what was told alone, so it is kept until more is told."""

    Options: ClassVar[type[Options]] = BotorchOptions

    def __init__(self, problem: Problem, options: BotorchOptions) -> None:
        super().__init__(problem, options)
        self._search = Search(options.restarts, options.raw_samples)
        self._columns = Columns(problem.domain)
        self._fitted: tuple[Results, Model] | None = None

    @abstractmethod
    def _fit(self, results: Results) -> Model:
        """A model with its hyperparameters. Draws only from torch's global generator, which is seeded."""

    @abstractmethod
    def _beliefs(self, model: Model) -> dict[str, Any]:
        """The model's hyperparameters as JSON values, for `explain`."""

    def _learned(self, observation: Observation) -> None:
        del observation
        self._fitted = None

    def _model(self) -> tuple[Results, Model]:
        if self._fitted is None:
            results = Results.of(self._history, self._columns, self._problem)
            with seeded(self._seed_of_fit(len(self._history))):
                self._fitted = results, self._fit(results)
        return self._fitted

    def _seed_of_fit(self, observations: int) -> int:
        rng = stream(self._problem.seed, f"{self.name} fit", observations)
        return int(rng.integers(2**31))

    def _choose(self, turn: Turn) -> Suggestion | None:
        if not self._columns.coordinates:
            return None
        results, model = self._model()
        with seeded(turn.seed()):
            acquisition = self._acquisition(results, model, turn.running)
            point = self._search.maximise(acquisition, self._columns, turn.exclusion, turn.rng)
            if point is None:
                return None
            mean, deviation = _moments(model.posterior(self._columns.tensor(point[None, :])))
        return Suggestion(
            point,
            Prediction(*results.standardisation.undo_prediction(mean, deviation)),
            {"source": "model", **self._beliefs(model)},
        )

    def _acquisition(self, results: Results, model: Model, running: FloatArray) -> AcquisitionFunction:
        """Log EI over the best value, or over what the model believes to be the best where values are noisy.

        ``running`` is (k, D).
        """
        pending = self._columns.tensor(running) if len(running) else None
        if not deterministic(self._problem):
            return qLogNoisyExpectedImprovement(
                model, X_baseline=results.X, X_pending=pending, prune_baseline=True
            )
        best = results.Y.max()
        if pending is None:
            return LogExpectedImprovement(model, best_f=best)
        return qLogExpectedImprovement(model, best_f=best, X_pending=pending)


def _moments(posterior: Posterior) -> tuple[float, float]:
    """Mean and standard deviation at one point, over all models where there are several."""
    with torch.no_grad():
        mean = getattr(posterior, "mixture_mean", posterior.mean)
        variance = getattr(posterior, "mixture_variance", posterior.variance)
        return float(mean), float(variance.clamp_min(0.0).sqrt())
