"""The part of the comparison in which nothing is said of noise."""

from benchmarks.comparison import untold as compare_untold
from benchmarks.comparison.store import Kept, Store
from benchmarks.regrets.run import Contender, Record


def test_the_table_is_over_the_seeds_that_ran_told_and_not_told(tmp_path):
    store = Store(tmp_path)
    ((told, untold),) = compare_untold.pairs(["camel"])
    contender = Contender("sobol")
    for contest, seeds, late in ((told, 6, 0), (untold, 5, 10)):
        for job in contest.jobs(contender, seeds):
            falling = tuple(2.0 + job.seed if i < 25 + late else 0.5 for i in range(150))
            store.keep(Kept(job, Record(job, falling, (0.0,) * 150, 10)))
    rows = compare_untold.measured([(told, untold)], [contender, Contender("random")], store)
    (_, _, line) = compare_untold.table(rows)
    assert line == "| camel | sobol | 5 | 4 | 4 | 0.5 | 4 | 0.5 | 0.5 | 0.5 | 0.5 |"


def test_without_runs_of_both_there_is_no_row(tmp_path):
    store = Store(tmp_path)
    contender = Contender("sobol")
    ((told, untold),) = compare_untold.pairs(["camel"])
    (job, *_) = told.jobs(contender, 1)
    store.keep(Kept(job, Record(job, (1.0,) * 150, (0.0,) * 150, 10)))
    assert compare_untold.measured([(told, untold)], [contender], store) == []
