"""Which parameters each term of an additive function sees: the factor graph (App. A of Bardou et al. 2024).

f(x) = sum over i of f_i(x restricted to V_i). A *decomposition* is the bare tuple of factors, each factor a
tuple of parameter numbers; its canonical form sorts both. A `FactorGraph` is a checked decomposition with the
sets that the acquisitions and the message-passing maximisers need.

Notation: D parameters, F factors, V_i the parameters of factor i, F_j the factors of parameter j,
N_i the factors that share a parameter with factor i (i itself among them).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.errors import SpecError

Factor = tuple[int, ...]
Decomposition = tuple[Factor, ...]


def canonical(factors: Iterable[Iterable[int]]) -> Decomposition:
    """The decomposition with every factor sorted, and the factors sorted: equal graphs, equal tuples."""
    return tuple(sorted(tuple(sorted(int(p) for p in factor)) for factor in factors))


def decomposition_key(factors: Iterable[Iterable[int]]) -> str:
    """16 hexadecimal digits that name a decomposition, whatever its order, in any process."""
    return hashlib.blake2b(repr(canonical(factors)).encode(), digest_size=8).hexdigest()


def faults(factors: Sequence[Sequence[int]], dimension: int, nested: bool = False) -> list[str]:
    """Sentences on what is wrong with a decomposition of ``dimension`` parameters; empty if all is well.

    ``nested`` allows a factor inside another, as in a decomposition given by somebody who knows that its
    terms differ (Eq. 19 of Bardou et al. 2024).
    """
    found: list[str] = []
    if not factors:
        found.append("a decomposition needs at least one factor; there is none")
    seen: set[int] = set()
    for i, factor in enumerate(factors):
        if not factor:
            found.append(f"factor {i} is empty; give it at least one parameter, or leave it out")
        if len(set(factor)) != len(factor):
            found.append(f"factor {i} names a parameter twice: {list(factor)}")
        unknown = sorted(p for p in set(factor) if not 0 <= p < dimension)
        if unknown:
            found.append(f"factor {i} names {unknown}; the parameters are numbered 0 to {dimension - 1}")
        seen |= set(factor)
    missing = sorted(set(range(dimension)) - seen)
    if missing:
        found.append(f"no factor sees the parameters {missing}; add them to a factor, or to one of their own")
    if not nested:
        found.extend(_nested_pairs(factors))
    return found


def _nested_pairs(factors: Sequence[Sequence[int]]) -> list[str]:
    sets = [frozenset(factor) for factor in factors]
    return [
        f"factor {i} {sorted(inner)} lies inside factor {j} {sorted(outer)}, which can say all that it says; "
        "leave it out, or allow nested factors"
        for i, inner in enumerate(sets)
        for j, outer in enumerate(sets)
        if inner and i != j and (inner < outer or (inner == outer and i < j))
    ]


@dataclass(frozen=True)
class FactorGraph:
    """A checked decomposition. ``factors`` keep the order given: decomposed outputs are told in it.

    ``dimension`` is D, ``nested`` whether one factor may lie inside another. Raises SpecError with a sentence
    for every fault.
    """

    factors: Decomposition
    dimension: int
    nested: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "factors", tuple(tuple(int(p) for p in f) for f in self.factors))
        wrong = faults(self.factors, self.dimension, self.nested)
        if wrong:
            raise SpecError("this decomposition cannot be used: " + "; ".join(wrong))

    @classmethod
    def whole(cls, dimension: int) -> FactorGraph:
        """The fully dependent decomposition, one factor that sees everything."""
        return cls((tuple(range(dimension)),), dimension)

    @property
    def size(self) -> int:
        """F."""
        return len(self.factors)

    @cached_property
    def indices(self) -> tuple[IndexArray, ...]:
        """F arrays (|V_i|,): V_i as numpy indices into a point's coordinates, in the factor's own order."""
        return tuple(np.array(factor, dtype=np.intp) for factor in self.factors)

    @cached_property
    def factors_of(self) -> tuple[tuple[int, ...], ...]:
        """D tuples: F_j, the factors that see parameter j."""
        return tuple(
            tuple(i for i, factor in enumerate(self.factors) if j in factor) for j in range(self.dimension)
        )

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """F tuples: N_i, sorted, i among them. The relation is symmetric.

        Of its example App. A prints N_3 = {2, 3, 4}; the first factor sees x_3 as well, and belongs to it.
        """
        return tuple(
            tuple(sorted({k for j in factor for k in self.factors_of[j]})) for factor in self.factors
        )

    @cached_property
    def adjacency(self) -> FloatArray:
        """(F, F) 1.0 where two factors share a parameter, the diagonal included."""
        matrix = np.zeros((self.size, self.size))
        for i, near in enumerate(self.neighbours):
            matrix[i, list(near)] = 1.0
        return matrix

    @cached_property
    def neighbour_counts(self) -> FloatArray:
        """(F,) |N_i|."""
        return np.array([len(near) for near in self.neighbours], dtype=float)

    @cached_property
    def components(self) -> tuple[tuple[int, ...], ...]:
        """Factors that are connected through shared parameters, component by component, each sorted."""
        unvisited = set(range(self.size))
        found: list[tuple[int, ...]] = []
        while unvisited:
            reached: set[int] = set()
            frontier = {min(unvisited)}
            while frontier:
                reached |= frontier
                frontier = {k for i in frontier for k in self.neighbours[i]} - reached
            found.append(tuple(sorted(reached)))
            unvisited -= reached
        return tuple(found)

    @property
    def is_tree(self) -> bool:
        """Whether the bipartite graph has no cycle (a forest), so that max-sum is exact on it.

        A graph is a forest if and only if its edges are its nodes less its components.
        """
        edges = sum(len(factor) for factor in self.factors)
        return edges == self.size + self.dimension - len(self.components)

    @property
    def is_partition(self) -> bool:
        """Whether no parameter is seen by two factors."""
        return all(len(near) == 1 for near in self.factors_of)

    @cached_property
    def canonical(self) -> Decomposition:
        """The decomposition in its canonical order."""
        return canonical(self.factors)
