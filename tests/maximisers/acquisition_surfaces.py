"""Random acquisition surfaces, over factor graphs and without, and random factors that are but a table."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.embedded import Embedded
from orchestrator.arrays import FloatArray
from orchestrator.errors import SpecError
from orchestrator.maximisers.factors.factor_objective import FactoredObjective, Parts, PartsAndGradients
from orchestrator.maximisers.factors.gaussian_factor import gaussian_factors
from orchestrator.numerics.linalg import cholesky
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.covariances.fourier_features import FourierFeatures
from orchestrator.surrogates.covariances.kernel_families import MATERN_52, RBF
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.surrogates.hyperparameters.additive import AdditiveHyperparameters
from orchestrator.surrogates.posteriors.additive import AdditiveGP
from orchestrator.surrogates.posteriors.random_features import RandomFeatureModel
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain


def random_graph(dimension: int, largest: int, rng: np.random.Generator) -> FactorGraph:
    """Overlapping factors of 2 to ``largest`` parameters, mostly with loops."""
    while True:
        factors: list[tuple[int, ...]] = []
        seen: set[int] = set()
        while len(seen) < dimension:
            size = int(rng.integers(2, largest + 1))
            fresh = [j for j in range(dimension) if j not in seen]
            new = min(len(fresh), max(1, size - int(rng.integers(0, 3))))
            factor = set(rng.choice(fresh, new, replace=False).tolist())
            factor |= set(rng.permutation(np.array(sorted(seen), dtype=int))[: size - new].tolist())
            factors.append(tuple(sorted(factor)))
            seen |= factor
        try:
            return FactorGraph(tuple(factors), dimension)
        except SpecError:  # one factor inside another: draw again
            continue


def random_tree(factors: int, largest: int, rng: np.random.Generator) -> FactorGraph:
    """Each factor shares at most one parameter with those before it; some begin a tree of their own."""
    chosen: list[tuple[int, ...]] = []
    dimension = 0
    for _ in range(factors):
        size = int(rng.integers(2, largest + 1))
        shared = [int(rng.integers(dimension))] if chosen and rng.random() < 0.8 else []
        fresh = list(range(dimension, dimension + size - len(shared)))
        dimension += len(fresh)
        chosen.append(tuple(int(p) for p in rng.permutation(shared + fresh)))
    graph = FactorGraph(tuple(chosen), dimension)
    assert graph.is_tree
    return graph


@dataclass(frozen=True)
class Surface:
    """An additive GP's acquisition: its graph, its factors, whether roots run over neighbours, and the values
    that it learned from.
    """

    graph: FactorGraph
    domain: Domain
    posterior: AdditiveGP
    factors: tuple
    coupled: bool
    betas: FloatArray
    values: FloatArray

    @property
    def objective(self) -> FactoredObjective:
        return FactoredObjective(self.graph, self.factors, self.coupled)


def random_surface(
    number: int, domain: Domain, largest: int, coupled: bool, graph: FactorGraph | None = None
) -> Surface:
    """The acquisition after 20 to 120 values of a random additive function."""
    rng = stream(number, "random surface")
    graph = graph or random_graph(domain.dimension, largest, rng)
    hyperparameters = AdditiveHyperparameters(
        graph.factors,
        tuple(rng.uniform(0.2, 0.8, graph.dimension).tolist()),
        tuple((rng.uniform(0.5, 1.5, graph.size) / graph.size).tolist()),
        1e-3,
    )
    posterior = AdditiveGP(domain, graph, (MATERN_52, RBF)[number % 2], hyperparameters)
    n = int(rng.integers(20, 120))
    X = domain.sample(n, rng)
    K = posterior.total.covariance.matrix(domain.embed(X))
    values = cholesky(K + 1e-3 * np.eye(n)).lower @ rng.standard_normal(n)
    posterior.append(X, values)
    betas = np.array([0.2 * len(factor) * np.log(2 * n) for factor in graph.factors])
    factors = gaussian_factors(posterior, np.sqrt(betas).tolist(), coupled)
    return Surface(graph, domain, posterior, factors, coupled, betas, values)


def drawn(domain: Domain, seed: int, length_scale: float = 0.3) -> Embedded:
    """A random function, which knows no factors."""
    rng = np.random.default_rng(seed)
    kernel = Kernel(RBF, np.full(len(domain.embedded_parameter), length_scale))
    features = FourierFeatures(kernel.spectral_frequencies(50, rng))
    return Embedded(domain, RandomFeatureModel.prior(features, 1.0, 0.1).draw(rng))


class TableFactor:
    """A function of positions k / (g - 1), given by its values."""

    weight = 0.0

    def __init__(self, table: FloatArray) -> None:
        self.table = table

    def parts(self, X: FloatArray) -> Parts:
        at = tuple(np.rint(X[:, p] * (g - 1)).astype(int) for p, g in enumerate(self.table.shape))
        return Parts(self.table[at], np.zeros(len(X)))

    def parts_and_gradients(self, X: FloatArray) -> PartsAndGradients:
        parts, zero = self.parts(X), np.zeros(X.shape)
        return PartsAndGradients(parts.plain, zero, parts.shared, zero)


def table_domain(sizes: list[int]) -> Domain:
    """Categories at k / (g - 1): all of them are always on the table."""
    return Domain(tuple(Coordinate("categorical", tuple(np.linspace(0, 1, g).tolist())) for g in sizes))


def brute_force(domain: Domain, objective: FactoredObjective) -> float:
    """The largest value over all points of a discrete domain."""
    points = np.array(list(itertools.product(*(c.positions for c in domain.coordinates))))
    return float(objective.values(points).max())
