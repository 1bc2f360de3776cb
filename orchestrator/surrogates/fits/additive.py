"""Maximum a posteriori hyperparameters of additive GPs, and the evidence of decompositions.

`AdditiveFitter` holds what all decompositions of one data set share; `DecompositionEvidence` is the
`LogEvidence` that the searches in `decompositions/` call, and remembers each fit, which is the member's
hyperparameters.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.numerics.linalg import FactorisationError
from orchestrator.surrogates.decompositions.factor_graph import Decomposition, FactorGraph
from orchestrator.surrogates.evidence.additive import AdditiveEvidence
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.pairwise_data import PairwiseData
from orchestrator.surrogates.fits.mode_search import Mode, highest_mode
from orchestrator.surrogates.hyperparameters.additive import (
    AdditiveHyperparameters,
    Parameterisation,
)
from orchestrator.surrogates.hyperparameters.one_kernel import KernelTemplate

STARTING_SCALES = (1.0, 4.0, 0.5, 2.0)
"""Multiples of the prior's median length-scales from which a cold search starts, in this order."""


@dataclass(frozen=True, slots=True)
class AdditiveSearch:
    """How hard to look: ``starts`` (the warm one first, if there is one), and L-BFGS iterations from each."""

    starts: int = 2
    iterations: int = 50
    warm: AdditiveHyperparameters | None = None


@dataclass(frozen=True, eq=False)
class AdditiveFitter:
    """One data set, in standardised values, and what is believed of any additive model of it.

    ``noise_variance``: the shared one where it is known; None infers it. ``largest``: from how many values
    to learn at most. A fit costs O(iterations n^2 (n + D + F)) time and O(n^2 (D + F)) memory: for a sampler
    in 100 dimensions 150 values are plenty to tell decompositions apart, and several times faster.
    ``known_pairs`` are `pairs`, where somebody has them already.
    """

    data: Data
    template: KernelTemplate
    noise_variance: float | None = None
    largest: int = 300
    known_pairs: PairwiseData | None = None

    @cached_property
    def pairs(self) -> PairwiseData:
        """The pairwise differences, shared by all decompositions."""
        known = self.known_pairs
        return PairwiseData.of(self.data, self.largest) if known is None else known

    def evidence(self, graph: FactorGraph) -> AdditiveEvidence:
        """The evidence of one decomposition as a function of its free hyperparameters."""
        parameterisation = Parameterisation.of(graph, self.template, self.noise_variance)
        return AdditiveEvidence(self.pairs, self.template.family, parameterisation)

    def fit(self, graph: FactorGraph, search: AdditiveSearch | None = None) -> Mode[AdditiveHyperparameters]:
        """The highest mode found, of `pairs`. Deterministic: starts are given, not drawn.

        Raises FactorisationError if no start could be factorised.
        """
        search = search or AdditiveSearch()
        evidence = self.evidence(graph)
        starts = self._starts(evidence.parameterisation, search)
        bounds = np.stack(evidence.parameterisation.bounds, axis=1)
        best = highest_mode(evidence.log_posterior, starts, bounds, search.iterations)
        return Mode(evidence.parameterisation.hyperparameters(best), evidence.log_marginal(best))

    def _starts(self, parameterisation: Parameterisation, search: AdditiveSearch) -> list[FloatArray]:
        starts: list[FloatArray] = []
        if search.warm is not None:
            starts.append(parameterisation.theta(search.warm.for_factors(parameterisation.graph.factors)))
        median = parameterisation.hyperparameters(parameterisation.mean)
        for multiple in STARTING_SCALES[: max(1, search.starts) - len(starts)]:
            scaled = AdditiveHyperparameters(
                median.factors,
                tuple(multiple * scale for scale in median.length_scales),
                median.variances,
                median.noise_variance,
            )
            starts.append(parameterisation.theta(scaled))
        return starts


@dataclass(eq=False)
class DecompositionEvidence:
    """log p(y | decomposition), hyperparameters integrated out: a `LogEvidence`, remembered in ``fits``.

    Every fit starts from the same ``search.warm``, never from the chain's last state: the evidence of a
    decomposition must not depend on the way there, or the chain would have no target.
    """

    fitter: AdditiveFitter
    dimension: int
    search: AdditiveSearch = field(default_factory=lambda: AdditiveSearch(starts=2, iterations=25))
    fits: dict[Decomposition, Mode[AdditiveHyperparameters]] = field(default_factory=dict)

    def __call__(self, decomposition: Decomposition) -> float:
        """Minus infinity where no hyperparameters can be factorised."""
        if decomposition not in self.fits:
            graph = FactorGraph(decomposition, self.dimension, nested=True)
            try:
                self.fits[decomposition] = self.fitter.fit(graph, self.search)
            except FactorisationError:
                return -math.inf
        return self.fits[decomposition].log_marginal
