"""The acquisition of a mixture of additive posteriors, as one function for each factor of one graph.

Each member's acquisition is a sum over its own factors, so that their average by weight is a sum over all
members' factors (Eqs. 20-22 of Bardou et al. 2024): a node for each, whichever member it comes from.

Notation: F factors in all, b_i the square root of beta_i, w the weight of a factor's member, N_i as in
`factor_graph`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from orchestrator.acquisition.posterior import share
from orchestrator.algorithms.additive.belief import WeighedStructure
from orchestrator.algorithms.additive.factor_knowledge import anchored_at, known_at, revealed
from orchestrator.algorithms.additive.terms_posterior import TermsPosterior
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.factors.factor_objective import FactoredObjective
from orchestrator.maximisers.factors.gaussian_factor import GaussianFactor, gaussian_factors
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.surrogates.posteriors.additive import AdditiveGP
from orchestrator.unit_cube.domain import Domain

Betas = Callable[[FactorGraph], FloatArray]

NEGLIGIBLE = 1e-3
"""A member with less than this part of the leader's weight moves no choice, and its nodes cost time."""


@dataclass(frozen=True, eq=False)
class FactorFunctions:
    """F functions over one graph. ``coupled``: whether their bonuses share roots (Eq. 8) or add up.
    ``within``: where a point is to be chosen by them, if not anywhere.
    """

    graph: FactorGraph
    factors: tuple[GaussianFactor, ...]
    coupled: bool
    within: Domain | None = None

    @cached_property
    def objective(self) -> FactoredObjective:
        """Their sum as one function of (m, D) points."""
        return FactoredObjective(self.graph, self.factors, self.coupled)

    def turned_from(self, X: FloatArray) -> FactorFunctions:
        """The same with every factor's deviation shrunk about (m, D) points: see `factor_knowledge`."""
        factors = (known_at(f, X[:, v]) for f, v in zip(self.factors, self.graph.indices, strict=True))
        return replace(self, factors=tuple(factors))

    def anchored_at(self, x: FloatArray, variance: float) -> FactorFunctions:
        """The same with no factor less sure at a (D,) point than ``variance``, the total's there."""
        factors = (
            anchored_at(f, x[v], variance) for f, v in zip(self.factors, self.graph.indices, strict=True)
        )
        return replace(self, factors=tuple(factors))

    def revealed(self, noise: FloatArray) -> FactorFunctions:
        """The same with every factor's deviation as if its own values had been told, each with its own of
        (n,) noise variances.
        """
        return replace(self, factors=tuple(revealed(f, noise) for f in self.factors))

    def bolder(self, times: float) -> FactorFunctions:
        """The same with ``times`` the weight on every deviation."""
        factors = tuple(replace(factor, weight=times * factor.weight) for factor in self.factors)
        return replace(self, factors=factors)

    def exploration(self, X: FloatArray) -> FloatArray:
        """(m,) shares of the score at (m, D) points that uncertainty makes."""
        means = np.sum(
            [f.parts(X[:, v]).plain for f, v in zip(self.factors, self.graph.indices, strict=True)], axis=0
        )
        return share(self.objective.values(X) - means, means)


def mixed(hypotheses: Sequence[WeighedStructure], betas: Betas, coupled: bool) -> FactorFunctions:
    """The functions of all members that are not `NEGLIGIBLE`, weighted.

    ``betas`` gives (F,) beta of a member's graph. Raises ValueError for several members of which one has
    overlapping factors, if they are to be coupled: the roots of one member must not run over the factors of
    another.
    """
    most = max(hypothesis.weight for hypothesis in hypotheses)
    hypotheses = [hypothesis for hypothesis in hypotheses if hypothesis.weight >= NEGLIGIBLE * most]
    graphs = [hypothesis.posterior.graph for hypothesis in hypotheses]
    if len(hypotheses) > 1 and coupled:
        if not all(graph.is_partition for graph in graphs):
            raise ValueError("a mixture of coupled acquisitions needs members without overlapping factors")
        # Disjoint factors have no neighbours: Eq. 8 is then the plain sum.
        coupled = False
    factors: list[GaussianFactor] = []
    total = sum(hypothesis.weight for hypothesis in hypotheses)
    for hypothesis, graph in zip(hypotheses, graphs, strict=True):
        own = _functions(hypothesis.posterior, np.sqrt(betas(graph)), coupled)
        w = hypothesis.weight / total
        factors += own if w == 1.0 else [_weighted(factor, w) for factor in own]
    if len(graphs) == 1:
        return FactorFunctions(graphs[0], tuple(factors), coupled)
    union = tuple(factor for graph in graphs for factor in graph.factors)
    return FactorFunctions(FactorGraph(union, graphs[0].dimension, nested=True), tuple(factors), coupled)


def _functions(
    posterior: AdditiveGP | TermsPosterior, weights: FloatArray, coupled: bool
) -> tuple[GaussianFactor, ...]:
    if isinstance(posterior, AdditiveGP):
        return gaussian_factors(posterior, weights.tolist(), coupled)
    return posterior.functions(weights, coupled)


def _weighted(factor: GaussianFactor, w: float) -> GaussianFactor:
    return replace(factor, alpha=w * factor.alpha, offset=w * factor.offset, weight=w * factor.weight)
