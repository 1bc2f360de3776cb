"""The part of the comparison in which there are few trials."""

from benchmarks.comparison import few as compare_few
from benchmarks.comparison.store import Kept, Store
from benchmarks.regrets.run import Contender, Record


def kept(store, contest, seed, regret):
    """A run that ends at so much, ten times as far off before."""
    (job,) = contest.jobs(Contender("sobol"), seed + 1)[seed:]
    regrets = (10.0 * regret,) * (contest.budget - 1) + (regret,)
    store.keep(Kept(job, Record(job, regrets, (0.0,) * contest.budget, 1)))


def test_the_table_has_medians_of_both_ways_and_counts_runs_that_differ_by_more_than_a_tenth(tmp_path):
    store, pairs = Store(tmp_path), compare_few.pairs(["camel"])
    for long, short in pairs:
        for seed, ends in enumerate([0.5, 1.9, 4.0]):
            kept(store, long, seed, 2.0)
            kept(store, short, seed, ends)
    rows = compare_few.measured(pairs, [Contender("sobol"), Contender("random")], store)
    (_, _, line) = compare_few.table(rows)
    assert line == "| camel | sobol | 3 | 2 | 1.9 | 2 | 1.9 | 2 | 1.9 | 3 | 3 |"
    assert (
        "3 ended lower by more than a tenth with fewer, and 3 higher" in compare_few.words(rows, "sobol")[0]
    )


def test_a_seed_that_lacks_a_budget_does_not_count(tmp_path):
    store, pairs = Store(tmp_path), compare_few.pairs(["camel"])
    for long, short in pairs:
        kept(store, long, 0, 1.0)
        kept(store, short, 0, 1.0)
        if long.budget > 10:
            kept(store, long, 1, 1.0)
            kept(store, short, 1, 1.0)
    (row,) = compare_few.measured(pairs, [Contender("sobol")], store)
    assert row.seeds == 1
