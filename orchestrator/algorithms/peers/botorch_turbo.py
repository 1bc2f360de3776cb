"""TuRBO-1 out of BoTorch's parts, as its documentation builds it. A peer to compare with.

Notation: D coordinates, K columns, m candidates, L the trust region's base side length.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import torch
from botorch.generation import MaxPosteriorSampling
from botorch.models import SingleTaskGP
from botorch.models.model import Model
from gpytorch.constraints import Interval
from gpytorch.kernels import MaternKernel, ScaleKernel
from pydantic import Field
from torch import Tensor
from torch.quasirandom import SobolEngine

from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Insight, Observation, Options, Problem, Suggestion
from orchestrator.algorithms.gaussian_process.followed_region import FollowedRegion
from orchestrator.algorithms.gaussian_process.options import DesignOptions
from orchestrator.algorithms.peers.botorch_columns import Columns
from orchestrator.algorithms.peers.botorch_fit import likeliest
from orchestrator.algorithms.peers.botorch_results import Results, seeded
from orchestrator.algorithms.peers.peer import Peer
from orchestrator.numerics.rng import stream

COLUMNS_CHANGED = 20


class BotorchTurboOptions(DesignOptions):
    """``candidates``: points of the region among which a function drawn from the posterior is maximised; 200
    for each parameter, at least 2,000 and at most 5,000, if left out. And those of `DesignOptions`.
    """

    candidates: int | None = Field(None, ge=1)


class BotorchTurbo(Peer):
    """A Matern-5/2 ``SingleTaskGP`` of the results since the last restart, fitted at every ask, and a
    Thompson sample over Sobol candidates in a box about the best of them.

    Source: Eriksson et al. 2019; the parts (model, fit, sampling) are BoTorch's, and its documentation's way
    of joining them.

    Deviations: successes and failures are counted result by result by our own `TrustRegion`, with the paper's
    tolerances (3, and max(4, D)), so that batches and asynchronous workers count alike; results of points
    asked before a restart and told after it are left out. After a restart the start design goes on with new
    points. Categories become indicator columns and are drawn from all where a candidate changes them. A
    failed evaluation counts as a failure and an average result. No candidate is repeated.
    """

    name: ClassVar[str] = "botorch-turbo"
    Options: ClassVar[type[Options]] = BotorchTurboOptions

    def __init__(self, problem: Problem, options: BotorchTurboOptions) -> None:
        super().__init__(problem, options)
        self._columns = Columns(problem.domain)
        K = len(self._columns.coordinates)
        self._candidates = options.candidates or min(5000, max(2000, 200 * K))
        self._trust = FollowedRegion(problem, self._opening.design, self._history)
        self._rows: list[int] = []
        self._fitted: tuple[Results, Model] | None = None

    @property
    def _ready(self) -> bool:
        return self._trust.region.centre is not None and len(self._rows) >= self._opening.points

    def _learned(self, observation: Observation) -> None:
        if not self._trust.follow(observation, ready=self._ready):
            return
        self._rows.append(len(self._history) - 1)
        self._fitted = None
        if self._trust.region.exhausted:
            self._rows = []
            self._trust.begin_anew()

    def _choose(self, turn: Turn) -> Suggestion | None:
        if not self._columns.coordinates:
            return None
        _, model = self._model()
        with seeded(turn.seed()), torch.no_grad():
            candidates = self._columns.points(self._drawn(model))
            candidates = candidates[turn.exclusion.allows(candidates)]
            if len(candidates) == 0:
                return None
            among = self._columns.tensor(candidates)
            best = MaxPosteriorSampling(model, replacement=False)(among, num_samples=1)
        return Suggestion(
            self._columns.points(best)[0], why={"source": "model", "side": self._trust.region.length}
        )

    def _model(self) -> tuple[Results, Model]:
        if self._fitted is None:
            results = Results.of(self._history, self._columns, self._problem, self._rows)
            rng = stream(self._problem.seed, "botorch-turbo fit", len(self._history))
            with seeded(int(rng.integers(2**31))):
                self._fitted = results, self._fit(results)
        return self._fitted

    def _fit(self, results: Results) -> Model:
        return likeliest(lambda: self._prior(results))

    def _prior(self, results: Results) -> Model:
        encoding = self._columns.encoding()
        width = results.X.shape[-1] if encoding is None else encoding.transform(results.X).shape[-1]
        kernel = MaternKernel(nu=2.5, ard_num_dims=width, lengthscale_constraint=Interval(0.005, 4.0))
        return SingleTaskGP(
            results.X,
            results.Y,
            results.Yvar,
            covar_module=ScaleKernel(kernel),
            outcome_transform=None,
            input_transform=encoding,
        )

    def _drawn(self, model: Model) -> Tensor:
        """(m, K) candidates: the centre with about 20 columns changed, at least one."""
        K, m = len(self._columns.coordinates), self._candidates
        row = self._rows[-1] if self._trust.region.centre is None else self._trust.region.centre
        centre = self._columns.tensor(self._history.points[[row]])[0]
        lower, upper = self._box(model, centre)
        seed = int(torch.randint(2**31, (1,)))
        drawn = lower + (upper - lower) * SobolEngine(K, scramble=True, seed=seed).draw(m, dtype=torch.double)
        for column, count in self._columns.categories.items():
            drawn[:, column] = torch.randint(count, (m,)).double()
        changed = torch.rand(m, K) <= min(1.0, COLUMNS_CHANGED / K)
        changed[torch.arange(m), torch.randint(K, (m,))] = True
        return torch.where(changed, drawn, centre)

    def _box(self, model: Model, centre: Tensor) -> tuple[Tensor, Tensor]:
        """(K,) and (K,) corners: sides as the length-scales, L their geometric mean, inside the bounds.

        A side reaches at least to the neighbouring positions of an ordinal column; those of categories mean
        nothing.
        """
        scales = model.covar_module.base_kernel.lengthscale.detach().flatten()
        encoding = self._columns.encoding()
        own = torch.ones_like(centre)
        if encoding is None:
            own = scales
        else:
            own[encoding.numerical_idx] = scales[encoding.new_numerical_idx]
        half = 0.5 * self._trust.region.length * own / own.log().mean().exp()
        for column, values in self._columns.positions.items():
            half[column] = max(float(half[column]), float(np.diff(values).max()))
        bounds = self._columns.bounds
        return torch.maximum(centre - half, bounds[0]), torch.minimum(centre + half, bounds[1])

    def insight(self) -> Insight:
        """See `Algorithm`."""
        side = f"trust region of side {self._trust.region.length:.3g}, {self._trust.restarts} restarts"
        return Insight(notes=[*super().insight().notes, side])
