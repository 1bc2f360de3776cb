"""The papers' tables: what is queued, kept, resumed and written; and, marked, that the values are reached."""

import io
import re
import shutil
from contextlib import redirect_stderr
from dataclasses import replace
from statistics import fmean, median

import pytest

from benchmarks import papers
from benchmarks.papers import jobs_of, main, unavailable
from benchmarks.published import page as paper_page
from benchmarks.published.archive import restore
from benchmarks.published.page import Outcome, beaten, table_of
from benchmarks.published.tables import TABLES, Entry, Experiment, PaperTable
from benchmarks.regrets.compact_record import RUNS
from benchmarks.regrets.run import Case, Contender, Job, Record, run, space_of
from benchmarks.regrets.store import Bench
from evaluators.synthetic import synthetic
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Problem

TINY = PaperTable(
    "tiny",
    "A tiny table",
    "Nobody",
    3,
    (
        Experiment(
            "camel",
            6,
            (
                Entry(Contender("sobol", {}, "ours"), own=True, paper=1e6),
                Entry(Contender("random", {}, "theirs"), paper=0.0, paper_s=1.5),
                Entry(Contender("add-messages", {}, "absent")),
            ),
        ),
    ),
)


@pytest.fixture
def tiny(monkeypatch):
    for module in (papers, paper_page):
        monkeypatch.setattr(module, "TABLES", {"tiny": TINY})
    return TINY


@pytest.fixture(scope="module")
def ran_once(tmp_path_factory):
    """Where the tiny table ran: `results.md`, what lies beside it, its runs in `kept`; and what was said."""
    folder, said = tmp_path_factory.mktemp("tiny"), io.StringIO()
    asked = ["--seeds", "2", "--cores", "2", "--write"]
    asked += ["--results", str(folder / "kept"), "--page", str(folder / "results.md")]
    with pytest.MonkeyPatch.context() as patch, redirect_stderr(said):
        for module in (papers, paper_page):
            patch.setattr(module, "TABLES", {"tiny": TINY})
        assert main(asked) == 0
    return folder, said.getvalue()


@pytest.fixture
def ran(tiny, ran_once, tmp_path):
    """A copy of it, which a test may change."""
    shutil.copytree(ran_once[0], tmp_path, dirs_exist_ok=True)
    return tmp_path


def records(label, own, regrets, paper=None):
    entry = Entry(Contender("random", {}, label), own=own, paper=paper)
    jobs = [Job(Case("camel"), entry.contender, 1, seed) for seed in range(len(regrets))]
    return Outcome(entry, [Record(j, (r,), (0.0,), 1) for j, r in zip(jobs, regrets, strict=True)], [])


@pytest.mark.long
def test_a_table_runs_end_to_end_and_is_not_run_again(ran_once, ran, capsys):
    assert "[8/8]" in ran_once[1]
    asked = ["--seeds", "2", "--cores", "2", "--results", str(ran / "kept"), "--write"]
    asked += ["--page", str(ran / "results.md")]
    page = (ran / "results.md").read_text()
    assert "| ours, camel | 1,000,000 |" in page
    assert re.search(r"\*\*ours\*\* \| 1,000,000 \| .+ \| 2 of 3 \| yes \| .+ \| 2 of 3 \|", page)
    assert re.search(r"\| theirs \| 0 \| .+ \| 2 of 3 \| \*\*no\*\* \|", page)
    assert "(not built)" in page
    assert main([*asked, "--seeds", "0"]) == 0
    assert main(asked) == 0
    assert "regret" not in capsys.readouterr().err
    assert (ran / "results.md").read_text() == page
    assert main([*asked, "--seeds", "9", "--own", "--unshifted"]) == 0
    assert "[1/1]" in capsys.readouterr().err  # never more than the paper's repeats


@pytest.mark.long
def test_what_is_kept_beside_the_page_gives_the_same_page_on_another_machine(ran):
    here, there = ran / "results.md", ran / "there.md"
    other = Bench(1, ran / "other")
    assert restore(other, here) == 8
    assert restore(other, here) == 0
    kept_there = ["--write", "--seeds", "0", "--results", str(ran / "other"), "--page", str(there)]
    assert main(kept_there) == 0
    assert there.read_text() == here.read_text()
    assert (ran / "there" / RUNS).read_bytes() == (ran / "results" / RUNS).read_bytes()


@pytest.mark.long
def test_runs_of_what_cannot_run_here_stay_beside_the_page(ran, monkeypatch):
    asked = ["--cores", "1", "--write", "--results", str(ran / "kept")]
    asked += ["--page", str(ran / "results.md")]
    kept = (ran / "results" / RUNS).read_text()
    able = papers.unavailable
    monkeypatch.setattr(
        papers, "unavailable", lambda entry: "needs the extra" if entry.name == "theirs" else able(entry)
    )
    assert main([*asked, "--seeds", "0"]) == 0
    assert (ran / "results" / RUNS).read_text() == kept


@pytest.mark.long
def test_a_page_written_from_another_folder_loses_no_runs(ran, capsys):
    asked = ["--cores", "1", "--write", "--page", str(ran / "results.md")]
    kept, page = (ran / "results" / RUNS).read_text(), (ran / "results.md").read_text()
    assert main([*asked, "--seeds", "0", "--results", str(ran / "empty")]) == 0
    assert "8 runs of results.md that were not here count as run" in capsys.readouterr().err
    assert (ran / "results" / RUNS).read_text() == kept
    assert (ran / "results.md").read_text() == page


def test_the_queue_goes_seed_by_seed_and_the_papers_own_first(tiny):
    jobs = jobs_of([tiny], None)
    assert [job.seed for job in jobs] == sorted(job.seed for job in jobs)
    assert len(jobs) == 2 * 2 * 3
    everything = jobs_of(list(TABLES.values()), 1)
    keys = [job.key for job in everything]
    assert len(set(keys)) == len(keys)
    model = [
        job.contender.algorithm for job in everything if job.contender.algorithm not in papers.WITHOUT_MODEL
    ]
    own = {e.contender.algorithm for t in TABLES.values() for _, e in t.rows() if e.own}
    assert set(model[:40]) <= own
    assert {job.contender.algorithm for job in jobs_of(list(TABLES.values()), 1, "own")} == own
    quick = jobs_of(list(TABLES.values()), 1, "quick")
    assert {job.contender.algorithm for job in quick} <= papers.WITHOUT_MODEL
    assert quick


def test_a_function_that_the_tables_do_not_have_is_refused_with_those_that_they_have(tiny, capsys):
    assert main(["--function", "camel", "--function", "camell"]) == 2
    assert "--function: expected some of camel, got `camell`" in capsys.readouterr().err


def test_every_row_of_the_papers_can_be_built_here_or_says_why_not():
    for table in TABLES.values():
        for experiment, entry in table.rows():
            if unavailable(entry):
                assert entry.contender.algorithm not in registry.BUILT_IN
                continue
            function = synthetic(experiment.function)
            problem = Problem(
                space_of(function).domain,
                factors=None if entry.structure == "hidden" else function.factors,
                trials=experiment.budget,
            )
            registry.build(entry.contender.algorithm, problem, entry.contender.options)


def test_a_value_is_reached_only_if_the_mean_is_too():
    lucky = records("a", True, [0.1, 0.1, 5.0], paper=0.2)
    assert lucky.median == 0.1
    assert lucky.reaches is False
    assert records("a", True, [0.1, 0.2], paper=0.2).reaches is True
    assert records("a", True, [], paper=0.2).reaches is None


def test_where_we_lose_the_page_says_so():
    ours, theirs = records("ours", True, [2.0, 3.0]), records("theirs", False, [1.0, 1.0])
    assert beaten([ours, theirs]) == ["As published, ours (2.5) loses to theirs (1)."]
    assert beaten([ours, records("theirs", False, [4.0])]) == [
        "As published, ours (2.5) is ahead of all baselines that ran: theirs (4)."
    ]


def test_runs_that_a_cap_ended_are_counted():
    row = records("a", True, [1.0, 2.0])
    capped = Outcome(row.entry, [replace(row.plain[0], cap_s=3.0), row.plain[1]], [])
    assert "2 of 5, 1 ended early" in "\n".join(table_of([capped], 5))


VALUES = [
    pytest.param(e, x, id=f"{x.name}, {e.function}")
    for t in TABLES.values()
    for e, x in t.rows()
    if x.own and x.paper is not None
]


@pytest.mark.papers
@pytest.mark.parametrize(("experiment", "entry"), VALUES)
def test_the_papers_value_is_reached_with_two_seeds(experiment, entry):
    regrets = [run(job).simple_regret(job.budget) for job in experiment.jobs(entry, False, 2)]
    assert max(median(regrets), fmean(regrets)) <= entry.paper
