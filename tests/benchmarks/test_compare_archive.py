"""The page can be written again from the files beside it, on a machine that has run nothing."""

import json
from dataclasses import asdict

import pytest

from benchmarks import compare_speed
from benchmarks.compact_record import RUNS
from benchmarks.compare_archive import archive, restore
from benchmarks.compare_page import gather, write_page
from benchmarks.compare_run import Runner
from benchmarks.compare_store import Kept, Store
from benchmarks.compare_suite import find
from benchmarks.regret_run import Contender, Job


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
