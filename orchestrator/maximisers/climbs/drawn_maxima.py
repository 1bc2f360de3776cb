"""The maximum of each of many functions drawn together, all climbed at once.

Each starts from where it is highest among points from everywhere and from about the best ones known; then
discrete coordinates move to better neighbours, in turn with ascent in the continuous ones.

Notation: S functions, D coordinates, E embedded columns, p points.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.maximisers.climbs.ascent import ascend
from orchestrator.surrogates.covariances.additive import AdditiveKernel
from orchestrator.surrogates.draws.drawn_functions import DrawnFunctions
from orchestrator.surrogates.draws.pathwise_functions import PathwiseFunctions
from orchestrator.surrogates.draws.weighed_functions import WeighedFunctions
from orchestrator.unit_cube.domain import Domain

# Of each function: starts from each group of points, steps of a climb, and moves to better neighbours.
STARTS_OF_EACH_KIND, ITERATIONS, MOVES = 2, 40, 8
# Rows whose values are in memory together.
AT_A_TIME = 2048
# Where ties bind, steps up the gradient are moved in, and their length is found by trying.
ROUNDS_INSIDE, FIRST_LENGTH = 15, 0.1


def maxima(functions: DrawnFunctions, domain: Domain, groups: Sequence[FloatArray]) -> FloatArray:
    """(S,) the highest value found of each function, starting from the best of each group of feasible points.

    ``groups``: (p, D) each, the last about the best points known. At most 40 steps, at a gradient each, from
    two starts a group; of a sum over factors that share no parameter, from what is best for each factor. Of a
    list of rows all are looked at.
    """
    if domain.rows is not None and domain.listed is not None:
        blocks = [domain.listed[i : i + AT_A_TIME] for i in range(0, len(domain.listed), AT_A_TIME)]
        highest = [functions.values(domain.embed(block)).max(axis=1) for block in blocks]
        return np.asarray(np.max(highest, axis=0))
    starts: list[FloatArray] = []
    plain = functions.functions if isinstance(functions, WeighedFunctions) else functions
    if (joined := _joined(plain, domain, np.vstack(groups))) is not None:
        starts.append(joined[:, None])
        # Where evaluations fail, what is best of each factor may be out of reach.
        groups = groups[-1:] if plain is functions else groups
    for group in groups:
        screened = functions.values(domain.embed(group))
        count = len(screened)
        chosen = np.argsort(-screened, axis=1, kind="stable")[:, :STARTS_OF_EACH_KIND]
        starts.append(group[chosen])
    X = np.concatenate(starts, axis=1).reshape(-1, domain.dimension)
    which = np.repeat(np.arange(count), len(X) // count)
    objective = _Separately(functions, count, domain)
    moving = np.append(~domain.is_discrete, False)
    labelled, values = ascend(
        objective, objective.labelled(X, which), moving, ITERATIONS, comes_round=_round(domain)
    )
    if domain.ties is not None:
        labelled, values = _inside(objective, domain, labelled)
    best = values.reshape(count, -1).argmax(axis=1) + np.arange(count) * (len(X) // count)
    labelled, values = labelled[best], np.asarray(values[best])
    if domain.is_discrete.any() or domain.faces is not None:
        values = _moved(objective, domain, labelled, values)
    return values


class _Separately:
    """S functions as one of D + 1 coordinates, the last of which says which of them: (which + 1/2) / S.

    So that all are climbed at once, by an ascent in which that coordinate does not move.
    """

    def __init__(self, functions: DrawnFunctions, count: int, domain: Domain) -> None:
        self._functions = functions
        self._count = count
        self._domain = domain

    def labelled(self, X: FloatArray, which: IndexArray) -> FloatArray:
        """(p, D) points and (p,) numbers of functions to (p, D + 1)."""
        return np.column_stack([X, (which + 0.5) / self._count])

    def values(self, X: FloatArray) -> FloatArray:
        """(p,) values at (p, D + 1)."""
        return self.values_and_gradients(X)[0]

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(p,) values and (p, D + 1) gradients, 0 along coordinates that are categorical or do not count, and
        along the last.
        """
        which = (X[:, -1] * self._count).astype(np.intp)
        values, slopes = self._functions.values_and_gradients(self._domain.embed(X[:, :-1]), which)
        gradients = np.zeros(X.shape)
        gradients[:, :-1] = self._domain.along_coordinates(slopes, X[:, :-1])
        return values, gradients


def _round(domain: Domain) -> BoolArray:
    """(D + 1,) of points that are labelled."""
    return np.append(domain.is_searched_round, False)


def _inside(objective: _Separately, domain: Domain, labelled: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(p, D + 1) points moved to where ties hold and up the gradient as far as they do, and their values."""
    labelled = np.column_stack([domain.snap(labelled[:, :-1]), labelled[:, -1]])
    values, slopes = objective.values_and_gradients(labelled)
    moving = np.append(~domain.is_discrete, False)
    lengths = np.full(len(values), FIRST_LENGTH)
    for _ in range(ROUNDS_INSIDE):
        steepest = np.maximum(np.abs(slopes * moving).max(axis=1, keepdims=True), 1e-300)
        tried = labelled + lengths[:, None] * (slopes * moving) / steepest
        tried[:, :-1] = domain.snap(tried[:, :-1])
        found, there = objective.values_and_gradients(tried)
        better = found > values
        labelled[better], values[better], slopes[better] = tried[better], found[better], there[better]
        lengths *= np.where(better, 1.5, 0.3)
    return labelled, values


def _joined(functions: DrawnFunctions, domain: Domain, pool: FloatArray) -> FloatArray | None:
    """(S, D) the best of a pool of points for each factor, put together. None where no factors are known, or
    they overlap, or what is put together may not be a point of the domain.

    A sum of functions with several maxima each has too many for starts to find; the factors alone have not.
    """
    if not isinstance(functions, PathwiseFunctions):
        return None
    if not domain.is_product:
        return None
    covariance = functions.posterior.covariance
    if not isinstance(covariance, AdditiveKernel):
        return None
    factors = [np.unique(domain.embedded_parameter[columns]) for columns in covariance.columns]
    if sum(map(len, factors)) > len(np.unique(np.concatenate(factors))):
        return None
    inputs = domain.embed(pool)
    # Nothing depends on coordinates without a factor.
    joined = np.repeat(pool[:1], len(functions.updates), axis=0)
    for j, parameters in enumerate(factors):
        best = functions.factor_values(j, inputs).argmax(axis=1)
        joined[:, parameters] = pool[best][:, parameters]
    return joined


def _moved(objective: _Separately, domain: Domain, labelled: FloatArray, values: FloatArray) -> FloatArray:
    """The values once each of (S, D + 1) points has moved to better neighbours in discrete coordinates, in
    turn with ascent in the continuous ones.
    """
    moving = np.append(~domain.is_discrete, False)
    values = values.copy()
    live = np.arange(len(values))
    for _ in range(MOVES):
        points: list[FloatArray] = []
        for row in live:
            point = domain.folded(labelled[row, :-1])
            others = domain.neighbours(point)
            points.append(np.column_stack([others, np.full(len(others), labelled[row, -1])]))
        owners = np.repeat(live, [len(group) for group in points])
        candidates = np.vstack(points)
        found = objective.values(candidates)
        order = np.lexsort((-found, owners))
        owners, first = np.unique(owners[order], return_index=True)
        best = order[first]
        better = found[best] > values[owners]
        live = owners[better]
        if not len(live):
            break
        labelled[live], values[live] = candidates[best[better]], found[best[better]]
        if domain.ties is not None:
            labelled[live], values[live] = _inside(objective, domain, labelled[live])
            continue
        labelled[live], values[live] = ascend(
            objective, labelled[live], moving, ITERATIONS // 4, comes_round=_round(domain)
        )
    return values
