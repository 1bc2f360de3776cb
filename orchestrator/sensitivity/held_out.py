"""How much farther bounds have to reach, by results that models have not seen.

Each fifth of the results is held against models of the other four, which were fitted and weighed without it:
of few results as if there were no others, of more among the hypotheses that are the likeliest by all of them.
Results left out one by one of a model that has seen all of them say less: its hyperparameters and hypotheses
were chosen with them.

Sources: residuals as parts of what was predicted of them, Lei et al. 2018, Section 5.2; of folds, Barber et
al. 2021; weighted, Tibshirani et al. 2019. Deviations: the factor is one for all points, with weights that do
not depend on where is asked, so that how often bounds hold is measured, and not guaranteed. Of many results
some are drawn, and what models of those miss stands for what models of all do. Of so many that enough are
left which a model is not of, it is held against those itself.

Notation: n results, q the share of the results that are to lie within.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.sensitivity.believed_values import BelievedValues
from orchestrator.sensitivity.beside_fifths import beside_fifths
from orchestrator.sensitivity.measured import MOST_RESULTS, Measured
from orchestrator.sensitivity.results_model import ResultsModel

LOW, HIGH = 0.05, 0.95
"""Between these shares of what is believed lies the interval that is told."""
FOLDS = 5
MOST_HELD = 120
"""Results, of which each fifth is held against the others."""
MANY = MOST_RESULTS + MOST_HELD
"""Results, of which enough are in no model: these are held against it, and nothing is fitted besides."""
MOST = 100.0
"""Bounds that reach so much farther say nothing any more."""
ROUNDING = 1e-12
"""Of shares that add up to 1."""
_LEAST_WIDTH, _LARGEST_WIDTH = float(np.finfo(float).tiny), float(np.finfo(float).max) * 1e-9


@dataclass(frozen=True, eq=False, slots=True)
class Fifths:
    """``models`` of all results but each fifth of them; and the ``stretch`` with which these keep within what
    was left out: from 1, where they are as unsure as they err, or more so, to `MOST`.
    """

    stretch: float = 1.0
    models: tuple[ResultsModel, ...] = ()


def checked(
    problem: Problem,
    measured: Measured,
    fitted: Callable[[Problem, Measured], ResultsModel] = ResultsModel.fitted,
) -> ResultsModel:
    """``fitted`` so to all results, one at least, with the stretch that those it has not seen ask for; of few
    results, with what models of four fifths of them believe beside it (`beside_fifths`). Takes as long as six
    fits of few results; hardly longer than one of many, as the five to four fifths of them fit the likeliest
    hypotheses alone, to `MOST_HELD` at most.
    """
    model = fitted(problem, measured)
    if len(measured) >= MANY:
        return replace(model, stretch=stretch_by_others(model, problem, measured))
    results = measured.modelled(problem)
    fifths = fifths_of(problem, results, model)
    return replace(beside_fifths(model, fifths.models, problem, results), stretch=fifths.stretch)


def stretch_by_others(model: ResultsModel, problem: Problem, measured: Measured) -> float:
    """The stretch of `fifths_of`, by results that a model was not fitted to, as it is of a part of them."""
    others = measured.unseen(problem, MOST_HELD)
    if not len(others):
        return 1.0
    held_against = _held_against(model.believed_of(problem, others), others.values)
    return float(np.clip(asked_for(*held_against), 1.0, MOST))


def fifths_of(problem: Problem, results: Measured, before: ResultsModel | None = None) -> Fifths:
    """``before`` is a model of all results, if there is one: unless these are few, hypotheses are the
    likeliest by all, and parameters count on the scales that they do by all. What other experiments found is
    known whatever is left out of this one.
    """
    results = results.at_most(MOST_HELD, stream(problem.seed, "results to hold out", len(results)))
    count = len(results)
    if count < 2:
        return Fifths()
    order = stream(problem.seed, "results held out", count).permutation(count)
    missed, widths, models = np.empty(count), np.empty(count), []
    for fold in range(min(FOLDS, count)):
        rows = np.sort(order[fold::FOLDS])
        rest = np.setdiff1d(order, rows)
        others = results.at(rows)
        models.append(ResultsModel.fitted(problem, results.at(rest), before))
        believed = models[-1].believed_of(problem, others)
        missed[rows], widths[rows] = _held_against(believed, others.values)
    return Fifths(float(np.clip(asked_for(missed, widths), 1.0, MOST)), tuple(models))


def _held_against(believed: BelievedValues, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(n,) how far each value is from its median, as a multiple of how far the bound on that side is; and
    (n,) how far the bounds are from each other.
    """
    low, middle, high = (believed.quantile(share) for share in (LOW, 0.5, HIGH))
    reach = np.where(values > middle, high - middle, middle - low)
    # What is beyond a float is missed by the most as well.
    with np.errstate(over="ignore"):
        missed = np.abs(values - middle) / np.clip(reach, _LEAST_WIDTH, _LARGEST_WIDTH)
    return np.minimum(missed, MOST), np.clip(high - low, 0.0, _LARGEST_WIDTH)


def asked_for(missed: FloatArray, widths: FloatArray) -> float:
    """The q-quantile of (n,) factors by which bounds ``missed``, each counted as its bounds are wide: results
    that crowd, where a search has come down to, say little of places that are less known. For q stands
    q (n + 1) / n, one more being to come, and where that is more than 1 the largest is told.
    """
    count, total = len(missed), float(widths.sum())
    weights = widths / total if total > 0.0 else np.full(count, 1.0 / count)
    order = np.argsort(missed, kind="stable")
    share = (HIGH - LOW) * (count + 1.0) / count
    # Sums of parts that are alike may fall short of their share by rounding alone.
    at = np.searchsorted(np.cumsum(weights[order]), share - ROUNDING)
    return float(missed[order][min(int(at), count - 1)])
