"""Functions with constraints on outcomes, runs on them, and the table that is made of many."""

import numpy as np
import pytest

from benchmarks.contenders.outcomes import Job, Run, run
from benchmarks.functions.outcomes import CONSTRAINED
from benchmarks.outcomes import RUNS, TABLE, page

SMALL = Job("random", "islands", 0)


@pytest.mark.parametrize("name", CONSTRAINED)
def test_no_point_that_will_do_is_below_the_least_and_not_all_will_do(name):
    function = CONSTRAINED[name]
    rng = np.random.default_rng(0)
    found = [function.at(point) for point in rng.random((4000, function.dimension))]
    satisfying = [value for value, slacks in found if min(slacks) >= 0.0]
    assert all(len(slacks) == function.slacks for _, slacks in found)
    assert len(satisfying) < len(found)
    assert min(satisfying, default=np.inf) > function.least


BEST = {
    "two-waves": [0.1954, 0.4044],
    "spring": [0.05169, 0.35675, 11.2871],
    "vessel": [0.778169, 0.384649, 40.319619, 200.0],
    "himmelblau": [78.0, 33.0, 29.995256, 45.0, 36.775813],
    "gearbox": [3.5, 0.7, 17.0, 7.3, 7.715320, 3.350215, 5.286655],
    "hills-in-a-ball": [0.0] * 10,
}


@pytest.mark.parametrize("name", BEST)
def test_the_least_is_where_its_authors_have_it(name):
    function = CONSTRAINED[name]
    value, slacks = function.evaluate(np.array(BEST[name]))
    assert value == pytest.approx(function.least, rel=2e-3, abs=1e-9)
    assert min(slacks) > -2e-3


def test_runs_are_kept_and_not_made_again(tmp_path):
    path = tmp_path / "kept" / "runs.jsonl"
    RUNS.run_all([SMALL], path)
    written = path.read_bytes()
    RUNS.run_all([SMALL], path)
    assert path.read_bytes() == written
    (found,) = RUNS.kept(path)
    assert found.job == SMALL
    assert found.values == run(SMALL).values
    assert len(found.values) == CONSTRAINED["islands"].evaluations
    assert None in found.values


def test_an_algorithm_without_a_model_is_told_failures_and_one_with_it_may_be():
    assert Job("auto", "islands", 0, as_failures=True).title == "auto, failures"
    found = run(Job("gp-ei", "islands", 1))
    assert any(value is not None for value in found.values)


def test_the_table_has_medians_counts_dashes_and_the_least_in_bold():
    def made(algorithm, *values, seed=0):
        return Run(Job(algorithm, "islands", seed), values + (None,) * (40 - len(values)), 0.1)

    runs = [made("auto", None, -1.5), made("auto", -1.0, seed=1), made("random"), made("ax", -1.9)]
    rows = {line.split("|")[1].strip(): line for line in TABLE.of(runs).splitlines()}
    cells = [cell.strip() for cell in rows["islands (40)"].split("|")[4:-1]]
    assert cells == ["0.75 (2)", "– (1)", "**0.1** (1)"]
    assert "spring (60)" not in rows
    assert "| auto" in page(runs)
