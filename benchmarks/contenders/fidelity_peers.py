"""BoTorch's searches that choose how closely to look, on functions of `FIDELITY`.

The knowledge gradient for its cost (Wu et al. 2019), as its tutorial has it, and GIBBON for its cost (Moss
et al. 2021), with its defaults, of `SingleTaskMultiFidelityGP`. In the end they recommend what the model's
mean is highest for at full fidelity. GIBBON is a bound on the entropy of the best value (Takeno et al. 2020);
searches by that itself ended in numerical errors on these functions, whose values are exact.

Deviations from the tutorial: our start design, one trial at a time, and costs as our own algorithms are
told them in place of an affine model of them. Noise is inferred, as there: told that values are exact, the
knowledge gradient's derivative came out as no number.

Notation: D parameters, K columns of those that vary, the fidelity's among them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from botorch.acquisition import AcquisitionFunction, PosteriorMean, qMultiFidelityKnowledgeGradient
from botorch.acquisition.cost_aware import InverseCostWeightedUtility
from botorch.acquisition.fixed_feature import FixedFeatureAcquisitionFunction
from botorch.acquisition.max_value_entropy_search import qMultiFidelityLowerBoundMaxValueEntropy
from botorch.acquisition.utils import project_to_target_fidelity
from botorch.models import SingleTaskMultiFidelityGP
from botorch.models.deterministic import GenericDeterministicModel
from botorch.models.model import Model
from botorch.optim import optimize_acqf
from botorch.optim.initializers import gen_one_shot_kg_initial_conditions
from torch import Tensor

from benchmarks.contenders.fidelity import Job, Run, told
from benchmarks.contenders.searches import EXACT
from benchmarks.functions.fidelity import FIDELITY, FidelityFunction
from orchestrator.algorithms.ask_and_tell.start_design import StartDesign
from orchestrator.algorithms.base import Observation, Problem
from orchestrator.algorithms.gaussian_process.options import DesignOptions
from orchestrator.algorithms.history import History
from orchestrator.algorithms.peers.botorch_columns import Columns
from orchestrator.algorithms.peers.botorch_fit import likeliest
from orchestrator.algorithms.peers.botorch_results import Results, seeded
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.parameters.fidelity import Fidelity
from orchestrator.parameters.space import Space
from orchestrator.scheduler.standing import ROUNDING
from orchestrator.unit_cube.fidelity_levels import Levels

CAP_S = 3600.0
"""Seconds of the processor for choosing, after which a run ends with what it would recommend."""
FANTASIES = 128
RESTARTS, RAW_SAMPLES, RAW_SAMPLES_OF_MEAN = 10, 512, 1024
OPTIONS = {"batch_limit": 5, "maxiter": 200}
CANDIDATES = 1000


@dataclass(frozen=True, eq=False)
class Closeness:
    """How closely to look, as BoTorch is told it: in which ``column``, and for what cost."""

    columns: Columns
    levels: Levels

    @property
    def column(self) -> int:
        """The fidelity's."""
        return self.columns.coordinates.index(self.levels.coordinate)

    @property
    def utility(self) -> InverseCostWeightedUtility:
        """What is learned, for its cost."""
        return InverseCostWeightedUtility(GenericDeterministicModel(self._costs))

    def projected(self, X: Tensor) -> Tensor:
        """(..., K) the same points at full fidelity."""
        return project_to_target_fidelity(X, {self.column: self.levels.full}, len(self.columns.coordinates))

    def recommended(self, model: Model) -> tuple[Tensor, Tensor]:
        """The (1, K) point at full fidelity whose mean is highest, and the mean."""
        count = len(self.columns.coordinates)
        others = [column for column in range(count) if column != self.column]
        mean = FixedFeatureAcquisitionFunction(PosteriorMean(model), count, [self.column], [self.levels.full])
        found, value = optimize_acqf(
            mean, self.columns.bounds[:, others], 1, RESTARTS, RAW_SAMPLES_OF_MEAN, options=OPTIONS
        )
        return mean._construct_X_full(found), value

    def _costs(self, X: Tensor) -> Tensor:
        """(..., K) to (..., 1): between levels on straight lines."""
        positions, order = torch.as_tensor(self.levels.positions).sort()
        costs = torch.as_tensor(self.levels.costs)[order]
        at = X[..., [self.column]]
        after = torch.searchsorted(positions, at.detach().contiguous()).clamp(1, len(positions) - 1)
        low, high = positions[after - 1], positions[after]
        share = ((at - low) / (high - low)).clamp(0.0, 1.0)
        return costs[after - 1] + share * (costs[after] - costs[after - 1])


def _knowledge_gradient(model: Model, closeness: Closeness) -> Tensor:
    acquisition = qMultiFidelityKnowledgeGradient(
        model,
        num_fantasies=FANTASIES,
        current_value=closeness.recommended(model)[1],
        cost_aware_utility=closeness.utility,
        project=closeness.projected,
    )
    bounds = closeness.columns.bounds
    begin = gen_one_shot_kg_initial_conditions(acquisition, bounds, 1, RESTARTS, RAW_SAMPLES)
    return _highest(acquisition, bounds, batch_initial_conditions=begin)


def _entropy(model: Model, closeness: Closeness) -> Tensor:
    bounds = closeness.columns.bounds
    anywhere = bounds[0] + (bounds[1] - bounds[0]) * torch.rand(
        CANDIDATES, bounds.shape[1], dtype=bounds.dtype
    )
    acquisition = qMultiFidelityLowerBoundMaxValueEntropy(
        model,
        closeness.projected(anywhere),
        cost_aware_utility=closeness.utility,
        project=closeness.projected,
    )
    return _highest(acquisition, bounds)


def _highest(acquisition: AcquisitionFunction, bounds: Tensor, **more: Any) -> Tensor:
    found, _ = optimize_acqf(acquisition, bounds, 1, RESTARTS, RAW_SAMPLES, options=OPTIONS, **more)
    return found


CHOICES: Mapping[str, Callable[[Model, Closeness], Tensor]] = {
    "botorch-mf-kg": _knowledge_gradient,
    "botorch-mf-gibbon": _entropy,
}
"""By the names of `fidelity_contenders.PEERS`: the (1, K) point to look at next."""


def run_peer(job: Job) -> Run:
    """One trial at a time, until the next would cost more than is left, or `CAP_S` is over. What is
    recommended before half of the budget is exceeded, and in the end, is evaluated for nothing.
    """
    function = FIDELITY[job.function]
    search = _Search.of(job, function)
    values: list[tuple[float, float]] = []
    recommended: list[tuple[float, float]] = []
    marks = [float(function.evaluations // 2), float(function.evaluations)]
    choosing, spent = 0.0, 0.0
    while True:
        begun = time.process_time()
        point = search.next_point()
        choosing += time.process_time() - begun
        parameters = search.space.suggested(point)
        cost = search.fidelity.cost(parameters)
        capped = choosing > CAP_S and not search.begins
        exceeded = [mark for mark in marks if capped or spent + cost > mark + ROUNDING]
        if exceeded:
            best = {**search.space.suggested(search.recommended()), function.parameter: function.full}
            recommended.append((spent, function.evaluate(best)))
            marks = marks[len(exceeded) :]
        if not marks:
            break
        value = function.evaluate(parameters)
        search.tell(search.space.encode(parameters), -value)
        values.append((cost, value))
        spent += cost
    seconds = choosing / (len(values) + 1)
    return Run(job, tuple(values), seconds, recommended=tuple(recommended), capped=capped)


@dataclass(frozen=True, eq=False)
class _Search:
    """What was told so far, and what follows from it."""

    job: Job
    space: Space
    fidelity: Fidelity
    problem: Problem
    closeness: Closeness
    design: StartDesign
    history: History

    @classmethod
    def of(cls, job: Job, function: FidelityFunction) -> _Search:
        space, fidelity = told(job, function)
        assert fidelity is not None, "a peer that chooses fidelity is told of it"
        domain = space.domain
        problem = Problem(domain, seed=job.seed, noise=EXACT)
        closeness = Closeness(Columns(domain), fidelity.levels)
        design = StartDesign(domain, job.seed)
        return cls(job, space, fidelity, problem, closeness, design, History(domain))

    @property
    def _trial(self) -> int:
        """The number of the next, as in a run of ours, from 1 on."""
        return len(self.history) + 1

    @property
    def begins(self) -> bool:
        """Whether the next is of the start design."""
        return self._trial <= DesignOptions(start_points=None).designed(self.problem)

    def next_point(self) -> FloatArray:
        """(D,) of the start design, and then by the model."""
        if self.begins:
            return self._designed()
        with self._seeded():
            return self._point(CHOICES[self.job.algorithm](self._model(), self.closeness))

    def _designed(self) -> FloatArray:
        """At the nearest fidelity that ours choose from, as those of ours are."""
        levels = self.fidelity.levels
        point = self.design.point(self._trial)
        nearest = np.abs(levels.positions - point[levels.coordinate]).argmin()
        point[levels.coordinate] = levels.positions[nearest]
        return point

    def recommended(self) -> FloatArray:
        """(D,), at full fidelity."""
        with self._seeded():
            return self._point(self.closeness.recommended(self._model())[0])

    def tell(self, point: FloatArray, value: float) -> None:
        """The more the better, here."""
        self.history.tell(Observation(self._trial, point, value))

    def _model(self) -> Model:
        results = Results.of(self.history, self.closeness.columns, self.problem)
        return likeliest(lambda: _prior(results, self.closeness))

    def _point(self, found: Tensor) -> FloatArray:
        return np.asarray(self.closeness.columns.points(found)[0])

    def _seeded(self) -> AbstractContextManager[None]:
        return seeded(int(stream(self.job.seed, self.job.algorithm, self._trial).integers(2**31)))


def _prior(results: Results, closeness: Closeness) -> Model:
    return SingleTaskMultiFidelityGP(
        results.X,
        results.Y,
        data_fidelities=[closeness.column],
        outcome_transform=None,
    )
