"""What algorithms make of choices whose values are described: results on some of them tell about others."""

import numpy as np
import pytest

from orchestrator import Optimiser, Plan
from orchestrator.algorithms.mixture.hypotheses import Hypothesis
from orchestrator.algorithms.mixture.hypothesis_fitter import AFRESH, HypothesisFitter
from orchestrator.parameters.space import Space
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.posteriors.exact import ExactGP

NUMBERS = np.random.default_rng(4).random((40, 3))
NAMES = [f"m{i}" for i in range(40)]
SMOOTH = 3.0 * (NUMBERS[:, 0] - 0.6) ** 2 + np.sin(2.0 * NUMBERS[:, 1])
TOLD = np.arange(16)
NUMBERED = zip(NAMES, NUMBERS.tolist(), strict=True)
DESCRIBED = {name: {"width": one, "depth": two, "age": three} for name, (one, two, three) in NUMBERED}
DOMAIN = Space.from_description({"compound": {"type": "choice", "values": DESCRIBED}}).domain


def fitted(values, form: str = "joint"):
    """What a hypothesis finds, and what it expects of all values."""
    X, y = DOMAIN.embed(DOMAIN.listed), (values - values[TOLD].mean()) / values[TOLD].std()
    data = Data(X[TOLD], y[TOLD], DOMAIN.embedded_aspect, log_slopes=np.zeros(len(TOLD)))
    found = HypothesisFitter(data, 0.0).fit(Hypothesis(form, "rbf", False, False), None, None, AFRESH)
    gp = ExactGP(found.covariance(DOMAIN), 1e-8)
    gp.append(X[TOLD], y[TOLD])
    return found.hyperparameters.length_scales, gp.mean_and_variance(X), y


@pytest.mark.parametrize("form", ["joint", "trend", "paraboloid", "pairs"])
def test_values_that_were_never_tried_are_predicted_by_those_that_are_like_them(form: str) -> None:
    _, (mean, _), y = fitted(SMOOTH, form)
    assert np.corrcoef(mean[16:], y[16:])[0, 1] > 0.9


def test_which_numbers_matter_is_learned_of_each() -> None:
    (width, depth, age, mark), _, _ = fitted(SMOOTH)
    assert max(width, depth) < min(age, mark)


def test_where_numbers_say_nothing_values_go_their_own_way() -> None:
    _, (mean, variance), _ = fitted(np.random.default_rng(5).standard_normal(40))
    assert np.abs(mean[16:]).mean() < 0.7
    assert variance[16:].mean() > 0.4 * variance.max()


@pytest.mark.parametrize("algorithm", ["gp-ei", "gp-ts"])
def test_other_algorithms_with_a_kernel_go_by_what_describes_values_too(algorithm: str) -> None:
    parameters = {"compound": {"type": "choice", "values": DESCRIBED}}
    optimiser = Optimiser(parameters, goal="minimise", algorithm=algorithm, seed=1, plan=Plan(trials=20))
    for row in TOLD:
        optimiser.learn({"compound": NAMES[row]}, float(SMOOTH[row]))
    (chosen,) = optimiser.ask()
    assert SMOOTH[NAMES.index(chosen.parameters["compound"])] <= np.median(SMOOTH[16:])
