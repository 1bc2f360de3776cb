"""How likely it is that what is asked of outcomes holds: by models that are fitted ever more rarely."""

from __future__ import annotations

import numpy as np

from orchestrator.algorithms.base import Noise, Observation, Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.outcomes.believed_slacks import BelievedSlacks
from orchestrator.algorithms.outcomes.outcome_models import FITS
from orchestrator.unit_cube.domain import Domain


def test_models_of_slacks_and_success_are_fitted_anew_where_that_is_due_and_alike_where_one_goes_on() -> None:
    problem = Problem(Domain.continuous(2), seed=2, noise=Noise("known", 0.0), outcome_constraints=1)
    history, believed = History(problem.domain, 1), BelievedSlacks(problem)
    seen = []
    for trial, u in enumerate(np.random.default_rng(0).random((34, 2)), 1):
        failed = trial % 5 == 0
        slack = np.nan if failed else -np.inf if trial == 3 else u[0] - 0.5
        history.tell(Observation(trial, u, None if failed else float(u[1]), slacks=np.array([slack])))
        if trial > 31:
            points = history.points
            arguments = history, points, ~np.isnan(history.values)
            kept = believed.feasibility(*arguments)
            anew = BelievedSlacks(problem).feasibility(*arguments)
            assert kept is not None
            assert anew is not None
            assert kept.values(points[:5]).tolist() == anew.values(points[:5]).tolist()
            seen.append(believed._success)
    assert seen[0] is seen[1]
    assert seen[1] is not seen[2]


def test_what_has_infinitely_much_to_spare_is_no_violation() -> None:
    problem = Problem(Domain.continuous(1), seed=2, noise=Noise("known", 0.0), outcome_constraints=1)
    history = History(problem.domain, 1)
    for trial, u in enumerate(np.linspace(0.0, 1.0, 9)):
        slack = np.inf if u > 0.7 else u - 0.3
        history.tell(Observation(trial, np.array([u]), 0.0, slacks=np.array([slack])))
    found = BelievedSlacks(problem).feasibility(history, history.points, np.ones(9, dtype=bool))
    assert found is not None
    assert (found.values(np.array([[0.8], [0.9]])) > np.log(0.5)).all()


def test_where_nothing_is_asked_and_nothing_failed_there_is_nothing_to_weigh() -> None:
    problem = Problem(Domain.continuous(1))
    history = History(problem.domain)
    history.tell(Observation(1, np.array([0.5]), 1.0))
    assert BelievedSlacks(problem).feasibility(history, history.points, np.array([True])) is None


def test_fits_become_rarer_and_depend_on_nothing_but_how_many_results_there_are() -> None:
    assert [FITS.seen(n) for n in (1, 31, 32, 33, 34, 65, 68, 1000)] == [1, 31, 32, 32, 34, 64, 68, 992]
