"""BoTorch's Gaussian process with log expected improvement, as a peer to compare with."""

from __future__ import annotations

from typing import Any, ClassVar

from botorch.models import MixedSingleTaskGP, SingleTaskGP
from botorch.models.model import Model

from orchestrator.algorithms.base import Options, Problem
from orchestrator.algorithms.peers.botorch_fit import likeliest
from orchestrator.algorithms.peers.botorch_peer import BotorchOptions, BotorchPeer
from orchestrator.algorithms.peers.botorch_results import Results


class BotorchLogEiOptions(BotorchOptions):
    """Those of `BotorchOptions`."""

    chooses_rows: ClassVar[bool] = True

    def check(self, problem: Problem) -> list[str]:
        """See `Options.check`."""
        if problem.domain.rows is None or problem.domain.listed is not None:
            return super().check(problem)
        return ["expected candidates without parameters that are free beside their columns; leave these out"]


class BotorchLogEi(BotorchPeer):
    """``SingleTaskGP`` as it comes (RBF, dimension-scaled priors), refitted at every ask, and log EI.

    `LogExpectedImprovement` where values are exact and nothing runs, `qLogExpectedImprovement` conditioned on
    the points that run, `qLogNoisyExpectedImprovement` where values are noisy. With choice parameters the
    model is ``MixedSingleTaskGP``, and with those or integers the maximiser
    ``optimize_acqf_mixed_alternating``. Known and reported noise variances are told to the model, 0 included
    (it takes 1e-6 of the spread for that), and inferred otherwise.

    Source: Ament et al. 2023; Hvarfner et al. 2024 for the priors; the program is BoTorch's.

    Deviations: our start design. Domains of up to 4,096 points, and lists of rows, are gone
    through. A point that may not be
    repeated gives way to the next of the maximiser's optima, or the best of a thousand points and neighbours.
    A failed evaluation counts as an average result. Where the fit fails, the hyperparameters are the priors'
    modes.
    """

    name: ClassVar[str] = "botorch-log-ei"
    Options: ClassVar[type[Options]] = BotorchLogEiOptions

    def _fit(self, results: Results) -> Model:
        return likeliest(lambda: self._prior(results))

    def _prior(self, results: Results) -> Model:
        told: dict[str, Any] = {
            "train_X": results.X,
            "train_Y": results.Y,
            "train_Yvar": results.Yvar,
            "outcome_transform": None,
        }
        if self._columns.categories:
            return MixedSingleTaskGP(**told, cat_dims=list(self._columns.categories))
        return SingleTaskGP(**told)

    def _beliefs(self, model: Model) -> dict[str, Any]:
        if self._columns.categories:
            return {}
        return {"length_scales": model.covar_module.lengthscale.detach().flatten().tolist()}
