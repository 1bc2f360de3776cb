"""The page can be written again from the files beside it, on a machine that has run nothing."""

import json
from dataclasses import asdict

import pytest

from benchmarks.comparison import speed as compare_speed
from benchmarks.comparison.archive import archive, restore
from benchmarks.comparison.page import gather, write_page
from benchmarks.comparison.run import Runner
from benchmarks.comparison.standing import least, pair
from benchmarks.comparison.store import Kept, Store
from benchmarks.comparison.suite import find
from benchmarks.regrets.compact_record import RUNS, compact, expanded
from benchmarks.regrets.run import Contender, Job, Record


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    (contest,) = find(["camel"])
    store = Store(tmp_path_factory.mktemp("results"))
    jobs = [job for name in ("random", "sobol") for job in contest.jobs(Contender(name), 2)]
    Runner(store, say=[].append).run_all(jobs)
    store.keep(Kept(Job(contest.case, Contender("optuna-gp"), contest.budget, 3), failed="killed after 9 s"))
    (store.folder / compare_speed.FILE).write_text(
        json.dumps([asdict(compare_speed.Speed("auto", 6, 100, 1.0, 0.5, 0.1, 90.0))])
    )
    return store


def test_what_is_restored_gives_the_same_page(store, tmp_path):
    page = tmp_path / "comparison.md"
    archive(store, page)
    other = Store(tmp_path / "results")
    assert restore(other, page) == 5
    first = write_page(store, tmp_path / "first.md").read_text()
    second = write_page(other, tmp_path / "second.md").read_text()
    assert second.replace("(second/", "(first/") == first
    assert len(gather(other).kept) == 5
    archive(other, tmp_path / "again.md")
    assert (tmp_path / "again" / RUNS).read_bytes() == (tmp_path / "comparison" / RUNS).read_bytes()


def test_what_ran_here_is_not_replaced(store, tmp_path):
    page = tmp_path / "comparison.md"
    archive(store, page)
    before = store.everything()
    assert restore(store, page) == 0
    assert store.everything() == before


def test_where_there_is_nothing_nothing_is_brought(tmp_path):
    assert restore(Store(tmp_path / "results"), tmp_path / "comparison.md") == 0


def test_what_counts_as_equal_and_who_is_ahead_are_the_same_once_restored():
    (contest,) = find(["camel"])
    told = {"optuna-gp": 1.0 / 27.0, "auto": 1.0 / 27.0 + 1e-15}
    runs = {}
    for name, last in told.items():
        # The first point of the start design is by chance the best of it.
        regrets = (0.5, *(100.0 + k for k in range(9)), last)
        runs[name] = [Record(Job(contest.case, Contender(name), 11, 0), regrets, (0.0,) * 11, 10)]
    again = {name: [expanded(own[0].job, compact(own[0]))] for name, own in runs.items()}
    assert least(again) == least(runs)
    assert pair(again, "auto", "optuna-gp", 1.0) == pair(runs, "auto", "optuna-gp", 1.0)
