"""Max-sum over a factor graph, on positions that are refined around the best point found.

Source: Hoang, Hoang, Ouyang & Low 2018, section 3.3: Eqs. 3-4 and "an iterative process of domain
discretization with increasing granularity".

Notation: D parameters, g positions of a parameter, V_i, F_j as in `factor_graph`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.maximisers.maximum import Maximum, Report
from orchestrator.maximisers.message_passing.exchange import Exchange, NodeError
from orchestrator.maximisers.message_passing.exchange_objective import ExchangeObjective
from orchestrator.maximisers.message_passing.nodes import Message, factor_name, variable_name
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

FEWEST = 3
"""Positions of a coordinate at any level: a middle one, and one on either side."""
_SWEEPS = 3
"""How often each coordinate may change at most, on average, once messages have led to a point."""


@dataclass(frozen=True, slots=True)
class MaxSum:
    """Max-sum with settings.

    The first level spreads up to ``finest`` positions over each coordinate, beside the best incumbent's: as
    many as leave each factor's table at ``table`` entries, but `FEWEST` at least. Each of the ``levels``
    after it puts ``refined`` positions within one step of the best point known, and the step shrinks. A
    discrete coordinate has its own positions, a categorical one all of them on every level. Where those, or
    the fewest of many coordinates, exceed ``table``, so does a factor's table: `table_entries` says so
    beforehand.

    On graphs with loops, where messages need not settle, they are damped by ``damping`` and stop after
    ``passes`` rounds, and the answer of each level climbs one coordinate at a time.

    With a ``reach``, one for each coordinate, the first level spreads its positions no farther than that
    about the best incumbent, and nothing else competes.

    Deviations: the paper discretises the whole domain ever finer as evaluations come in; here each
    maximisation refines around its own best point, which reaches any precision at a bounded cost. The answer
    is read off factor by factor instead of by Eq. 4 for each component, which may mix ties. Damping is ours.
    """

    name: ClassVar[str] = "max-sum"
    table: int = 4096
    finest: int = 33
    refined: int = 5
    levels: int = 6
    damping: float = 0.5
    passes: int = 60
    reach: tuple[float, ...] | None = None

    def maximise(
        self,
        exchange: Exchange,
        domain: Domain,
        rng: np.random.Generator,
        incumbents: FloatArray | None = None,
    ) -> Maximum:
        """The best point found, over all factors of the exchange.

        ``incumbents`` (k, D) feasible points compete and, as the best of them, lend the first level a
        position in each coordinate. ``rng`` draws another one, and shifts the first level's positions.
        """
        graph = exchange.graph
        best = domain.sample(1, rng)
        if incumbents is not None and len(incumbents):
            best = incumbents if self.reach is not None else np.vstack([incumbents, best])
        objective = ExchangeObjective(exchange)
        values = objective.values(best)
        point, value = best[int(np.argmax(values))], float(values.max())
        rounds = 0
        counts = _first_counts(graph, domain, self.table, self.finest)
        steps = 1.0 / np.maximum(counts - 1, 1)
        if self.reach is not None:
            steps *= 2.0 * np.array(self.reach)
        shifts = rng.random(domain.dimension)
        for level in range(self.levels + 1):
            if level == 0:
                positions = self._first_positions(domain, counts, shifts, point)
            else:
                positions = [
                    _around(c, self.refined, step, at)
                    for c, step, at in zip(domain.coordinates, steps, point, strict=True)
                ]
                # Between three positions lie whole steps, which would stay as long as they are.
                steps = steps * min(2.0 / (self.refined - 1), 0.5)
            candidate, taken = self._solve(exchange, positions, point)
            rounds += taken
            value_there = float(objective.values(candidate[None, :])[0])
            if value_there > value:
                point, value = candidate, value_there
            if not graph.is_tree:
                point, value = _climb_coordinates(objective, positions, point, value)
        return Maximum(point, value, Report(rounds))

    def _first_positions(
        self, domain: Domain, counts: IndexArray, shifts: FloatArray, point: FloatArray
    ) -> list[FloatArray]:
        """D arrays of about (D,) ``counts`` positions, over each coordinate or within ``reach`` of the best
        incumbent; (D,) ``shifts`` in [0, 1] say where between the ends they lie.
        """
        if self.reach is None:
            spread = zip(domain.coordinates, counts, shifts, point, strict=True)
            return [_spread(c, int(n), shift, at) for c, n, shift, at in spread]
        # An odd number, of which the incumbent's is the middle one.
        around = zip(domain.coordinates, counts, self.reach, point, strict=True)
        return [_around(c, int(n) - 1 + int(n) % 2, reach, at) for c, n, reach, at in around]

    def _solve(
        self, exchange: Exchange, positions: list[FloatArray], point: FloatArray
    ) -> tuple[FloatArray, int]:
        """The (D,) positions that the nodes decide for, and after how many rounds of messages."""
        graph = exchange.graph
        inputs: dict[str, Message] = {}
        for i, factor in enumerate(graph.factors):
            inputs[factor_name(i)] = {f"positions:{p}": positions[j] for p, j in enumerate(factor)}
        for j, own in enumerate(positions):
            inputs[variable_name(j)] = {"positions": own}
        tree = graph.is_tree
        longest_path = 2 * (graph.size + graph.dimension) + 2
        settings = {
            "passes": longest_path if tree else self.passes,
            "decisions": longest_path,
            "damping": 0.0 if tree else self.damping,
            "tolerance": 1e-12 if tree else 1e-4,
        }
        outcome = exchange.run("max-sum", settings, inputs)
        answer = point.copy()
        for j, own in enumerate(positions):
            at = float(outcome.results[variable_name(j)]["decided"])
            if at not in range(len(own)):
                raise NodeError(
                    f"expected {variable_name(j)} to decide for one of {len(own)} positions, counted from 0, "
                    f"got {at:g}"
                )
            answer[j] = own[int(at)]
        return answer, outcome.rounds


def table_entries(coordinates: Sequence[Coordinate], positions: int = FEWEST) -> int:
    """Entries of the table of a factor of these coordinates, with so many positions of each at a level.

    Of an ordinal coordinate, or of whole numbers, there may be two more, the neighbours, and of a categorical
    one there are all.
    """
    return math.prod(_most_positions(c, positions) for c in coordinates)


def _most_positions(coordinate: Coordinate, positions: int) -> int:
    if coordinate.whole is not None:
        return positions + 2
    if coordinate.kind == "continuous":
        return positions
    own = len(coordinate.positions)
    return own if coordinate.kind == "categorical" else min(own, positions + 2)


def _first_counts(graph: FactorGraph, domain: Domain, table: int, finest: int) -> IndexArray:
    """(D,) positions a coordinate: discrete ones have all of theirs where the tables allow it."""
    shares = [_share([domain.coordinates[j] for j in factor], table) for factor in graph.factors]
    counts = np.empty(domain.dimension, dtype=np.intp)
    for j, (coordinate, near) in enumerate(zip(domain.coordinates, graph.factors_of, strict=True)):
        share = min(shares[i] for i in near)
        fits = max(FEWEST, min(finest, int(share + 1e-9)))
        if coordinate.kind == "categorical":
            fits = len(coordinate.positions)
        counts[j] = min(fits, len(coordinate.positions)) if coordinate.positions else fits
    return counts


def _share(coordinates: Sequence[Coordinate], table: int) -> float:
    """How many positions of each of a factor's coordinates fit its table, beside all categories."""
    categories = [len(c.positions) for c in coordinates if c.kind == "categorical"]
    others = max(1, len(coordinates) - len(categories))
    return min(math.pow(table, 1.0 / len(coordinates)), math.pow(table / math.prod(categories), 1.0 / others))


def _spread(coordinate: Coordinate, count: int, shift: float, at: float) -> FloatArray:
    """Positions over the whole coordinate, the ends and the incumbent's among them."""
    if coordinate.positions:
        own = np.array(coordinate.positions)
        chosen = np.unique(np.linspace(0, len(own) - 1, count).round().astype(int))
        return np.union1d(own[chosen], [at]) if len(own) > count else own
    inside = (np.arange(count - 2) + 0.25 + 0.5 * shift) / (count - 2)
    spread = np.concatenate([[0.0, 1.0, at], inside])
    return np.unique(spread if coordinate.whole is None else coordinate.whole.snap(spread))


def _around(coordinate: Coordinate, count: int, step: float, at: float) -> FloatArray:
    """Positions within ``step`` of the incumbent's, which is one of them, as are its neighbours if any."""
    offsets = np.linspace(-step, step, count)
    offsets[count // 2] = 0.0
    if coordinate.whole is not None:
        return np.union1d(coordinate.whole.snap(np.clip(at + offsets, 0.0, 1.0)), coordinate.whole.beside(at))
    if not coordinate.positions:
        return np.unique(np.clip(at + offsets, 0.0, 1.0))
    own = np.array(coordinate.positions)
    here = int(np.abs(own - at).argmin())
    if coordinate.kind == "categorical":
        return own
    nearest = np.abs(own[:, None] - (at + offsets)).argmin(axis=0)
    close = np.clip([here - 1, here, here + 1], 0, len(own) - 1)
    chosen: FloatArray = own[np.union1d(nearest, close)]
    return chosen


def _climb_coordinates(
    objective: ExchangeObjective, positions: list[FloatArray], point: FloatArray, value: float
) -> tuple[FloatArray, float]:
    """The best single change of a coordinate, again and again, to one of its positions."""
    graph = objective.graph
    owners = np.repeat(np.arange(len(positions)), [len(own) for own in positions])
    places = np.concatenate(positions)
    plain, shared = np.empty((graph.size, len(places))), np.empty((graph.size, len(places)))
    # A factor is told the changes that it sees, and told again once the point has changed in what it sees.
    seen = [np.flatnonzero(np.isin(owners, v)) for v in graph.indices]
    due: Sequence[int] = range(graph.size)
    for _ in range(_SWEEPS * len(positions)):
        asked: dict[int, FloatArray] = {}
        for i in due:
            v, own = graph.indices[i], seen[i]
            asked[i] = _changed(point[v], owners[own, None] == v, places[own])
        for i, parts in objective.parts(asked).items():
            plain[i], shared[i] = parts.plain[-1], parts.shared[-1]
            plain[i, seen[i]], shared[i, seen[i]] = parts.plain[:-1], parts.shared[:-1]
        values = objective.combined(plain, shared)
        best = int(np.argmax(values))
        if values[best] <= value + 1e-12 * (1.0 + abs(value)):
            break
        point, value = point.copy(), float(values[best])
        point[owners[best]] = places[best]
        due = graph.factors_of[owners[best]]
    return point, value


def _changed(own: FloatArray, where: BoolArray, places: FloatArray) -> FloatArray:
    """(m + 1, d) a factor's (d,) coordinates with each of (m,) places ``where`` (m, d) is true, once in each
    row; and last as they are.
    """
    changed = np.tile(own, (len(places) + 1, 1))
    changed[:-1][where] = places
    return changed
