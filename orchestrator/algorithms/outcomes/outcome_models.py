"""Gaussian processes of outcomes, in groups that share a kernel.

Notation: n results, m outcomes, q of a group, E embedded columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from orchestrator.acquisition.outcome_draws import OutcomeGroup
from orchestrator.algorithms.ask_and_tell.rarer_fits import RarerFits
from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.numerics.moments import moments
from orchestrator.surrogates.covariances.kernel_families import MATERN_52, RBF, KernelFamily
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.shared_kernel import log_evidence_together, shared_log_evidence
from orchestrator.surrogates.evidence.thinning import evenly
from orchestrator.surrogates.fits.shared_kernel import SharedKernelPosterior, fit_shared
from orchestrator.surrogates.hyperparameters.beliefs import LogNormal, Prior
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.posteriors.shared_kernel import SharedKernelGP

FAMILIES: tuple[KernelFamily, ...] = (MATERN_52, RBF)
"""Of which each group has the likelier: outcomes of simulators are often smoother than an objective is."""
LARGEST_FITTED = 200
NO_NOISE = 1e-9
"""Of outcomes that are known to have none, standardised: what rounding leaves."""
NOISE = LogNormal(1e-4, 3.0)
FITS = RarerFits(each=32, doubling=16)
"""After how many results all are fitted anew."""


@dataclass(frozen=True, eq=False, slots=True)
class GroupFit:
    """What was found of a group of outcomes: the kernel's shape and its hyperparameters, of values less (q,)
    ``shift`` and over (q,) ``scale``.
    """

    columns: slice
    family: KernelFamily
    hyperparameters: Hyperparameters
    shift: FloatArray
    scale: FloatArray


@dataclass(frozen=True, eq=False, slots=True)
class OutcomesKnown:
    """(n, m) outcomes ``Y`` at (n, E) inputs ``X``; of those of a result that are not known there is NaN.
    ``aspects`` (E,) says which columns share a length-scale.
    """

    X: FloatArray
    Y: FloatArray
    aspects: IndexArray
    is_noisy: bool


def fitted(
    outcomes: OutcomesKnown, groups: Sequence[slice], rng: np.random.Generator
) -> tuple[GroupFit, ...]:
    """The likeliest for outcomes, each standardised, with a kernel for each of ``groups``, of which at least
    one result is known.
    """
    found = []
    for columns in groups:
        learned = _Learned.of(outcomes, columns)
        likeliest = max(
            (
                (family, *fit_shared(family, learned.data, learned.Z, learned.prior, rng, learned.noise))
                for family in FAMILIES
            ),
            key=lambda one: one[2],
        )
        found.append(GroupFit(columns, likeliest[0], likeliest[1], learned.shift, learned.scale))
    return tuple(found)


def fits_drawn(
    fits: Sequence[GroupFit], outcomes: OutcomesKnown, count: int, rng: np.random.Generator
) -> list[tuple[GroupFit, ...]]:
    """``count`` times all of the likeliest ``fits``, each time with other hyperparameters, drawn from what
    is believed of them by outcomes: few results leave much of them open.
    """
    each = []
    for fit in fits:
        learned = _Learned.of(outcomes, fit.columns)
        posterior = SharedKernelPosterior(fit.family, learned.data, learned.Z, learned.prior, learned.noise)
        each.append(
            [replace(fit, hyperparameters=own) for own in posterior.drawn(fit.hyperparameters, count, rng)]
        )
    return list(zip(*each, strict=True))


def log_evidence(fits: Sequence[GroupFit], outcomes: OutcomesKnown) -> float:
    """Of outcomes by fits to them, with the density of their hyperparameters; of each group as if its
    outputs varied together, by a covariance that nobody knows. By it models of other groups are compared.
    """
    total = 0.0
    for fit in fits:
        learned, own = _Learned.of(outcomes, fit.columns), fit.hyperparameters
        posterior = SharedKernelPosterior(fit.family, learned.data, learned.Z, learned.prior, learned.noise)
        value = shared_log_evidence if learned.Z.shape[1] == 1 else log_evidence_together
        kernel = own.kernel(fit.family, outcomes.aspects)
        total += value(kernel, learned.data, learned.Z, own.noise_variance)
        total += posterior.log_prior(posterior.theta(own))
    return total


def conditioned(
    fits: Sequence[GroupFit], X: FloatArray, Y: FloatArray, aspects: IndexArray
) -> tuple[OutcomeGroup, ...]:
    """By all n results, as `fitted` takes them."""
    groups = []
    for one in fits:
        kernel = one.hyperparameters.kernel(one.family, aspects)
        known = _known(Y[:, one.columns])
        Z = (Y[known][:, one.columns] - one.shift) / one.scale
        model = SharedKernelGP(kernel, one.hyperparameters.noise_variance, X[known], Z)
        groups.append(OutcomeGroup(one.columns.start, model, one.shift, one.scale))
    return tuple(groups)


@dataclass(frozen=True, eq=False, slots=True)
class _Learned:
    """What the kernel of a group is fitted to: (k, q) ``Z`` at the inputs of ``data``, outcomes less (q,)
    ``shift`` and over (q,) ``scale``; ``noise``: None infers its variance.
    """

    data: Data
    Z: FloatArray
    prior: Prior
    noise: float | None
    shift: FloatArray
    scale: FloatArray

    @classmethod
    def of(cls, outcomes: OutcomesKnown, columns: slice) -> _Learned:
        Y = outcomes.Y
        known = np.flatnonzero(_known(Y[:, columns]))
        rows = known[evenly(len(known), LARGEST_FITTED)]
        data = Data(outcomes.X[rows], np.zeros(len(rows)), outcomes.aspects)
        prior = Prior(Prior.for_dimension(data.dimension).length_scale, noise_variance=NOISE)
        shift, scale = _scales(Y[rows][:, columns])
        Z = (Y[rows][:, columns] - shift) / scale
        return cls(data, Z, prior, None if outcomes.is_noisy else NO_NOISE, shift, scale)


def _known(Y: FloatArray) -> BoolArray:
    return np.asarray(~np.isnan(Y).any(axis=1))


def _scales(Y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(q,) means and deviations; of what is constant its size, or 1."""
    shift, scale = moments(Y)
    size = np.abs(Y).max(axis=0)
    scale = np.where(scale > 1e-12 * size, scale, np.where(size > 0.0, size, 1.0))
    return shift, scale


def conditioned_alone(fit: GroupFit, X: FloatArray, y: FloatArray, aspects: IndexArray) -> ExactGP:
    """A process of one function by (n,) values at (n, E) inputs, n >= 1, less the fit's shift and over its
    scale.
    """
    own = fit.hyperparameters
    model = ExactGP(own.kernel(fit.family, aspects), own.noise_variance)
    model.append(X, (y - fit.shift[0]) / fit.scale[0])
    return model
