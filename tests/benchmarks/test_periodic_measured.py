"""Functions of angles, and searches for the best ones."""

import numpy as np
import pytest

from benchmarks.contenders.periodic import Job, Run, run
from benchmarks.functions.periodic import EVALUATIONS, PERIODIC
from benchmarks.periodic import jobs, page

SEAM = "torsions-2 at the seam"


@pytest.mark.parametrize("name", PERIODIC)
def test_they_come_round_and_no_place_is_better_than_the_best(name: str) -> None:
    function = PERIODIC[name]
    points = np.random.default_rng(0).random((20, function.dimension))
    regrets = [function.regret(3, point) for point in points]
    assert min(regrets) > 0.0
    assert np.allclose([function.regret(3, point + 1.0) for point in points], regrets)


def test_the_best_ones_lie_at_the_seam_or_anywhere() -> None:
    assert PERIODIC[SEAM].regret(1, np.zeros(2)) < 0.2
    assert PERIODIC["torsions-2 anywhere"].regret(1, np.zeros(2)) > 0.2


def test_a_run_keeps_what_each_trial_lacks_told_or_not() -> None:
    told, untold = (run(Job("random", SEAM, 0, periodic)) for periodic in (True, False))
    assert len(told.values) == EVALUATIONS
    assert told.regret(20) == min(told.values[:20]) > 0.0
    assert told.values == pytest.approx(untold.values)


def test_the_page_has_a_column_for_each() -> None:
    some = [Run(job, (2.0,) * EVALUATIONS, 0.1) for job in jobs("auto", SEAM, 0)]
    assert all(title in page(some) for title in ("auto", "auto, as on a line"))
