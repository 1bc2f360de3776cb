"""How well a fit determines its parameters: which settings are plausible, given what was measured.

Draws are of the posterior over all that may be set, by models of the outcomes: what these do not know counts
beside the errors of what was measured. How much that is, is told by draws as if outcomes were what models
expect: what those spread less, more evaluations would take away.

Sources: Kennedy & O'Hagan 2001, without a discrepancy of the simulator; Higdon et al. 2008. Deviations:
hyperparameters are of a few draws, and how unsure models are is stretched to what results left out ask
for. Notation: D coordinates, n results, S draws.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.averaged_likelihood import AveragedLikelihood
from orchestrator.acquisition.scaled_errors import ScaledErrorsLikelihood
from orchestrator.algorithms.base import Problem
from orchestrator.arrays import FloatArray
from orchestrator.computed_objective import ComputedObjective, Misfit
from orchestrator.errors import UsageError
from orchestrator.numerics.rng import stream
from orchestrator.sensitivity.chains import Chain, LogDensity, Stream, chain_of
from orchestrator.sensitivity.composed import ComposedModel
from orchestrator.sensitivity.plausible_settings import PlausibleSettings
from orchestrator.sensitivity.success import believed_success
from orchestrator.spelling import listed

DRAWS = 4_000
BEGUN, LIKELY = 1024, 10
"""Points that the walk begins at, evenly, and results with the least misfit about which it begins as well."""
MOST_STEPS, FEWER_STEPS = 2_000, 500
"""Of the walk, and of that as if models were sure, of which only the spread is told."""
NO_FIT = (
    "expected an objective that is fitted to what was measured, as `objective: {fit: target.csv}`, got one"
    " that is not: without targets and their errors nothing says which settings are plausible"
)
TIED = (
    "expected parameters of which each may be set by itself, or candidates alone, got some that are left out"
    " at times, as by `least`, or candidates beside others: no walk leads from the one to the other"
)


@dataclass(frozen=True, eq=False, slots=True)
class Calibration:
    """(S, D) ``points`` drawn, each as likely as the others; (S', D) ``of_means``, as if outcomes were what
    models expect; the ``chain`` that the first are of, None where all that may be set was weighed, one by
    one. ``targets``: how many numbers were measured; ``least_expected``: the least misfit that models expect
    of any of the draws. ``evaluated``: how many evaluations it is by, of which ``failed`` gave nothing, or
    diverged. ``likelihood``: of the targets. ``factors`` (S,) by which all errors are larger than told, where
    these are scaled.
    """

    points: FloatArray
    of_means: FloatArray
    chain: Chain | None
    targets: int
    least_expected: float
    evaluated: int
    failed: int
    likelihood: AveragedLikelihood
    factors: FloatArray | None = None

    @property
    def effective(self) -> float:
        """How many independent draws the chain is worth, as far as that is known."""
        return float(len(self.points)) if self.chain is None else self.chain.effective


def fitted_with_errors(computed: ComputedObjective | None) -> Misfit:
    """What is fitted. Raises UsageError where nothing is, and where errors were not told."""
    if not isinstance(computed, Misfit):
        raise UsageError(NO_FIT)
    if unknown := computed.without_errors:
        raise UsageError(
            f"expected an error with each target, got none of {listed(unknown)}: by how much outcomes may be"
            f" off says which settings are plausible; tell it, as {{value: 3.2, error: 0.1}} or in a column"
            " `error`, or 1 if it is that"
        )
    return computed


def calibrated(
    problem: Problem, model: ComposedModel, failed: FloatArray, draws: int = DRAWS, *, scaled: bool = False
) -> Calibration:
    """By a ``model`` of the outcomes of n results, the (f, D) points of evaluations that ``failed``, and what
    is known beforehand of the parameters of a ``problem``. ``scaled``: all errors may be larger than told, by
    one factor. Takes some seconds. Raises UsageError for a domain that no chain can walk through.
    """
    told = model.composing
    tried = np.vstack([told.points, failed])
    broke = np.append(model.diverged, np.ones(len(failed), dtype=bool))
    success = believed_success(problem, tried, broke)
    targets, averaged = told.function.outcomes, model.averaged_likelihood()
    by_factors = ScaledErrorsLikelihood(averaged, targets) if scaled else None
    plausible = PlausibleSettings(by_factors or averaged, success, problem.beforehand)
    if _is_listed(plausible):
        points, of_means, chain = _weighed_one_by_one(plausible, problem.seed, len(told.told), draws)
    else:
        likely = told.points[np.argsort(told.values, kind="stable")[:LIKELY]]
        points, of_means, chain = _walked(plausible, likely, problem.seed, len(told.told), draws)
    least = -2.0 * float(model.likelihood.log_of_means(of_means).max())
    rng = stream(problem.seed, "posterior, factors of errors", len(told.told))
    factors = None if by_factors is None else by_factors.factors(points, rng)
    told_of = targets, least, len(tried), int(broke.sum())
    return Calibration(points, of_means, chain, *told_of, averaged, factors)


def _is_listed(plausible: PlausibleSettings) -> bool:
    """Whether what may be set has to be gone through. Raises UsageError where it cannot be."""
    domain = plausible.domain
    if domain.rows is None and domain.faces is None:
        return False
    if domain.listed is None:
        raise UsageError(TIED)
    return True


_Drawn = tuple[FloatArray, FloatArray, Chain | None]


def _weighed_one_by_one(plausible: PlausibleSettings, seed: int, results: int, draws: int) -> _Drawn:
    listed_points = plausible.domain.listed
    assert listed_points is not None, "who asks knows that it is listed"
    rng = stream(seed, "posterior, listed", results)
    drawn = []
    for sure in (False, True):
        logs = plausible.log_of_points(listed_points, sure=sure)
        weights = np.exp(logs - logs.max())
        drawn.append(listed_points[rng.choice(len(logs), draws, p=weights / weights.sum())])
    return drawn[0], drawn[1], None


def _walked(plausible: PlausibleSettings, likely: FloatArray, seed: int, results: int, draws: int) -> _Drawn:
    begun = stream(seed, "posterior, begun", results)
    start = plausible.beginning(max(BEGUN, 2 * plausible.domain.dimension), likely, begun)

    def chain(log: LogDensity, purpose: str, most_steps: int) -> Chain:
        return chain_of(log, start, Stream(seed, f"posterior, {purpose}, {results} results"), most_steps)

    spread = plausible.domain.spread
    whole = chain(plausible.log, "chain", MOST_STEPS)
    sure = chain(plausible.log_of_means, "chain of means", FEWER_STEPS)
    return spread(whole.thinned(draws)), spread(sure.thinned(draws)), whole
