"""Tree searches written as if evaluations returned at once, and driven as they do return.

A subclass's `_rule` is a generator that reads like its paper's pseudo-code: wherever that evaluates the
function, it yields the nodes whose centres it needs, and goes on once all of them have been told. It goes on
while results are told, so that `ask` only reads: the first of the needed points that does not run yet. Where
all of them run, further points are looked for ahead, cells of the tree in the order of their promise, which
the rule will find evaluated if it gets there.

Notation: D coordinates, p points.
"""

from __future__ import annotations

import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from typing import Any, ClassVar

import numpy as np

from orchestrator.algorithms.ask_and_tell.turns import Turn, Turns
from orchestrator.algorithms.ask_and_tell.without_refits import WithoutRefits
from orchestrator.algorithms.base import AskKey, Insight, Observation, Options, Problem, Suggestion
from orchestrator.algorithms.exclusion import at_random, keys
from orchestrator.algorithms.history import History
from orchestrator.algorithms.trees.cells_ahead import CellsAhead
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.trees.tree import Cell, LongestSides, Tree
from orchestrator.numerics.rng import stream

Rule = Generator[Sequence[int], None, None]

FAILED = -sys.float_info.max
"""What a failed evaluation counts as: less than any value, and yet one, so that the cell may be cut."""


class TreeSearch(WithoutRefits, ABC):
    """The driver. ``partition`` says how cells are cut.

    Sides of equal length are cut in an order of the coordinates drawn from the seed. Subclasses end their
    constructor with `_advance`, which starts the rule.
    """

    name: ClassVar[str]
    Options: ClassVar[type[Options]]

    def __init__(self, problem: Problem, partition: LongestSides) -> None:
        domain = problem.domain
        self._problem = problem
        self._partition = partition
        self._order = stream(problem.seed, f"{self.name} coordinates").permutation(domain.dimension)
        self._tree = Tree(domain.alone(self._order))
        self._history = History(domain)
        self._turns = Turns(problem, self._history, self.name)
        self._told: dict[bytes, float | None] = {}
        self._best = -math.inf
        self._worst = math.inf
        self._program = self._rule()
        self._needed: Sequence[int] = ()
        self._finished = False

    @abstractmethod
    def _rule(self) -> Rule:
        """The search. Yields numbers of nodes, as `_evaluate` does; then `_value` knows theirs."""

    def _promise(self, cells: Sequence[Cell], above: float) -> FloatArray:
        """(p,) how much is hoped for in cells that are not evaluated; ``above`` is their parent's.

        The more points run, the less, or as much.
        """
        return np.full(len(cells), above)

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        """See `Algorithm`."""
        ahead = CellsAhead(self._tree, self._partition, self._promises, self._promise)
        return self._turns.chosen(n, pending, key, lambda turn: self._choose(turn, ahead))

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`."""
        for observation in observations:
            self._remember(observation)
            self._advance()

    def insight(self) -> Insight:
        """See `Algorithm`."""
        nodes = len(self._tree.nodes)
        return Insight(notes=[f"no model: a tree of {nodes} cells, {self._tree.depth} levels deep"])

    def _remember(self, observation: Observation) -> None:
        """The first value told of a point is the one that counts."""
        self._history.tell(observation)
        self._told.setdefault(keys(self._history.points[-1:])[0], observation.value)
        if observation.value is not None:
            self._worst = min(self._worst, observation.value)
            if not observation.foreseen:
                self._best = max(self._best, observation.value)

    def _advance(self) -> None:
        """Let the rule go on as far as what was told allows."""
        while not self._finished and all(self._is_told(node) for node in self._needed):
            try:
                self._needed = next(self._program)
            except StopIteration:
                self._needed, self._finished = (), True

    def _evaluate(self, nodes: Sequence[int]) -> Rule:
        """Wait for the values of nodes, as a rule does, and note them in the tree."""
        yield nodes
        for node in nodes:
            self._tree.nodes[node].value = self._value(node)

    def _is_told(self, node: int) -> bool:
        return self._key(node) in self._told

    def _value(self, node: int) -> float:
        """The value told of a node's centre; `FAILED` where its evaluation failed."""
        value = self._told[self._key(node)]
        return FAILED if value is None else value

    def _key(self, node: int) -> bytes:
        """That of its centre, by which what was told of it is found."""
        (key,) = keys(self._point(self._tree.nodes[node].cell)[None, :])
        return key

    def _point(self, cell: Cell) -> FloatArray:
        """(D,) a cell's centre, its coordinates in the problem's order."""
        point = np.empty(len(self._order))
        point[self._order] = cell.centre(self._tree.domain)
        return self._problem.domain.snap(point)

    def _points(self, cells: Sequence[Cell]) -> FloatArray:
        """(p, D) their centres."""
        return np.array([self._point(cell) for cell in cells]).reshape(len(cells), len(self._order))

    def _centres(self, nodes: Sequence[int]) -> FloatArray:
        """(p, D) those of nodes, as `_points` gives them of cells."""
        points = np.empty((len(nodes), len(self._order)))
        points[:, self._order] = self._tree.centres(nodes)
        return self._problem.domain.snap(points)

    def _choose(self, turn: Turn, ahead: CellsAhead) -> Suggestion:
        """What the rule waits for, or what lies ahead of it."""
        for node in self._needed:
            cell = self._tree.nodes[node].cell
            point = self._point(cell)
            if not self._is_told(node) and turn.exclusion.allows(point[None, :])[0]:
                return self._explained(point, {"depth": self._tree.nodes[node].depth})
        for cell, depth in ahead.in_order():
            point = self._point(cell)
            if turn.exclusion.allows(point[None, :])[0]:
                return self._explained(point, {"depth": depth, "ahead": True})
        return at_random(self._problem.domain, turn.exclusion, turn.rng)

    def _explained(self, point: FloatArray, why: dict[str, Any]) -> Suggestion:
        return Suggestion(point, why={"source": "tree", **why})

    def _promises(self, leaves: Sequence[int]) -> list[float]:
        """Those of leaves: what they were found to be worth, or what is hoped for below their parents."""
        nodes = self._tree.nodes
        promises = []
        for i in leaves:
            node = nodes[i]
            above = nodes[node.parent].value if node.parent is not None else None
            if node.value is not None:
                promises.append(node.value)
            else:
                promises.append(float(self._promise([node.cell], above or 0.0)[0]))
        return promises
