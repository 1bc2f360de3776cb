"""Who is ahead: medians over common seeds, ranks, the profile and the targets, on runs made by hand."""

import pytest

from benchmarks.comparison import aims as compare_aims
from benchmarks.comparison import early as compare_early
from benchmarks.comparison.charts import curves_chart, profile_chart
from benchmarks.comparison.page import Measured, overview, verdict
from benchmarks.comparison.standing import (
    Duel,
    after,
    curve,
    duels,
    early_rank,
    middle,
    profile,
    ranks,
    seasoned,
    shared,
)
from benchmarks.comparison.suite import find, public_suite
from benchmarks.regrets.run import Case, Contender, Job, Record

CASE = Case("camel")


def record(algorithm, seed, half, full, cap_s=None):
    """Four evaluations: one of the start design at 8, then these two levels."""
    regrets = (8.0, half, half, full) if cap_s is None else (8.0, half)
    return Record(Job(CASE, Contender(algorithm), 4, seed), regrets, (0.0,) * len(regrets), 1, cap_s)


def runs(**levels):
    """Of algorithms, each with a final regret a seed."""
    return {
        name.replace("_", "-"): [
            record(name.replace("_", "-"), seed, 4.0, full) for seed, full in enumerate(own)
        ]
        for name, own in levels.items()
    }


def test_a_duel_is_with_the_peer_that_did_best():
    (duel,) = duels({"p": runs(auto=[2.0], smac=[3.0], ax=[1.0])}, "auto", ["ax", "smac"])
    assert duel == Duel("p", 2.0, "ax", 1.0, 1)
    assert not duel.as_good
    assert duel.within_twice


def test_a_duel_is_over_the_seeds_that_both_ran():
    (duel,) = duels({"p": runs(auto=[1.0, 9.0, 9.0], ax=[2.0])}, "auto", ["ax"])
    assert (duel.own, duel.best, duel.seeds) == (1.0, 2.0, 1)


def test_no_duel_without_the_algorithm_or_a_peer():
    assert duels({"p": runs(auto=[1.0]), "q": runs(ax=[1.0])}, "auto", ["ax"]) == []


def test_regrets_of_rounding_count_as_equal():
    (duel,) = duels({"p": runs(auto=[1e-10], ax=[0.0])}, "auto", ["ax"])
    assert duel.as_good
    (duel,) = duels({"p": runs(auto=[1e-6], ax=[0.0])}, "auto", ["ax"])
    assert not duel.within_twice


def test_ranks_count_those_ahead_and_half_of_those_level():
    found = {
        rank.algorithm: rank for rank in ranks({"p": runs(a=[1.0], b=[2.0], c=[2.0]), "q": runs(a=[5.0])})
    }
    assert found["a"].full == 1.0
    assert found["b"].full == found["c"].full == 2.5
    assert found["a"].half == found["b"].half == 2.0
    assert found["a"].problems == 1, "alone it is no competition"


def test_after_few_evaluations_who_was_quick_is_ahead():
    quick, slow = record("quick", 0, 1.0, 1.0), record("slow", 0, 4.0, 0.0)
    problems = {"p": {"quick": [quick], "slow": [slow]}}
    assert [early_rank(problems, "quick", n) for n in (1, 2, 4)] == [1.5, 1.0, 2.0]


def test_so_many_of_a_budget_are_not_one_less_for_rounding():
    long = Record(Job(CASE, Contender("a"), 49, 0), (1.0,) * 49, (0.0,) * 49, 1)
    assert [after(long, n / 49) for n in range(1, 50)] == list(range(1, 50))


def test_few_evaluations_are_compared_where_the_start_is_small_and_all_who_run_often_have_run():
    def long(name, start):
        return [Record(Job(CASE, Contender(name), 60, 0), (1.0,) * 60, (0.0,) * 60, start)]

    problems = {f"p{i}": {"a": long("a", 10), "b": long("b", 10)} for i in range(3)}
    problems["p0"]["rare"] = long("rare", 10)
    problems["large"] = {"a": long("a", 20), "b": long("b", 20)}
    problems["brief"] = runs(a=[1.0], b=[1.0])
    found = compare_early.contest(problems, ["a", "b", "rare"])
    assert {name: list(own) for name, own in found.items()} == {f"p{i}": ["a", "b"] for i in range(3)}
    assert len(compare_early.table(found)) == 4


def test_problems_that_not_all_have_run_are_left_out_of_the_shared_ones():
    problems = {"p": runs(a=[1.0], b=[2.0], c=[3.0]), "q": runs(a=[1.0], c=[1.0])}
    assert list(shared(problems, ["a", "b"])) == ["p"]
    assert list(shared(problems, ["a", "b"])["p"]) == ["a", "b"]


def test_one_that_has_hardly_run_does_not_decide_what_all_have_run():
    problems = {f"p{i}": runs(a=[1.0], b=[2.0]) for i in range(5)} | {"q": runs(a=[1.0], b=[2.0], c=[3.0])}
    assert seasoned(problems, ["a", "b", "c"]) == ["a", "b"]
    few = {"q": runs(a=[1.0], c=[3.0])}
    assert seasoned(few, ["a", "c"]) == ["a", "c"]
    assert seasoned({}, ["a"]) == ["a"]


def test_the_profile_holds_ratios_to_the_best():
    ratios = profile({"p": runs(a=[1.0], b=[4.0]), "q": runs(a=[3.0], b=[1.0])})
    assert ratios == {"a": [1.0, 3.0], "b": [1.0, 4.0]}


def test_a_capped_run_counts_with_what_it_had_found():
    capped = [record("a", 0, 3.0, 0.0, cap_s=1.0)]
    assert middle(capped, 1.0) == 3.0
    assert curve(capped).tolist() == [8.0, 3.0, 3.0, 3.0]


@pytest.mark.parametrize(("own", "words"), [(1.0, "met"), (3.0, "**missed**")])
def test_the_verdict_says_whether_the_targets_are_met_and_where_it_loses(own, words):
    text = "\n".join(verdict([Duel("camel", own, "ax", 1.0, 1)], 49))
    assert text.count(words) == 2
    assert ("It loses on camel (3 to ax's 1)" in text) == (own > 1.0)


def test_the_overview_marks_the_least_what_was_capped_and_seeds_that_are_missing():
    contest = find(["camel"])[0]
    both = {"auto": [record("auto", 0, 4.0, 1.0)], "ax": [record("ax", 0, 2.0, 2.0, cap_s=1.0)]}
    (_, _, row) = overview(Measured([contest], {"camel": both}, ["auto", "ax"], []))
    assert row == "| camel (150) | **1** (1) | 2* (1) |"


def test_the_charts_draw_every_algorithm_even_at_a_regret_of_zero():
    problems = {"p": runs(auto=[0.0], ax=[1.0])}
    picture = curves_chart(problems, ["auto", "ax"])
    assert picture.count("<polyline") == 2
    assert "nan" not in picture
    assert profile_chart(profile(problems), ["auto", "ax"], "t").count("<polyline") == 2


def test_what_is_to_be_reached_beyond_the_peers_is_held_against_the_median_at_its_number_of_evaluations():
    job = Job(Case("hartmann-6", shifted=True), Contender("auto"), 150, 0)
    regrets = (1.0,) * 74 + (1e-4,) * 26 + (1e-6,) * 50
    table = compare_aims.table({"hartmann-6": {"auto": [Record(job, regrets, (0.0,) * 150, 10)]}}, "auto")
    assert table[2:] == ["| hartmann-6 | 75 | 1e-05 | 0.0001 | 1 | **no** |"]


def test_every_aim_is_for_a_problem_of_the_suite_within_its_budget():
    budgets = {contest.name: contest.budget for contest in public_suite()}
    assert all(aim.evaluations <= budgets[aim.problem] for aim in compare_aims.AIMS)
