"""Tree searches with a Gaussian process: BOO, BaMSOO and IMGPO.

The model has a start design, as its hyperparameters need results; then the rule starts. Bounds are in the
objective's units, so that those kept in the tree outlive a refit and its new standardisation.

Notation: p points, D coordinates.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from orchestrator.acquisition.reason import reason
from orchestrator.acquisition.ucb import UpperConfidenceBound
from orchestrator.algorithms.ask_and_tell.start_design import StartDesign
from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Insight, Observation, Problem, Refit, Suggestion
from orchestrator.algorithms.gaussian_process.belief import GpBelief, Schedule
from orchestrator.algorithms.gaussian_process.believed_best import believed_best_by
from orchestrator.algorithms.gaussian_process.fitters import Likeliest
from orchestrator.algorithms.gaussian_process.options import GpOptions
from orchestrator.algorithms.trees.cells_ahead import CellsAhead
from orchestrator.algorithms.trees.tree_search import TreeSearch
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.trees.tree import Cell, LongestSides
from orchestrator.surrogates.hyperparameters.one_kernel import KernelTemplate

LEAVES_AT_ONCE = 1024


class ModelTreeSearch(TreeSearch):
    """A tree search whose rule may ask the model for bounds."""

    def __init__(
        self, problem: Problem, options: GpOptions, partition: LongestSides, template: KernelTemplate
    ) -> None:
        super().__init__(problem, partition)
        self._design = StartDesign(problem.domain, problem.seed)
        schedule = Schedule(options.designed(problem), options.wait)
        self._belief = GpBelief(problem, self._history, Likeliest((template,), starts=2), schedule, self.name)

    @property
    @abstractmethod
    def _beta(self) -> float:
        """The square of how many deviations the bounds lie from the mean, now."""

    def _choose(self, turn: Turn, ahead: CellsAhead) -> Suggestion:
        """Before the first refit is adopted: the start design, on and on."""
        if not self._belief.ready:
            return self._design.suggest(turn.trial, turn.exclusion)
        embedded = self._problem.domain.embed(turn.running)
        noise = self._belief.fitted.typical_noise
        with self._belief.posterior.hallucinating(embedded, extra_noise=noise):
            suggestion = super()._choose(turn, ahead)
        return self._predicted(suggestion)

    def refit_due(self) -> int | None:
        """See `Algorithm`."""
        return self._belief.refit_due()

    def compute_refit(self, number: int) -> Refit:
        """See `Algorithm`."""
        return self._belief.compute_refit(number)

    def adopt(self, refit: Refit) -> None:
        """See `Algorithm`. The first one starts the rule."""
        if self._belief.adopt(refit):
            self._advance()

    def insight(self) -> Insight:
        """See `Algorithm`."""
        if not self._belief.ready:
            return Insight(notes=self._belief.notes)
        size = f"a tree of {len(self._tree.nodes)} cells, {self._tree.depth} levels deep"
        return Insight(
            hyperparameters=self._belief.hyperparameters,
            notes=[*self._belief.notes, size],
            believed_best=believed_best_by(self._belief, self._problem, self._history),
        )

    def _remember(self, observation: Observation) -> None:
        super()._remember(observation)
        self._belief.learn(len(self._history) - 1)

    def _advance(self) -> None:
        if self._belief.ready:
            super()._advance()

    def _bounds(self, points: FloatArray, sign: float = 1.0) -> FloatArray:
        """(p,) upper confidence bounds at (p, D) points, or lower ones for ``sign`` -1."""
        mean, variance = self._belief.posterior.mean_and_variance(self._problem.domain.embed(points))
        bounds = mean + sign * np.sqrt(self._beta * variance)
        return self._belief.fitted.standardisation.undo(bounds)

    def _upper(self, nodes: Sequence[int]) -> FloatArray:
        """(p,) upper confidence bounds of nodes."""
        # A covariance with all leaves of a large tree at once takes hundreds of megabytes.
        starts = range(0, len(nodes), LEAVES_AT_ONCE)
        blocks = [self._bounds(self._centres(nodes[s : s + LEAVES_AT_ONCE])) for s in starts]
        return np.concatenate(blocks)

    def _lower(self, node: int) -> float:
        """The lower confidence bound of one node."""
        return float(self._bounds(self._centres([node]), -1.0)[0])

    def _promise(self, cells: Sequence[Cell], above: float) -> FloatArray:
        del above
        return self._bounds(self._points(cells)) if cells else np.zeros(0)

    def _promises(self, leaves: Sequence[int]) -> list[float]:
        return [float(bound) for bound in self._upper(leaves)] if leaves else []

    def _explained(self, point: FloatArray, why: dict[str, Any]) -> Suggestion:
        return Suggestion(point, why={"source": "model", **why})

    def _predicted(self, suggestion: Suggestion) -> Suggestion:
        """With what the model believes, and how much of its bound is exploration."""
        if suggestion.why["source"] == "random":
            return suggestion
        posterior, embedded = self._belief.posterior, self._problem.domain.embed(suggestion.point)
        mean, variance = posterior.mean_and_variance(embedded)
        predicted = self._belief.predict(float(mean[0]), float(variance[0]))
        why = reason(UpperConfidenceBound(posterior, self._beta), embedded)
        return Suggestion(suggestion.point, predicted, {**suggestion.why, **why})
