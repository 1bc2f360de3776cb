"""Hypotheses weighed: of many results a glance at some rules most of them out, and keeps the right one."""

import numpy as np
import pytest
from sequential_runs import observations

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture import hypothesis_weighing
from orchestrator.algorithms.mixture.hypotheses import hypotheses
from orchestrator.algorithms.mixture.hypothesis_weighing import MOST_AFTER_A_GLANCE, Weighing
from orchestrator.algorithms.mixture.kept import results
from orchestrator.unit_cube.domain import Domain

D = 4
MANY = 60
HALVES = ((0, 1), (2, 3))
ASKED = hypotheses(D, factors=True, warped=False)


def valley(x):
    """Curved and narrow: it takes long to find out how far its models reach."""
    return -float(np.sum(50.0 * (x[1:] - x[:-1] ** 2) ** 2 + (x[:-1] - 0.5) ** 2))


def halves(x):
    """A sum over two halves of the parameters."""
    return float(np.cos(7.0 * x[0] * x[1]) + np.sin(9.0 * x[2] - 4.0 * x[3]))


@pytest.fixture
def few_are_many(monkeypatch):
    """Of hundreds, all that is weighed in full takes some ten times as long."""
    monkeypatch.setattr(hypothesis_weighing, "MOST_WEIGHED_IN_FULL", MANY)
    monkeypatch.setattr(hypothesis_weighing, "GLANCED_AT", MANY // 2)


def weighing(function, n):
    problem = Problem(Domain.continuous(D), noise=Noise("known", 0.0))
    X = np.random.default_rng(0).random((n, D))
    history = History(problem.domain)
    for observation in observations(X, [function(x) for x in X]):
        history.tell(observation)
    return Weighing.of(problem, results(problem, history, np.arange(n)), None, n)


def test_additive_hypotheses_look_at_the_differences_that_the_others_have_unless_they_see_fewer():
    fitter = weighing(halves, 30).fitters[False]
    assert fitter.additive(ASKED[0]).pairs is fitter.pairs
    assert fitter.additive(ASKED[0], 100).pairs is fitter.pairs
    assert len(fitter.additive(ASKED[0], 20).pairs) == 20


def test_a_glance_at_some_of_many_results_does_not_rule_out_what_is_likeliest(few_are_many):
    is_likeliest_at_a_glance_too(weighing(halves, MANY + 10))


@pytest.mark.searches
def test_nor_where_it_takes_long_to_find_out_how_far_models_reach():
    """A glance at thirty results of the valley rules it out; one at as many as in a search does not."""
    is_likeliest_at_a_glance_too(weighing(valley, hypothesis_weighing.MOST_WEIGHED_IN_FULL + 20))


def is_likeliest_at_a_glance_too(told):
    glanced, in_full = told.weighed(ASKED, HALVES, []), told.fitted(ASKED, HALVES, [])
    assert len(glanced) <= MOST_AFTER_A_GLANCE < len(in_full)
    assert glanced[0].hypothesis == in_full[0].hypothesis
    # Which of several modes a fit ends at may turn on the last bit, and so on the processor.
    assert glanced[0].log_probability > in_full[0].log_probability - 10.0


def test_of_few_results_all_are_weighed_in_full(few_are_many):
    told = weighing(halves, MANY)
    assert len(told.weighed(ASKED, HALVES, [])) == len(ASKED) > MOST_AFTER_A_GLANCE
