"""Expected improvement of a known function of outcomes, held against brute force and small steps."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.acquisition.composite_improvement import Composite, LogCompositeImprovement
from orchestrator.acquisition.outcome_draws import OutcomeDraws, OutcomeGroup
from orchestrator.computed_objective import Misfit, OfFormula, of_formula
from orchestrator.fit_targets import Target
from orchestrator.parameters.space import Space
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.posteriors.shared_kernel import SharedKernelGP

SPACE = Space.from_description({"a": (0.0, 2.0), "b": (0.0, 1.0)})
FITTED = Misfit({"u": Target(0.4, 0.5), "v": Target(-0.2), "w": Target(1.0, 2.0)}, -1.0, 2)
FORMULA = of_formula("u * v - a ** 2 / (1 + w ** 2)", ["u", "v", "w"], SPACE, 1.0)
AT = np.array([[0.31, 0.62], [0.85, 0.15], [0.05, 0.95]])


def draws(log2_draws: int, *, together: bool) -> OutcomeDraws:
    rng = np.random.default_rng(8)
    X = rng.random((7, 2))
    Y = np.stack([np.sin(4 * X[:, 0]), X[:, 1] ** 2, X.sum(axis=1)], axis=1)
    kernel = Hyperparameters((0.5, 0.6), 1.0, 0.0).kernel(MATERN_52, np.arange(2))
    columns = [slice(0, 3)] if together else [slice(j, j + 1) for j in range(3)]
    groups = [
        OutcomeGroup(one.start, SharedKernelGP(kernel, 1e-6, X, Y[:, one]), np.array([0.1]), np.array([1.7]))
        for one in columns
    ]
    return OutcomeDraws.of(groups, log2_draws, rng)


@pytest.mark.parametrize("function", [FITTED, FORMULA], ids=["fit", "formula"])
def test_it_is_what_very_many_independent_draws_average(function: Misfit | OfFormula) -> None:
    composite = Composite(SPACE.domain, function, draws(12, together=False))
    found = np.exp(LogCompositeImprovement(composite, -1.0, 1e-6).values(AT))
    rng = np.random.default_rng(0)
    means, deviations = [], []
    for group in composite.draws.groups:
        mean, deviation = group.model.beliefs(SPACE.domain.embed(AT))
        means.append(0.1 + 1.7 * mean[:, 0])
        deviations.append(1.7 * deviation)
    normals = rng.standard_normal((200_000, 3, 3))
    drawn = np.array(means).T + np.array(deviations).T * normals
    told = function.values(drawn, AT)
    assert found == pytest.approx(np.maximum(told + 1.0, 0.0).mean(axis=0), rel=0.05)
    assert composite.believed(AT).mean == pytest.approx(told.mean(axis=0), rel=0.02)
    assert composite.believed(AT).deviation == pytest.approx(told.std(axis=0), rel=0.05)


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("function", [FITTED, FORMULA], ids=["fit", "formula"])
def test_gradients_are_what_small_steps_show(function: Misfit | OfFormula, together: bool) -> None:
    composite = Composite(SPACE.domain, function, draws(6, together=together))
    objective = LogCompositeImprovement(composite, -0.5, 0.05)
    values, gradients = objective.values_and_gradients(AT)
    assert values == pytest.approx(objective.values(AT))
    for coordinate in range(2):
        step = 1e-5 * np.eye(2)[coordinate]
        shown = (objective.values(AT + step) - objective.values(AT - step)) / 2e-5
        assert gradients[:, coordinate] == pytest.approx(shown, rel=2e-3, abs=1e-4)


def test_where_nothing_improves_there_is_still_a_slope_towards_where_something_does() -> None:
    composite = Composite(SPACE.domain, FITTED, draws(6, together=False))
    values, gradients = LogCompositeImprovement(composite, 50.0, 0.1).values_and_gradients(AT)
    assert np.isfinite(values).all()
    assert (np.abs(gradients).max(axis=1) > 1e-3).all()


def test_where_some_draws_are_no_number_what_is_believed_is_of_the_others() -> None:
    function = of_formula("log(u)", ["u", "v", "w"], SPACE, 1.0)
    composite = Composite(SPACE.domain, function, draws(6, together=False))
    numbers = [drawn[np.isfinite(drawn)] for drawn in composite.drawn(AT).T]
    assert 0 < min(map(len, numbers)) < 64
    assert composite.believed(AT).mean == pytest.approx([np.mean(one) for one in numbers])
    assert composite.believed(AT).deviation == pytest.approx([np.std(one) for one in numbers])


def test_draws_that_are_no_number_improve_on_nothing() -> None:
    function = of_formula("log(u - 100)", ["u", "v", "w"], SPACE, 1.0)
    composite = Composite(SPACE.domain, function, draws(4, together=False))
    values, gradients = LogCompositeImprovement(composite, 0.0, 0.1).values_and_gradients(AT)
    assert np.isfinite(values).all()
    assert (gradients == 0.0).all()
    assert (composite.believed(AT).mean == -np.inf).all()
