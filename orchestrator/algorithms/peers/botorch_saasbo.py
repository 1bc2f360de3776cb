"""SAASBO, BoTorch's: few parameters matter, and which ones is integrated over. A peer to compare with."""

from __future__ import annotations

from typing import Any, ClassVar

import numpyro.infer  # noqa: F401 - BoTorch imports it at the first fit, which would be taken for the fit's time
from botorch.fit import fit_fully_bayesian_model_nuts
from botorch.models.fully_bayesian import SaasFullyBayesianSingleTaskGP
from botorch.models.model import Model
from pydantic import Field
from torch import Tensor

from orchestrator.algorithms.base import Options, Problem
from orchestrator.algorithms.peers.botorch_peer import BotorchOptions, BotorchPeer
from orchestrator.algorithms.peers.botorch_results import Results


class BotorchSaasboOptions(BotorchOptions):
    """``warmup`` and ``samples``: NUTS's steps, every ``thinning``-th of the samples being kept; BoTorch's
    defaults. ``refit_every``: results told between samplings of the hyperparameters, which take seconds to
    minutes each. And those of `BotorchOptions`.
    """

    warmup: int = Field(512, ge=1)
    samples: int = Field(256, ge=1)
    thinning: int = Field(16, ge=1)
    refit_every: int = Field(1, ge=1)


class BotorchSaasbo(BotorchPeer):
    """``SaasFullyBayesianSingleTaskGP``, sampled by NUTS at every ask, and log EI averaged over the samples.

    Acquisition, maximiser and noise as in `BotorchLogEi`.

    Source: Eriksson & Jankowiak 2021; the program is BoTorch's, over NumPyro.

    Deviations: those of `BotorchLogEi`, but that categories become indicator columns, as the model has no
    kernel for them. With ``refit_every`` above 1 the samples are those of an earlier fit, and the posterior
    is conditioned on everything told all the same. The sampler is compiled, which changes nothing but its
    time.
    """

    name: ClassVar[str] = "botorch-saasbo"
    Options: ClassVar[type[Options]] = BotorchSaasboOptions

    def __init__(self, problem: Problem, options: BotorchSaasboOptions) -> None:
        super().__init__(problem, options)
        self._options = options
        self._sampled: tuple[int, dict[str, Tensor]] | None = None

    def _fit(self, results: Results) -> Model:
        told = len(results.Y)
        seen = told - (told - self._opening.points) % self._options.refit_every
        if self._sampled is None or self._sampled[0] != seen:
            model = self._prior(
                results
                if seen == told
                else Results.of(self._history, self._columns, self._problem, range(seen))
            )
            fit_fully_bayesian_model_nuts(
                model,
                warmup_steps=self._options.warmup,
                num_samples=self._options.samples,
                thinning=self._options.thinning,
                disable_progbar=True,
                jit_compile=True,
                seed=self._seed_of_fit(seen),
            )
            self._sampled = seen, model.samples
        model = self._prior(results)
        model.load_mcmc_samples(self._sampled[1])
        return model.eval()

    def _prior(self, results: Results) -> _Remembering:
        return _Remembering(results.X, results.Y, results.Yvar, input_transform=self._columns.encoding())

    def _beliefs(self, model: Model) -> dict[str, Any]:
        return {"median_length_scales": model.median_lengthscale.flatten().tolist()}


class _Remembering(SaasFullyBayesianSingleTaskGP):  # type: ignore[misc]
    """The model, which also says which samples it was given, so that another can be given the same."""

    samples: dict[str, Tensor]

    def load_mcmc_samples(self, mcmc_samples: dict[str, Tensor]) -> None:
        self.samples = mcmc_samples
        super().load_mcmc_samples(mcmc_samples)
