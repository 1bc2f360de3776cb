"""What is believed of how much a training gains by its next piece, with which settings.

Notation: n gains, E embedded columns, k points that run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from orchestrator.algorithms.base import Prediction, Problem, Refit
from orchestrator.algorithms.gaussian_process.fitters import Likeliest
from orchestrator.algorithms.population.in_context import beside
from orchestrator.algorithms.population.rungs import rung_of
from orchestrator.algorithms.population.trainings import Piece, Trainings
from orchestrator.arrays import FloatArray
from orchestrator.numerics.normal import distribution
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters, KernelTemplate
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.scales.standardise import Standardisation

# Before so many pieces are known, there is no model of them.
FEWEST = 4
# So many of the last are learned: what earlier ones taught of another time.
LARGEST = 400
SHARE_BETWEEN_REFITS, LEAST_BETWEEN_REFITS = 10, 2
TEMPLATE = KernelTemplate("matern-5/2-ard", MATERN_52)


class GainBelief:
    """A Gaussian process over settings, time (how many steps are done), and how a training stood before. Of a
    first piece that is how most stand after it.
    """

    def __init__(self, problem: Problem, trainings: Trainings) -> None:
        self._problem = problem
        self._trainings = trainings
        self._fitter = Likeliest((TEMPLATE,))
        owners = problem.domain.embedded_parameter
        self._owners = np.append(owners, problem.domain.dimension)
        self._refit: Refit | None = None
        self._made: tuple[int, int, ExactGP] | None = None

    def __len__(self) -> int:
        """n."""
        return len(self._trainings.pieces)

    @property
    def ready(self) -> bool:
        """Whether a refit was adopted."""
        return self._refit is not None

    @property
    def hyperparameters(self) -> Mapping[str, Any]:
        """Those of the process by its name, as JSON values; none before there is one."""
        if self._refit is None:
            return {}
        own = self._hyperparameters(self._refit)
        *scales, of_standing = own.length_scales
        told = {**own.to_json(), "length_scales": scales, "length_scale_of_how_it_stood": of_standing}
        return {TEMPLATE.name: told}

    def refit_due(self) -> int | None:
        """See `Algorithm`."""
        if self._refit is None:
            ended = sum(not math.isnan(piece.value) for piece in self._trainings.pieces)
            return 1 if ended >= FEWEST else None
        seen = int(self._refit.payload["gains"])
        wait = max(LEAST_BETWEEN_REFITS, seen // SHARE_BETWEEN_REFITS)
        return self._refit.number + 1 if len(self) - seen >= wait else None

    def compute_refit(self, number: int, observations: int) -> Refit:
        """See `Algorithm`."""
        gains, values = self._gains(), np.array([piece.value for piece in self._kept])
        gained = Standardisation.of(gains[~np.isnan(gains)], warped=True)
        stood = Standardisation.of(values[~np.isnan(values)], warped=True)
        data = self._data(gained, stood)
        warm = None if self._refit is None else [self._hyperparameters(self._refit)]
        rng = stream(self._problem.seed, "pb2 hyperparameters", number)
        (found,) = self._fitter.fit(data, None, warm, rng)
        payload = {
            "gains": len(self),
            "gained": gained.to_json(),
            "stood": stood.to_json(),
            "member": found.to_json(),
        }
        return Refit(number, observations, payload)

    def adopt(self, refit: Refit) -> None:
        """See `Algorithm`."""
        if self._refit is None or refit.number > self._refit.number:
            self._refit = refit

    @property
    def posterior(self) -> ExactGP:
        """Of all gains told by now, over E + 1 columns: the last is where trainings stood. O(n^3) once."""
        refit, n = self._adopted, len(self)
        if self._made is None or self._made[:2] != (refit.number, n):
            own = self._hyperparameters(refit)
            made = ExactGP(own.kernel(TEMPLATE.family, self._owners), own.noise_variance)
            data = self._data(self._gained, self._stood)
            made.append(data.X, data.y)
            self._made = refit.number, n, made
        return self._made[2]

    def stands(self, value: float) -> float:
        """In [0, 1], where a value lies among all."""
        return float(distribution(self._stood.apply(value)))

    def running(self, points: FloatArray) -> FloatArray:
        """(k, E + 1) what is believed about (k, D) points that run; of which training each is nobody knows,
        and it is taken to stand in the middle.
        """
        trainings, stood = self._trainings, []
        kept = []
        for point in points:
            rung = rung_of(trainings.rungs, float(point[self._coordinate]))
            if rung is None:
                continue
            standing = [piece.value for piece in trainings.standing(rung - 1)] if rung else [trainings.start]
            kept.append(point)
            stood.append(self.stands(float(np.median(standing))) if standing else 0.5)
        X = self._problem.domain.embed(np.reshape(kept, (len(kept), self._problem.domain.dimension)))
        return beside(X, np.array(stood))

    def predicted(self, X: FloatArray, stands: float) -> Prediction:
        """Of the gain at (1, E) inputs."""
        mean, variance = self.posterior.mean_and_variance(beside(X, stands))
        return Prediction.of(float(mean[0]), float(variance[0]), self._gained)

    @property
    def _adopted(self) -> Refit:
        if self._refit is None:
            raise ValueError("expected a belief that has been fitted; adopt a refit first, or check `ready`")
        return self._refit

    @property
    def _gained(self) -> Standardisation:
        return Standardisation.from_json(self._adopted.payload["gained"])

    @property
    def _stood(self) -> Standardisation:
        return Standardisation.from_json(self._adopted.payload["stood"])

    @property
    def _coordinate(self) -> int:
        assert self._problem.fidelity is not None
        return self._problem.fidelity.coordinate

    @staticmethod
    def _hyperparameters(refit: Refit) -> Hyperparameters:
        return Hyperparameters.from_json(refit.payload["member"])

    @property
    def _kept(self) -> Sequence[Piece]:
        return self._trainings.pieces[-LARGEST:]

    def _before(self) -> FloatArray:
        """(n,) how trainings stood before the pieces that are kept."""
        start = self._trainings.start
        return np.array([start if one.before is None else one.before.value for one in self._kept])

    def _gains(self) -> FloatArray:
        """(n,) by how much they stand better after them; NaN where a piece failed."""
        return np.array([one.value for one in self._kept]) - self._before()

    def _data(self, gained: Standardisation, stood: Standardisation) -> Data:
        X = self._problem.domain.embed(np.array([one.point for one in self._kept]))
        stands, gains = distribution(stood.apply(self._before())), self._gains()
        # What failed is as bad as the worst that did not, and is not tried again and again.
        gains = np.where(np.isnan(gains), np.nanmin(gains), gains)
        return Data(beside(X, stands), gained.apply(gains), self._owners)
