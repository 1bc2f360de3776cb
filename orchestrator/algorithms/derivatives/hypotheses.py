"""Hypotheses of a function of which derivatives are told: that they are right, of two kernels, and that they
say nothing, each weighed by how well it foretells values.

Notation: H hypotheses, p points, E embedded columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.numerics.linalg import FactorisationError
from orchestrator.surrogates.covariances.kernel_families import MATERN_52, RBF, KernelFamily
from orchestrator.surrogates.covariances.with_derivatives import OF_A_VALUE, along
from orchestrator.surrogates.evidence.trusted_derivatives import trust_of
from orchestrator.surrogates.evidence.with_derivatives import DerivativeData, values_foretold
from orchestrator.surrogates.fits.trusting_derivatives import fit_trusting_derivatives
from orchestrator.surrogates.fits.with_derivatives import DerivativeHyperparameters
from orchestrator.surrogates.posteriors.moments import PosteriorGradients
from orchestrator.surrogates.posteriors.with_derivatives import DerivativeGP

KINDS: tuple[tuple[KernelFamily, bool], ...] = ((MATERN_52, True), (RBF, True), (MATERN_52, False))
"""Kernels, and whether derivatives are made use of."""
LEAST_WEIGHT = 1e-3
"""What is less likely is left out, as it costs as much as what is not."""
LEAST_TRUSTED = 0.5
"""Of derivatives: what leaves out more is no hypothesis that they are right."""
NO_NOISE = 1e-9
"""Of values that are known to have none, standardised: what rounding leaves."""


@dataclass(frozen=True, eq=False, slots=True)
class Hypothesis:
    """A kernel with its hyperparameters, and what is to be said for it: its ``weight``, of all together 1."""

    family: KernelFamily
    by_derivatives: bool
    hyperparameters: DerivativeHyperparameters
    weight: float = 1.0

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.family.name}, {'with' if self.by_derivatives else 'without'} derivatives"

    def trusted(self, data: DerivativeData) -> DerivativeData:
        """Without derivatives that the rest contradicts, or any that there are."""
        if not self.by_derivatives:
            return data.values
        own = self.hyperparameters
        kernel = own.kernel(self.family, data.aspects)
        return data.of(trust_of(kernel, data, own.noise_variance, own.ratio).kept)

    def conditioned(self, trusted: DerivativeData) -> DerivativeGP:
        """By all of the data that it trusts."""
        own = self.hyperparameters
        kernel = own.kernel(self.family, trusted.aspects)
        process = DerivativeGP(kernel)
        noise = trusted.noise_variances(kernel, own.noise_variance, own.ratio)
        process.append(trusted.rows, trusted.y, noise)
        return process


def hypotheses(data: DerivativeData, is_noisy: bool) -> tuple[Hypothesis, ...]:
    """Those that are likely, by data with a value at least; of values alone there is one kind."""
    is_derived = along(data.rows) != OF_A_VALUE
    found: list[Hypothesis] = []
    foretold: list[float] = []
    for family, by_derivatives in KINDS:
        if by_derivatives and not is_derived.any():
            continue
        seen = data if by_derivatives else data.values
        try:
            own, kept = fit_trusting_derivatives(family, seen, None if is_noisy else NO_NOISE)
            if by_derivatives and (is_derived & kept).sum() < LEAST_TRUSTED * is_derived.sum():
                continue
            seen = seen.of(kept)
            kernel = own.kernel(family, data.aspects)
            foretold.append(values_foretold(kernel, seen, own.noise_variance, own.ratio))
        except FactorisationError:
            if found or by_derivatives:
                continue
            raise
        found.append(Hypothesis(family, by_derivatives, own))
    weights = np.exp(np.array(foretold) - max(foretold))
    weights /= weights.sum()
    likely = weights >= LEAST_WEIGHT
    weights /= weights[likely].sum()
    return tuple(
        replace(one, weight=float(weight))
        for one, weight, is_likely in zip(found, weights, likely, strict=True)
        if is_likely
    )


@dataclass(frozen=True, eq=False, slots=True)
class Believed:
    """H processes with their hypotheses: a mixture, which has moments of its own. ``trusted``: the data that
    each is of.
    """

    hypotheses: tuple[Hypothesis, ...]
    processes: tuple[DerivativeGP, ...]
    trusted: tuple[DerivativeData, ...]

    @classmethod
    def of(cls, hypotheses: Sequence[Hypothesis], data: DerivativeData) -> Believed:
        """Conditioned on data, of which there is some."""
        trusted = tuple(one.trusted(data) for one in hypotheses)
        pairs = zip(hypotheses, trusted, strict=True)
        return cls(tuple(hypotheses), tuple(one.conditioned(own) for one, own in pairs), trusted)

    @property
    def weights(self) -> FloatArray:
        """(H,)."""
        return np.array([one.weight for one in self.hypotheses])

    def believed_rows(self) -> DerivativeData | None:
        """The data that the likeliest of those trusts which make use of derivatives; None where none does."""
        own = [i for i, one in enumerate(self.hypotheses) if one.by_derivatives]
        return self.trusted[max(own, key=lambda i: self.hypotheses[i].weight)] if own else None

    def believing(self, X: FloatArray, columns: IndexArray, noise: float) -> Believed:
        """The same, where (p, E) points that run came out as each expects; ``noise`` is what is known of that
        of a value.
        """
        processes = []
        for one, process in zip(self.hypotheses, self.processes, strict=True):
            own = one.hyperparameters
            seen = columns if one.by_derivatives else columns[:0]
            processes.append(process.believing(X, seen, own.noise_variance + noise, own.ratio))
        return replace(self, processes=tuple(processes))

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(p,) of the mixture at (p, E) inputs."""
        found = [process.mean_and_variance(X) for process in self.processes]
        means, variances = np.array([mean for mean, _ in found]), np.array([one for _, one in found])
        mean = self.weights @ means
        return mean, self.weights @ (variances + (means - mean) ** 2)

    def value_gradients(self, X: FloatArray) -> PosteriorGradients:
        """The same with (p, E) gradients."""
        at = [process.value_gradients(X) for process in self.processes]
        means, slopes = np.array([one.mean for one in at]), np.array([one.mean_gradient for one in at])
        mean, slope = self.weights @ means, np.tensordot(self.weights, slopes, axes=1)
        apart = means - mean
        variance = self.weights @ (np.array([one.variance for one in at]) + apart**2)
        widening = np.array([one.variance_gradient for one in at]) + 2.0 * apart[:, :, None] * (
            slopes - slope
        )
        return PosteriorGradients(mean, variance, slope, np.tensordot(self.weights, widening, axes=1))
