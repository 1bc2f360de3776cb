"""A tree of cells over a domain: what BOO, SOO, BaMSOO, IMGPO and DIRECT grow.

A data structure and nothing else: it holds values that others bring, whenever they come, and computes none.

A continuous coordinate's side is an interval. A discrete one's is a run of its positions or whole numbers, so
that cells tile the feasible points exactly, every cell holds one, and no point is the centre of two leaves of
one depth.

Notation: D coordinates, h depth, m children, P(m; a, b) the partition of Tran-The et al. 2021, section 4.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.maximisers.trees.whole_runs import run_cuts, run_length, run_middle
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

ROOT = 0
FINEST_SIDE = 2.0**-20
"""Of a continuous coordinate: points closer together count as one (`algorithms.exclusion.CELLS`). A shorter
side is not cut. All centres below it would be told already, and a search that goes on without an evaluation
would go down for ever.
"""


@dataclass(frozen=True, slots=True)
class Cell:
    """A box. A side of a continuous coordinate is (lower, upper) in the unit interval; of a discrete one
    (first, last + 1), numbers of positions, or whole numbers where those are not listed. Sides are half-open;
    the domain's upper end belongs to the last.
    """

    sides: tuple[tuple[float, float], ...]

    def lengths(self, domain: Domain) -> FloatArray:
        """(D,) each side as a part of the whole coordinate; 0 for a single position, which cannot be cut."""
        return np.array([_length(c, side) for c, side in zip(domain.coordinates, self.sides, strict=True)])

    def centre(self, domain: Domain) -> FloatArray:
        """(D,) the feasible point in the middle."""
        return np.array([_middle(c, side) for c, side in zip(domain.coordinates, self.sides, strict=True)])


@dataclass(frozen=True, slots=True)
class LongestSides:
    """P(m; a, b): cut the ``sides`` = b longest sides into ``parts`` = a equal parts each, m = a^b children.

    With b = 1 it is the partition of SOO and its kin (a = 3: trisection); with b = D all sides are cut.
    Sides of equal length are taken in the order of the coordinates; those of thirds, whose lengths differ in
    the last digit, as they round. Raises ValueError unless a >= 2, b >= 1.
    """

    parts: int
    sides: int = 1

    def __post_init__(self) -> None:
        if self.parts < 2 or self.sides < 1:
            raise ValueError(f"P(m; a, b) needs a >= 2 and b >= 1, got a = {self.parts} and b = {self.sides}")

    @property
    def children(self) -> int:
        """m, as long as nothing discrete runs out of positions."""
        return int(self.parts**self.sides)

    def cut(self, cell: Cell, domain: Domain) -> list[Cell]:
        """The children, in the order of their position; they tile the cell. Empty for what is one point.

        Raises ValueError if b > D.
        """
        if self.sides > domain.dimension:
            raise ValueError(
                f"P(m; a, b) cuts b = {self.sides} sides of a cell, which has only {domain.dimension}"
            )
        lengths = cell.lengths(domain)
        longest = np.argsort(-lengths, kind="stable")[: self.sides]
        chosen = {int(j) for j in longest if lengths[j] > _shortest(domain.coordinates[j])}
        if not chosen:
            return []
        choices = [
            _cut_side(coordinate, side, self.parts) if j in chosen else [side]
            for j, (coordinate, side) in enumerate(zip(domain.coordinates, cell.sides, strict=True))
        ]
        return [Cell(sides) for sides in itertools.product(*choices)]


@dataclass(slots=True)
class TreeNode:
    """A node (h, i). ``value`` is whatever was brought for its centre, None until then."""

    index: int
    depth: int
    cell: Cell
    centre: FloatArray
    parent: int | None
    value: float | None = None
    children: tuple[int, ...] | None = None


@dataclass(slots=True)
class Tree:
    """Grows from the root, the whole domain, by expanding leaves. Nodes are known by their number."""

    domain: Domain
    nodes: list[TreeNode] = field(default_factory=list, init=False)
    _leaves: dict[int, dict[int, None]] = field(default_factory=dict, init=False)
    _depth: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._add(Cell(tuple(_whole_side(c) for c in self.domain.coordinates)), None)

    @property
    def depth(self) -> int:
        """That of the deepest node."""
        return self._depth

    def leaves(self, depth: int | None = None) -> list[int]:
        """Nodes without children, of one depth or all, in the order in which they came."""
        if depth is not None:
            return list(self._leaves.get(depth, ()))
        return [node for level in sorted(self._leaves) for node in self._leaves[level]]

    def centres(self, nodes: Iterable[int]) -> FloatArray:
        """(k, D) centres of nodes."""
        rows = [self.nodes[i].centre for i in nodes]
        return np.array(rows).reshape(len(rows), self.domain.dimension)

    def values(self, nodes: Sequence[int]) -> FloatArray:
        """(k,) their values; minus infinity where none has come."""
        values = (self.nodes[i].value for i in nodes)
        return np.array([-np.inf if value is None else value for value in values])

    def expand(self, node: int, partition: LongestSides) -> tuple[int, ...]:
        """Add the children of a leaf and return their numbers; none if its cell is a single point.

        Raises ValueError for a node that has been expanded.
        """
        parent = self.nodes[node]
        if parent.children is not None:
            raise ValueError(f"expected a leaf to expand; node {node} has been expanded")
        level = self._leaves[parent.depth]
        del level[node]
        if not level:
            del self._leaves[parent.depth]
        parent.children = tuple(self._add(cell, parent) for cell in partition.cut(parent.cell, self.domain))
        return parent.children

    def _add(self, cell: Cell, parent: TreeNode | None) -> int:
        index = len(self.nodes)
        depth = 0 if parent is None else parent.depth + 1
        self._depth = max(self._depth, depth)
        above = None if parent is None else parent.index
        self.nodes.append(TreeNode(index, depth, cell, cell.centre(self.domain), above))
        self._leaves.setdefault(depth, {})[index] = None
        return index


def _whole_side(coordinate: Coordinate) -> tuple[float, float]:
    if coordinate.whole is not None:
        return coordinate.whole.low, coordinate.whole.high + 1
    return 0.0, float(len(coordinate.positions) or 1)


def _length(coordinate: Coordinate, side: tuple[float, float]) -> float:
    lower, upper = side
    if coordinate.whole is not None:
        return run_length(coordinate.whole, side)
    if not coordinate.positions:
        return upper - lower
    return (upper - lower) / len(coordinate.positions) if upper - lower > 1 else 0.0


def _shortest(coordinate: Coordinate) -> float:
    """The length of a side from which on it is not cut."""
    return FINEST_SIDE if coordinate.kind == "continuous" and coordinate.whole is None else 0.0


def _middle(coordinate: Coordinate, side: tuple[float, float]) -> float:
    lower, upper = side
    if coordinate.positions:
        return coordinate.positions[int(lower + upper - 1) // 2]
    if coordinate.whole is not None:
        return run_middle(coordinate.whole, side)
    return 0.5 * (lower + upper)


def _cut_side(coordinate: Coordinate, side: tuple[float, float], parts: int) -> list[tuple[float, float]]:
    lower, upper = side
    if coordinate.positions:
        parts = min(parts, int(upper - lower))
        edges = [lower + round(k * (upper - lower) / parts) for k in range(parts + 1)]
    elif coordinate.whole is not None:
        edges = run_cuts(coordinate.whole, side, parts)
    else:
        edges = [lower + k * (upper - lower) / parts for k in range(parts)] + [upper]
    return list(itertools.pairwise(edges))
