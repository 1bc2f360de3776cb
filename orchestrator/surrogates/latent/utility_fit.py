"""The likeliest hyperparameters of a utility of which comparisons are known."""

from __future__ import annotations

from orchestrator.arrays import IndexArray
from orchestrator.surrogates.hyperparameters.beliefs import LogNormal
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.latent.likeliest_kernel import LogPosterior, believed
from orchestrator.surrogates.latent.utility import Compared

LENGTH_OF_THE_DIAGONAL = 0.25
"""The median of a length-scale, as a part of the unit cube's diagonal."""
VARIANCE = LogNormal(2.0, 0.5)
"""Of the utility, in which a difference of 1 is mistaken by one in six. Who believes it to be large believes
that there is ever more to find elsewhere: comparisons that a point loses never say by how much."""
ITERATIONS = 30


def fit_utility(compared: Compared, embedded_parameter: IndexArray) -> Hyperparameters:
    """The likeliest, without noise, which is 1 of every difference; ``embedded_parameter`` (E,) is
    `Domain.embedded_parameter`. Deterministic.

    Raises FactorisationError if nothing can be factorised.
    """
    beforehand = believed(LENGTH_OF_THE_DIAGONAL, VARIANCE, embedded_parameter)
    return LogPosterior(compared.evidence, compared.X, embedded_parameter, beforehand).highest(ITERATIONS)
