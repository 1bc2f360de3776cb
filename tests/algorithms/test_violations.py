"""By how much results fall short, and which of them count as the best."""

import numpy as np
import pytest

from orchestrator.algorithms.base import Observation
from orchestrator.algorithms.history import History
from orchestrator.algorithms.violations import violations
from orchestrator.unit_cube.domain import Domain


def told(*results):
    history = History(Domain.continuous(1), outcome_constraints=2)
    for i, (value, slacks) in enumerate(results):
        slacks = None if slacks is None else np.array(slacks)
        history.tell(Observation(i, np.array([i / 50]), value, slacks=slacks))
    return history


def test_what_is_lacking_is_measured_by_how_much_each_slack_varies():
    slacks = np.array([[1.0, -100.0], [-1.0, 100.0], [1.0, 100.0], [-1.0, -100.0]])
    assert violations(slacks) == pytest.approx([1.0, 1.0, 0.0, 2.0])
    assert violations(1000.0 * slacks) == pytest.approx(violations(slacks))


def test_a_slack_that_never_varies_is_lacking_all_the_same():
    assert violations(np.array([[-3.0], [-3.0]])) == pytest.approx([3.0, 3.0])


def test_a_slack_that_never_varies_hides_no_other_where_its_deviation_is_rounding():
    others = np.linspace(-0.7, -0.1, 7)
    slacks = np.column_stack([np.full(7, -0.1), others])
    assert slacks[:, 0].std() > 0.0
    assert violations(slacks) == pytest.approx(0.1 + violations(others[:, None]))


def test_a_slack_that_is_not_known_is_worse_than_any_that_is():
    assert violations(np.array([[np.nan, 1.0], [-1e9, 1.0]]))[0] == np.inf


def test_the_best_are_those_that_satisfy_every_constraint():
    history = told((9.0, [-0.1, 1.0]), (1.0, [0.0, 0.0]), (3.0, [2.0, 1.0]), (8.0, [1.0, -1e-300]))
    assert history.satisfying.tolist() == [False, True, True, False]
    assert history.best_rows(5).tolist() == [2, 1]


def test_while_none_does_the_best_are_those_that_lack_least():
    history = told((9.0, [-5.0, 1.0]), (1.0, [-1.0, 1.0]), (3.0, [-1.0, -2.0]), (None, None))
    assert not history.satisfying.any()
    assert history.best_rows(2).tolist() == [1, 2]


def test_neither_a_failure_nor_a_result_without_outcomes_satisfies_anything():
    history = told((None, [1.0, 1.0]), (2.0, None), (1.0, [1.0, 1.0]))
    assert history.satisfying.tolist() == [False, False, True]
    assert history.best_rows(3).tolist() == [2]


def test_slacks_outlast_the_growth_of_the_memory_for_them():
    history = told(*((float(i), [float(i), -float(i)]) for i in range(40)))
    assert history.slacks[:, 0].tolist() == [float(i) for i in range(40)]
    assert history.best_rows(1).tolist() == [0]
