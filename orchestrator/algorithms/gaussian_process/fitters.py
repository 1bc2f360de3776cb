"""Where the hyperparameters of a belief come from: the likeliest ones, or draws from their posterior.

A fitter settles how many Gaussian processes a belief has, and what they are called.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from orchestrator.surrogates.covariances.kernel_families import RBF, KernelFamily
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.thinning import subsample
from orchestrator.surrogates.fits.one_kernel import Search, fit
from orchestrator.surrogates.fits.samples import HyperparameterPosterior, UniformPriors
from orchestrator.surrogates.hyperparameters.beliefs import Prior
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters, KernelTemplate

# Of a fit, the first and later ones, which have a warm one among them.
FIRST_STARTS, LATER_STARTS = 4, 3
# So many results a fit sees at most, and a chain, which computes their evidence more often.
LARGEST, MOST_SEEN_BY_A_CHAIN = 400, 300


class Fitter(Protocol):
    """Finds hyperparameters for each of M Gaussian processes."""

    @property
    def names(self) -> tuple[str, ...]:
        """(M,) what they are called."""
        ...

    @property
    def families(self) -> tuple[KernelFamily, ...]:
        """(M,) shapes of their kernels."""
        ...

    def fit(
        self,
        data: Data,
        noise_variance: float | None,
        warm: Sequence[Hyperparameters] | None,
        rng: np.random.Generator,
    ) -> list[Hyperparameters]:
        """(M,) hyperparameters. ``noise_variance``: None infers it, a number holds it there; ``warm`` is
        what was found last time.
        """
        ...


@dataclass(frozen=True)
class Likeliest:
    """For each kernel the maximum a posteriori."""

    templates: tuple[KernelTemplate, ...]
    starts: int = LATER_STARTS

    @property
    def names(self) -> tuple[str, ...]:
        """See `Fitter`."""
        return tuple(template.name for template in self.templates)

    @property
    def families(self) -> tuple[KernelFamily, ...]:
        """See `Fitter`."""
        return tuple(template.family for template in self.templates)

    def fit(
        self,
        data: Data,
        noise_variance: float | None,
        warm: Sequence[Hyperparameters] | None,
        rng: np.random.Generator,
    ) -> list[Hyperparameters]:
        """See `Fitter`."""
        found = []
        for m, template in enumerate(self.templates):
            search = Search(FIRST_STARTS if warm is None else self.starts, largest=LARGEST)
            if warm is not None:
                search = replace(search, warm=warm[m])
            prior = Prior.for_dimension(data.dimension)
            found.append(fit(template, data, prior, rng, noise_variance, search))
        return found


@dataclass(frozen=True)
class Drawn:
    """``count`` draws from the posterior of one kernel's hyperparameters under uniform priors."""

    count: int
    family: KernelFamily = RBF
    priors: UniformPriors = field(default_factory=UniformPriors)

    @property
    def names(self) -> tuple[str, ...]:
        """See `Fitter`."""
        return tuple(f"draw {m + 1}" for m in range(self.count))

    @property
    def families(self) -> tuple[KernelFamily, ...]:
        """See `Fitter`."""
        return (self.family,) * self.count

    def fit(
        self,
        data: Data,
        noise_variance: float | None,
        warm: Sequence[Hyperparameters] | None,
        rng: np.random.Generator,
    ) -> list[Hyperparameters]:
        """See `Fitter`. The chain goes on where the last one ended; it sees 300 results at most."""
        seen = subsample(data, MOST_SEEN_BY_A_CHAIN, rng)
        posterior = HyperparameterPosterior(self.family, seen, self.priors, noise_variance)
        return posterior.sample(self.count, rng, warm[-1] if warm else None)
