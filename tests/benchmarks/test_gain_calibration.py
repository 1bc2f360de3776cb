"""What is left to gain, as stated and as it was: one small run, and the tables that are made of many."""

import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from benchmarks.gain_calibration import kept, run_all
from benchmarks.gains.page import expectations, in_short, introduction, page, probabilities, stops, too_sure
from benchmarks.gains.runs import Estimate, Job, Run, landscape
from benchmarks.measuring.machine import machine
from benchmarks.project import PROJECT

SMALL = Job("gp-ei", "drawn-1", 0.0, 14, 0)


def run(*expected, regret=0.005, seed=0, algorithm="gp-ei"):
    estimates = tuple(Estimate(10 + i, (value,) * 4, regret) for i, value in enumerate(expected))
    return Run(Job(algorithm, "camel", 0.0, 35, seed), estimates)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Where the small run is kept, and the day before which it was not made."""
    path, before = tmp_path_factory.mktemp("gains") / "kept" / "runs.jsonl", date.today()
    run_all([SMALL], path)
    return path, before


@pytest.mark.parametrize("name", ["drawn-2", "camel"])
def test_a_landscape_is_never_above_its_maximum_and_has_a_deviation_of_one(name):
    found, other = landscape(name, 0), landscape(name, 1)
    points = np.random.default_rng(0).random((3000, found.dimension))
    values = found.values(points)
    assert values.max() <= found.maximum + 1e-9
    assert values.max() > found.maximum - 0.5
    assert abs(values.std() - 1.0) < 0.1
    assert np.abs(values - other.values(points)).max() > 0.1


def test_runs_are_kept_and_not_made_again(small):
    path, before = small
    written = path.read_bytes()
    run_all([SMALL], path)
    assert path.read_bytes() == written
    (found,) = kept(path)
    assert found.job == SMALL
    assert before <= date.fromisoformat(found.date) <= date.today()
    # Refits from 10, 11, 12 and 13 values.
    assert [estimate.observations for estimate in found.estimates] == [10, 11, 12, 13]
    regrets = [estimate.regret for estimate in found.estimates]
    assert regrets == sorted(regrets, reverse=True)
    assert regrets[-1] >= -1e-9


def test_a_line_torn_by_a_crash_costs_its_own_run_alone(tmp_path, small):
    path = Path(shutil.copy(small[0], tmp_path))
    (first,) = kept(path)
    with path.open("a") as file:
        file.write('\n{"job": {"algo')
    other = replace(SMALL, budget=11, seed=1)
    with pytest.warns(UserWarning, match=r"runs\.jsonl:2 is no record"):
        run_all([SMALL, other], path)
    with pytest.warns(UserWarning, match=r"runs\.jsonl:2 is no record"):
        found = kept(path)
    assert found[0] == first
    assert [run.job for run in found] == [SMALL, other]


def test_the_rule_wants_estimates_in_a_row():
    assert run(0.2, 0.001, 0.2, 0.001, 0.001).stop(0.01, 2).observations == 14
    assert run(0.2, 0.001, 0.2).stop(0.01, 1).observations == 11
    assert run(0.001, 0.2, 0.001).stop(0.01, 2) is None


def test_the_tables_count_what_came_true():
    runs = [run(0.001, 0.001), run(0.001, 0.001, regret=0.5, seed=1), run(0.3, 0.3, seed=2)]
    assert "| camel    | 2 of 3  | 11    | 0.253       | 1 of 2" in stops(runs, 0.01)
    stated = probabilities(runs, 0.01)
    assert "| 0.9 to 1              | 4         | 2       | 1.00        | 0.50" in stated
    assert "| 0 to 0.1              | 2         | 1       | 0.00        | 1.00" in stated
    assert "| 0.1 to 1      | 2         | 0.3           | 0.005" in expectations(runs)


def likely(*regrets, function="camel", seed=0):
    """A run that gives less than 0.01 a probability of three quarters each time."""
    estimates = tuple(Estimate(10 + i, (0.0, 0.0, 0.0, 1.0), left) for i, left in enumerate(regrets))
    return Run(Job("gp-ei", function, 0.0, 35, seed), estimates)


def test_where_likely_gains_came_true_too_seldom_the_function_that_they_were_said_of_in_vain_is_named():
    runs = [likely(0.005, 0.005), likely(7.0, 5.0, function="shekel"), likely(3.0, function="shekel", seed=1)]
    (said,) = too_sure(runs, 0.01)
    assert said == (
        "Of the 5 estimates that gave less than 0.01 a probability of 0.5 to 0.9, 3 are of 2 runs of shekel,"
        " in which 4 was left in the end (the median): none of these came true, of the others 1.00."
    )
    assert said in page(runs)
    assert not too_sure(runs[:1], 0.01)
    assert not too_sure([run(0.001)], 0.01), "nearly sure"


def test_the_page_tells_algorithms_apart():
    told = page([run(0.001, 0.001), run(0.001, 0.001, regret=0.5, algorithm="auto")])
    of_auto, _, of_gp_ei = told.partition("## `gp-ei`")
    assert "## `auto`" in of_auto
    assert "| camel    | 1 of 1  | 11    | 0.5         | 0 of 1" in of_auto
    assert "| camel    | 1 of 1  | 11    | 0.005       | 1 of 1" in of_gp_ei


def test_the_page_says_when_the_runs_were_made_and_not_only_when_it_was_written():
    first = run(0.001, 0.001)
    assert "Measured with `python" in page([first])
    dated = [replace(first, date="2020-02-03"), replace(first, date="2020-02-05"), first]
    assert "Measured 2020-02-03 to 2020-02-05 with `python" in page(dated)
    assert f"Written on {machine()}" in page(dated)


def test_what_the_tables_come_to_is_said_before_them():
    runs = [run(0.001, 0.001), run(0.001, 0.001, regret=0.05, seed=1), run(0.3, 0.3, seed=2)]
    said = "it ends 2 at 0.1, in 2 of which less was left; and 2 at 0.01, in 1 of which less was left"
    assert in_short(runs) == f"Of 3 runs {said} (0.05 in the other)."
    assert in_short(runs) in page(runs)
    worse = [*runs, run(0.001, 0.001, regret=7.0, seed=3), run(0.001, 0.001, regret=0.5, seed=4)]
    assert in_short(worse).endswith("in 1 of which less was left (0.05 to 7 in the others, the median 0.5).")


def test_the_page_begins_as_its_command_has_it():
    assert introduction() in (PROJECT / "docs" / "stopping.md").read_text(encoding="utf-8")
