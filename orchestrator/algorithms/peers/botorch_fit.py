"""A model of BoTorch's at its likeliest hyperparameters."""

from __future__ import annotations

from collections.abc import Callable

from botorch.exceptions import ModelFittingError
from botorch.fit import fit_gpytorch_mll
from botorch.models.model import Model
from gpytorch.mlls import ExactMarginalLogLikelihood
from linear_operator.utils.errors import NanError, NotPSDError


def likeliest(prior: Callable[[], Model]) -> Model:
    """What ``prior`` makes, fitted by BoTorch's own rule; as it was made, where that gives up."""
    model = prior()
    try:
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
    except (ModelFittingError, NanError, NotPSDError):
        model = prior()
    return model.eval()
