"""Functions of parameters that do not always count, runs on them, and the page that is made of many."""

import numpy as np
import pytest

from benchmarks.conditions import TABLE, jobs, page
from benchmarks.contenders.conditional import Job, Run, run
from benchmarks.functions.conditional import CONDITIONAL
from orchestrator.parameters.space import Space

SMALL = Job("random", "tree", 0)
BEST = {
    "tree": {"x1": 0, "x2": 0, "x4": 0, "r8": 0},
    "branches": {"kind": "camel", "common": 0.37, "camel_1": 0.522460503, "camel_2": 0.143671800},
    "solvers": {
        "solver": "gmres",
        "tolerance": 10.0**-6.2,
        "restart": 64,
        "preconditioner": "ilu",
        "fill": 0.31,
        "grading": 0.43,
    },
    "depth": {"layers": 3, "rate": 0.01, "width_1": 128, "width_2": 64, "width_3": 32},
    "switches": {
        **{f"switch_{i}": "on" if i in (0, 2, 3) else "off" for i in range(6)},
        **{"setting_0": 0.2, "setting_2": 0.8, "setting_3": 0.35},
    },
}


@pytest.mark.parametrize("name", CONDITIONAL)
def test_no_point_is_below_the_least_and_the_best_one_is_there(name):
    function = CONDITIONAL[name]
    space = Space.from_description(function.description)
    sampled = space.domain.sample(3000, np.random.default_rng(0))
    assert min(function.evaluate(space.decode(point)) for point in sampled) > function.least
    assert function.evaluate(BEST[name]) == pytest.approx(function.least, abs=1e-9)
    space.encode(BEST[name])


@pytest.mark.parametrize("name", CONDITIONAL)
def test_who_is_not_told_what_counts_sees_a_function_of_all_parameters(name):
    function = CONDITIONAL[name]
    space = Space.from_description(function.untold)
    assert space.domain.activity is None
    told = Space.from_description(function.description)
    assert function.conditional == told.activity.conditional.sum() > 0
    for point in space.domain.sample(50, np.random.default_rng(0)):
        whole = space.decode(point)
        assert function.evaluate(whole) == function.evaluate(told.counted(whole))


def test_a_run_has_a_value_for_each_evaluation_and_the_same_again():
    found = run(SMALL)
    assert found.values == run(SMALL).values
    assert len(found.values) == CONDITIONAL["tree"].evaluations
    assert found.regret(60) <= found.regret(30)


def test_ours_runs_told_and_untold_and_the_page_has_both():
    assert [job.title for job in jobs("auto", "tree", 0)] == ["auto", "auto, untold"]
    assert [job.title for job in jobs("random", "tree", 0)] == ["random"]
    runs = [Run(job, (0.5, 0.1), 0.1, "2026-11-26") for job in jobs("auto", "tree", 0)]
    rows = {line.split("|")[1].strip(): line for line in TABLE.of(runs).splitlines()}
    assert rows["tree (60)"].count("**0** (1)") == 2
    assert "| auto, untold" in page(runs)
