"""What models of outcomes learn: numbers as they are, curves by their components, and neither where a
simulation diverged. Of those whose errors hang together they learn what each says beside the others, so that
what was measured best, as how two differ, is what they know.

Notation: n results, M outcomes as told, m numbers that are modelled, E embedded columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from orchestrator.acquisition.curve_components import CurveComponents
from orchestrator.acquisition.known_function import KnownFunction
from orchestrator.acquisition.whitening import Whitening
from orchestrator.algorithms.composite.diverged import Usual
from orchestrator.arrays import FloatArray, IndexArray

MOST_APART = 8
"""More outcomes than these share a kernel."""
FOREMOST = 6
"""So many components of a curve each have their own, and the others share one."""


@dataclass(frozen=True, eq=False)
class ModelledOutcomes:
    """The ``function`` of m numbers, of which each of ``groups`` shares a kernel, with ``names`` for people.
    ``usual``: what else outcomes come to counts as diverged. ``components`` of each curve follow one another
    behind the outcomes that are numbers. ``whitening``: of outcomes whose errors hang together.
    """

    function: KnownFunction
    groups: tuple[slice, ...]
    names: tuple[str, ...]
    usual: Usual
    components: tuple[CurveComponents, ...]
    _told: KnownFunction
    _scalars: IndexArray
    _rests: bool = False
    whitening: Whitening | None = None

    @classmethod
    def of(cls, function: KnownFunction, X: FloatArray, Y: FloatArray, best: IndexArray) -> ModelledOutcomes:
        """By (n, M) outcomes ``Y`` seen at (n, E) inputs, n >= 1; the ``best`` rows are as they should be.
        What components of curves leave out counts as if no curve had any of it.
        """
        usual, whitening, told = Usual.of(function, X, Y, best), function.whitening, function.whitened
        seen = _whitened(whitening, usual.among(Y))
        components = tuple(CurveComponents.of(one, _known(seen[:, one.columns])) for one in told.curves)
        is_scalar = np.ones(Y.shape[1], dtype=bool)
        for one in told.curves:
            is_scalar[one.columns] = False
        scalars = np.flatnonzero(is_scalar)
        groups, names = _groups_of_scalars(scalars)
        for number, parts in enumerate(components, 1):
            first = groups[-1].stop if groups else 0
            count = len(parts.directions)
            ends = [*range(min(count, FOREMOST) + 1), *([count] if count > FOREMOST else [])]
            groups += [slice(first + start, first + end) for start, end in pairwise(ends)]
            names += [f"curve {number}, {_counted('component', slice(*part))}" for part in pairwise(ends)]
        own = told.of_components(components) if components else told
        return cls(own, tuple(groups), tuple(names), usual, components, told, scalars, whitening=whitening)

    @property
    def with_rests(self) -> ModelledOutcomes:
        """The same, where what components leave out of each curve adds to the function is one more number."""
        first = self.groups[-1].stop
        rests = range(len(self.components))
        return replace(
            self,
            function=self._told.of_components_and_rests(self.components) if self.components else self._told,
            groups=(*self.groups, *(slice(first + j, first + j + 1) for j in rests)),
            names=(*self.names, *(f"curve {j + 1}, the rest" for j in rests)),
            _rests=True,
        )

    @property
    def with_scalars_together(self) -> ModelledOutcomes:
        """The same, where all outcomes that are numbers share a kernel; itself where there are not two."""
        count, apart = self.scalar_count, sum(one.stop <= self.scalar_count for one in self.groups)
        if apart < 2:
            return self
        groups = (slice(0, count), *self.groups[apart:])
        return replace(self, groups=groups, names=(_counted("outcome", groups[0]), *self.names[apart:]))

    @property
    def scalar_count(self) -> int:
        """How many of the m numbers are outcomes as told: the first."""
        return len(self._scalars)

    def seen(self, Y: FloatArray) -> FloatArray:
        """(n, M) of (n, M) outcomes, of which components of curves are; NaN of those that diverged."""
        return _whitened(self.whitening, self.usual.among(Y))

    def scalars(self, numbers: FloatArray) -> FloatArray:
        """(..., scalars) outcomes that are numbers, as told, of (..., m) that are modelled."""
        own = numbers[..., : self.scalar_count]
        return own if self.whitening is None else self.whitening.among(self._scalars).outcomes(own)

    def curves(self, numbers: FloatArray, rests: Iterable[FloatArray]) -> Iterator[FloatArray]:
        """Of each curve (S, q) points, as told, of (S, m) numbers, and (S, q) ``rests`` that components leave
        out of it.
        """
        if self.whitening is None:
            yield from self._composed(numbers, rests)
            return
        found = np.empty((len(numbers), self._told.outcomes))
        found[:, self._scalars] = numbers[:, : self.scalar_count]
        for components, points in zip(self.components, self._composed(numbers, rests), strict=True):
            found[:, components.curve.columns] = points
        told = self.whitening.outcomes(found)
        yield from (told[:, one.curve.columns] for one in self.components)

    def _composed(self, numbers: FloatArray, rests: Iterable[FloatArray]) -> Iterator[FloatArray]:
        first = self.scalar_count
        for components, rest in zip(self.components, rests, strict=True):
            weights = numbers[:, first : first + len(components.directions)]
            first += len(components.directions)
            yield components.curves(weights) + rest

    def numbers(self, Y: FloatArray) -> FloatArray:
        """(n, m) of (n, M) outcomes; NaN of those that diverged."""
        seen = self.seen(Y)
        if not self.components:
            return seen
        weights = [one.weights(seen[:, one.curve.columns]) for one in self.components]
        rests = [self._told.rests(self.components, seen)] if self._rests else []
        return np.hstack([seen[:, self._scalars], *weights, *rests])

    def values(self, Y: FloatArray, points: FloatArray) -> FloatArray:
        """(n,) of the function of (n, M) outcomes at (n, D) points, as far as models know these apart."""
        return np.asarray(self.function.values(self.numbers(Y)[None], points)[0])


def _whitened(whitening: Whitening | None, seen: FloatArray) -> FloatArray:
    return seen if whitening is None else whitening.whitened(seen)


def _known(rows: FloatArray) -> FloatArray:
    return rows[~np.isnan(rows).any(axis=1)]


def _groups_of_scalars(outcomes: IndexArray) -> tuple[list[slice], list[str]]:
    count = len(outcomes)
    if count > MOST_APART:
        return [slice(0, count)], [_counted("outcome", slice(0, count))]
    groups = [slice(j, j + 1) for j in range(count)]
    return groups, [f"outcome {number + 1}" for number in outcomes]


def _counted(what: str, columns: slice) -> str:
    first, last = columns.start + 1, columns.stop
    return f"{what} {last}" if first == last else f"{what}s {first} to {last}"
