"""What the core costs: growth measured within a budget, exponents, where time goes, and the page."""

import pytest

from benchmarks import core
from benchmarks.core import Report, growth_table, page
from benchmarks.core_costs.growth import Cell, Measured, OutOfTime, at_most, exponent, measured
from benchmarks.core_costs.shares import PARTS, Shares, part_of, shares
from benchmarks.core_costs.targets import Comparison, dumbo_against_direct, telling_against_refactoring
from benchmarks.measuring.processor_clock import seen
from benchmarks.regrets.run import Case


def row(n, ask_s, dimension=6, fit_s=None):
    return Measured("some", dimension, n, 1e-4, ask_s, fit_s, 100.0)


def test_exponents_are_those_of_a_power():
    assert exponent([100, 200, 400], [1.0, 4.0, 16.0]) == pytest.approx(2.0)
    assert exponent([100], [1.0]) is None


def test_what_the_clock_did_not_see_has_no_part_in_an_exponent():
    assert exponent([100, 150, 200, 400], [1.0, 1e-9, 4.0, 16.0]) == pytest.approx(2.0)
    assert exponent([100, 200], [1.0, 0.0]) is None


def test_an_algorithm_is_measured_and_stops_where_its_seconds_end():
    rows = measured(Cell("gp-ei", 6, 60.0, counts=(30, 60)))
    assert [r.n for r in rows] == [30, 60]
    assert all(r.ask_s > 0 and r.tell_s > 0 and r.memory_mb > 10 for r in rows)
    assert rows[0].fit_s is not None
    # A fit long enough that a timer which looks a hundred times a second finds it at work.
    (only,) = measured(Cell("gp-ei", 6, 0.0, counts=(300, 600)))
    assert (only.n, only.fit_s) == (300, None)


def busy_in_what_makes_another_error_of_any_it_meets():
    try:
        for _ in range(10**8):
            pass
    except Exception as error:
        raise ValueError("bounds do not fit") from error


def test_seconds_end_wherever_the_process_is():
    with pytest.raises(OutOfTime), at_most(0.01):
        busy_in_what_makes_another_error_of_any_it_meets()


def test_a_dash_stands_for_what_was_not_measured():
    rows = [row(100, 0.001), row(300, 0.009), row(100, 0.004, dimension=24, fit_s=2.0)]
    assert growth_table(rows, "ask")[2:] == [
        "| some | 6 | 1 | 9 | n^2.0 | d^1.0 |",
        "| some | 24 | 4 | - |  |  |",
    ]
    assert growth_table(rows, "fit")[2:] == ["| some | 24 | 2,000 | - |  |  |"]
    assert growth_table([row(100, 1e-9)], "ask")[2:] == ["| some | 6 | unseen |  |  |"]


def test_time_is_that_of_the_innermost_part():
    refit = [
        ("x/surrogates/fits/one_kernel.py", "fit"),
        ("x/algorithms/structure_search.py", "search"),
        ("a", "compute_refit"),
    ]
    assert part_of(refit) == "decomposition"
    assert part_of([refit[0], refit[2]]) == "fit"
    asking = [("x/scipy/b.py", "f"), ("x/orchestrator/maximisers/sums/admm.py", "maximise"), ("a", "ask")]
    assert part_of(asking) == "maximiser"
    assert part_of([("x/orchestrator/surrogates/posteriors/exact.py", "mean"), *asking]) == "acquisition"
    assert part_of([("a", "adopt")]) == "conditioning"
    assert part_of([("a", "main")]) == "other"


def test_shares_add_up():
    found = shares(Cell("egp-ts", 6, 1.0), 40)
    assert sum(found.parts.values()) == pytest.approx(1.0)


def test_a_clock_that_stood_still_has_measured_nothing():
    assert seen([0.0, 3e-4, 2e-4]) == [3e-4, 2e-4]
    assert len(seen([0.0])) == 1
    assert seen([0.0])[0] > 0.0


def test_growing_a_factor_is_less_work_than_making_it_anew():
    assert telling_against_refactoring(n=400, repeats=3).ratio > 1.0


def test_direct_pursues_what_dumbo_found_and_gives_up():
    found = dumbo_against_direct(Case("camel"), n=30, asks=1, patience=1.0)
    assert found.ours_s > 0
    assert "evaluations" in found.remark


def test_an_algorithm_that_fails_costs_what_it_was_measured_for_alone(monkeypatch):
    def apart(measure, *told):
        if measure not in (core.measured, core.shares):
            return Comparison(0.001, 0.035)
        if told[0].algorithm == "egp-ts":
            raise ValueError("no")
        return [row(100, 0.001)] if measure is core.measured else Shares("auto", {})

    monkeypatch.setattr(core, "apart", apart)
    report = core.measure(["auto", "egp-ts"], 1.0, [6])
    assert [s.algorithm for s in report.shares] == ["auto"]
    assert report.failures == [
        "egp-ts in 6 dimensions: ValueError: no",
        "egp-ts sampled at n = 200: ValueError: no",
    ]


def test_an_algorithm_that_does_not_exist_is_refused_before_anything_is_measured(capsys):
    assert core.main(["--algorithms", "auto,egpts"]) == 2
    assert "did you mean `egp-ts`" in capsys.readouterr().err


def test_the_page_says_which_promise_does_not_hold_and_what_was_left_out():
    report = Report(
        [row(100, 0.001), row(300, 0.009)],
        [Shares("some", dict.fromkeys(PARTS, 1 / len(PARTS)))],
        Comparison(0.001, 0.035),
        Comparison(0.4, 2.0, "as high after 5 evaluations"),
        Comparison(0.4, 8.0, done=False),
        ["other in 100 dimensions: ValueError: no"],
    )
    text = page(report, 8.0)
    assert "| 35 | 30 | yes |" in text
    assert "| 5 | 10 | **no** |" in text
    assert "| over 20 | 10 | yes |" in text
    assert "- some from n = 1,000 on in 6 dimensions" in text
    assert "- other in 100 dimensions" in text
