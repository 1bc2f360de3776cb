"""How much pairs of parameters count for in a region is learned where values can tell, and else not asked."""

from dataclasses import replace

import numpy as np
import pytest
from sequential_runs import observations

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.hypotheses import Hypothesis
from orchestrator.algorithms.mixture.hypothesis_fitter import AFRESH
from orchestrator.algorithms.mixture.hypothesis_weighing import Weighing
from orchestrator.algorithms.mixture.kept import results
from orchestrator.unit_cube.domain import Domain

EXACT = Noise("known", 0.0)
EXPANSION = Hypothesis("expansion", "rbf", True, False)


def added(x):
    """A sum over single parameters."""
    return -float(np.sum((x - 0.4) ** 2 * np.logspace(0, 1, len(x))))


def crossing(dimension, noise, variance=None):
    """What an expansion has it, fitted to results of `added`."""
    n = 6 * dimension
    problem = Problem(Domain.continuous(dimension), noise=noise)
    X = np.random.default_rng(0).random((n, dimension))
    history = History(problem.domain)
    for told in observations(X, [added(x) for x in X]):
        history.tell(replace(told, variance=variance))
    about = X[np.argmax(history.values)]
    fitter = Weighing.of(problem, results(problem, history, np.arange(n)), None, n, about).fitters[False]
    return fitter.fit(EXPANSION, None, None, AFRESH).hyperparameters.crossing


def test_of_exact_values_of_many_parameters_it_is_learned_that_pairs_hardly_count():
    assert crossing(6, EXACT) < 0.2


@pytest.mark.parametrize(
    ("noise", "variance"), [(Noise("known", 0.01), None), (Noise(), None), (Noise("reported"), 1e-4)]
)
def test_in_noise_all_count_alike(noise, variance):
    assert crossing(6, noise, variance) == 1.0


def test_of_few_parameters_whose_pairs_are_few_as_well():
    assert crossing(5, EXACT) == 1.0
