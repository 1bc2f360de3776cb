"""Functions beside which there is another experiment, and the page of runs on them."""

import numpy as np
import pytest

from benchmarks.contenders.related import Run
from benchmarks.functions.related import OTHERS, RELATED
from benchmarks.related import jobs, page


@pytest.mark.parametrize(("alike", "least", "most"), [("scaled", 0.999, 1.0), ("flipped", -1.0, -0.999)])
def test_other_experiments_are_as_alike_as_they_say(alike, least, most):
    copy = RELATED["ackley-5"].of_seed(1)
    related = copy.results(alike)
    own = np.array([-copy.regret(u) for u in related.points])
    assert least <= np.corrcoef(own, related.values)[0, 1] <= most + 1e-12


def test_the_page_has_a_column_for_each_other_experiment():
    runs = [Run(job, (3.0, 2.0, *[1.0] * 28), 0.1, "2026-11-28") for job in jobs("auto", "camel", 0)]
    words = page(runs)
    assert all(title in words for title in ("told nothing", *OTHERS))
    assert runs[0].regret(2) == 2.0
