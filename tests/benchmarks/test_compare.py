"""The comparison with other projects' optimisers: its problems, its runs in processes, and its page."""

import json
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.compare import in_order, main
from benchmarks.comparison import parallel as compare_parallel
from benchmarks.comparison import speed as compare_speed
from benchmarks.comparison.run import Runner
from benchmarks.comparison.store import KILLED, Kept, Store, fingerprint
from benchmarks.comparison.suite import (
    few_suite,
    find,
    noise_of,
    parallel_suite,
    peers_named,
    public_suite,
    untold_suite,
)
from benchmarks.functions.workloads import WORKLOADS, lacking, workload_function
from benchmarks.project import PROJECT
from benchmarks.regrets.compact_record import RUNS
from benchmarks.regrets.run import Case, Contender, Job, Record
from evaluators.synthetic import NAMES, synthetic
from orchestrator.algorithms.peers.offered import PEERS
from orchestrator.errors import UsageError

JOB = Job(Case("camel", shifted=True), Contender("sobol"), budget=12, seed=1)


def silent(line):
    del line


def test_the_suite_holds_every_function_shifted_and_every_workload():
    suite = public_suite()
    assert {contest.case.function for contest in suite} == {*NAMES, *WORKLOADS}
    assert all(contest.case.shifted for contest in suite if contest.case.function in NAMES)
    assert len({contest.name for contest in suite}) == len(suite)
    assert all(
        contest.seeds == (10 if contest.dimension <= 10 else 5) for contest in suite if _exact(contest)
    )


def _exact(contest):
    return contest.case.function in NAMES


def test_problems_are_found_without_their_hyphens_and_others_than_the_suite_s_as_well():
    names = [contest.name for contest in find(["hartmann6", "Shekel4", "levy-3-noisy"])]
    assert names == ["hartmann-6", "shekel-4", "levy-3-noisy"]
    assert find(["levy-3-noisy"])[0].case.noise > 0


def test_a_problem_that_does_not_exist_is_refused_with_a_near_miss():
    with pytest.raises(UsageError, match="hartmann-6"):
        find(["hartman-6"])


def test_a_peer_that_does_not_exist_is_refused():
    assert peers_named("none") == []
    assert peers_named("all") == sorted(PEERS)
    with pytest.raises(UsageError, match="got `random`"):
        peers_named("optuna-tpe,random")


def test_noise_is_small_beside_what_there_is_to_gain():
    for name in ("camel", "powell-24", "mixed-ackley-10"):
        built = synthetic(name)
        values = built.evaluate(built.box.sample(500, np.random.default_rng(1)))
        assert 0.005 < noise_of(name) / float(np.median(built.regret(values))) < 0.1


def test_the_untold_suite_differs_in_what_is_said_of_noise_alone():
    for told, untold in untold_suite():
        assert told.case.noise_told
        assert untold.case == replace(told.case, noise_told=False)
        assert untold.budget == told.budget
    assert {told.case.noise > 0.0 for told, _ in untold_suite()} == {True, False}


def test_the_suite_of_few_trials_differs_in_how_many_are_spread_alone():
    for long, short in few_suite():
        assert short.case == replace(long.case, start_points=short.case.start_points)
        assert short.case.start_points <= (long.budget + 1) / 2
        assert (short.budget, short.name) == (long.budget, long.name)
    assert {long.case.noise > 0.0 for long, _ in few_suite()} == {True, False}


def test_the_parallel_suite_differs_in_the_workers_alone():
    for alone, crowd in parallel_suite():
        assert crowd.case == replace(alone.case, crew=crowd.case.crew)
        assert crowd.case.crew.parallel == 8
        assert not crowd.case.crew.synchronous


def test_the_first_seed_of_everything_comes_before_the_second_of_anything():
    jobs = in_order(find(["camel", "rosenbrock-10"]), [Contender("random"), Contender("sobol")], 2)
    assert [job.seed for job in jobs] == [0] * 4 + [1] * 4
    assert jobs[0].case.function == "camel"


def test_a_run_is_a_process_whose_file_is_not_run_again(tmp_path):
    said = []
    runner = Runner(Store(tmp_path), say=said.append)
    (kept,) = runner.run_all([JOB])
    assert len(kept.record.regrets) == 12
    assert kept.megabytes > 10
    assert not kept.stale
    assert len(list(tmp_path.rglob("seed-1-*.json"))) == len(list(tmp_path.rglob("*.json"))) == 1
    assert len(said) == 1
    assert runner.run_all([JOB])[0].record.regrets == kept.record.regrets
    assert len(said) == 1


def test_a_run_that_raises_is_kept_with_its_reason_and_tried_again(tmp_path):
    broken = replace(JOB, contender=Contender("gp-ei", {"no_such_option": 1}))
    runner = Runner(Store(tmp_path), say=silent)
    failed, sound = runner.run_all([broken, JOB])
    assert failed.record is None
    assert "no_such_option" in failed.failed
    assert sound.record is not None
    assert not Store(tmp_path).find(broken).final(60.0)


def test_a_capped_run_is_final_for_as_small_a_cap_and_not_for_a_larger_one(tmp_path):
    slow = replace(JOB, contender=Contender("gp-ei"), budget=40)
    (kept,) = Runner(Store(tmp_path), cap_s=0.0, say=silent).run_all([slow])
    assert 1 <= len(kept.record.regrets) < 40
    assert kept.final(0.0)
    assert not kept.final(10.0)
    hung = Kept(JOB, None, f"{KILLED} after 99 s", cap_s=10.0)
    assert hung.final(10.0)
    assert not hung.final(20.0)


def test_a_file_that_is_torn_counts_as_none(tmp_path):
    store = Store(tmp_path)
    path = store.keep(Kept(JOB, None, "why"))
    path.write_text(path.read_text()[:-9])
    assert store.find(JOB) is None
    assert store.everything() == []


def test_another_budget_crew_or_option_is_another_file(tmp_path):
    store = Store(tmp_path)
    others = [
        replace(JOB, budget=13),
        replace(JOB, seed=2),
        replace(JOB, contender=Contender("sobol", {"x": 1})),
        replace(JOB, case=replace(JOB.case, noise=0.5)),
    ]
    assert len({store.path(job) for job in [JOB, *others]}) == 5
    assert store.path(replace(JOB, contender=Contender("sobol", {}, "a label"))) == store.path(JOB)


def test_results_of_older_code_are_told_apart():
    assert Kept(JOB, code="0000").stale
    assert not Kept(JOB, code=fingerprint("sobol")).stale
    assert fingerprint("optuna-tpe") != fingerprint("smac")
    assert fingerprint("of-another-package") == fingerprint("of-a-third")


def test_interrupted_it_ends_its_processes_and_keeps_what_has_ended(tmp_path):
    command = [
        sys.executable,
        "-m",
        "benchmarks.compare",
        "--problems",
        "camel",
        "--algorithms",
        "random,sobol",
    ]
    options = ["--seeds", "9", "--no-page", "--results", str(tmp_path)]
    process = subprocess.Popen(
        [*command, *options], cwd=PROJECT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    first = process.stderr.readline()
    assert first.startswith("[1/18]")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 130
    assert said.endswith("goes on from there\n")
    assert "Traceback" not in said
    done = list(tmp_path.rglob("*.json"))
    assert 1 <= len(done) < 18
    assert all(json.loads(path.read_text())["record"] is not None for path in done)


def test_one_that_begins_as_it_is_interrupted_is_ended_too(tmp_path, monkeypatch):
    runner, begun = Runner(Store(tmp_path)), []

    class Late(subprocess.Popen):
        def __init__(self, *told, **how):
            super().__init__(*told, **how)
            begun.append(self)
            runner._ended.set()

    monkeypatch.setattr("benchmarks.comparison.run.subprocess.Popen", Late)
    assert runner.run_all([JOB]) == []
    assert [one.returncode for one in begun] == [-signal.SIGKILL]


def test_the_command_runs_prints_and_writes_the_page(tmp_path, capsys):
    page = tmp_path / "comparison.md"
    page.write_text("# Ours\n\n<!-- measured -->\nFormer words\n<!-- end of measured -->\n\n## By hand\n")
    told = ["--problems", "hartmann3", "--algorithms", "random,sobol", "--seeds", "1", "--jobs", "2"]
    assert main([*told, "--results", str(tmp_path / "kept"), "--page", str(page)]) == 0
    printed = capsys.readouterr().out
    assert "hartmann-3\n| algorithm" in printed
    assert "regret at 100" in printed
    text = page.read_text()
    assert "Former" not in text
    assert text.startswith("# Ours")
    assert text.endswith("## By hand\n")
    assert "have no problem in common yet" in text
    assert "### hartmann-3, 3 parameters" in text
    assert (tmp_path / "comparison" / "profile.svg").read_text().startswith("<svg")

    runs = (tmp_path / "comparison" / RUNS).read_text()
    assert main([*told, "--seeds", "0", "--results", str(tmp_path / "other"), "--page", str(page)]) == 0
    assert "2 runs of comparison.md that were not here count as run" in capsys.readouterr().err
    assert (tmp_path / "comparison" / RUNS).read_text() == runs, "another folder's page loses no runs"


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (["--algorithms", "no-such"], "expected an algorithm"),
        (["--algorithms", "random", "--problems", "no-such"], "no-such"),
        (["--algorithms", "random", "--peers", "no-such"], "--peers: expected all"),
        (["--suite", "parallel", "--problems", "camel,powell-24"], "expected some of camel, hartmann-3,"),
        (["--suite", "untold", "--problems", "camel,powell-24"], "for the suite untold, got `powell-24`"),
        (["--suite", "few", "--problems", "camel,powell-24"], "for the suite few, got `powell-24`"),
    ],
)
def test_what_does_not_exist_is_said_in_a_sentence(told, sentence, capsys):
    assert main([*told, "--no-page"]) == 2
    assert sentence in capsys.readouterr().err


def test_the_rover_is_moved_with_a_good_way_of_its_own_still_open():
    moved = workload_function("rover", 3, shifted=True)
    assert moved.dimension == 60
    assert moved.regret(moved.evaluate(moved.optimum.points))[0] < 0.2
    plain = workload_function("rover", 3, shifted=False)
    assert not np.allclose(plain.optimum.points, moved.optimum.points)


def test_a_network_s_noise_comes_from_the_seed_of_its_evaluation():
    network = workload_function("network-breast-cancer", 0, shifted=False)
    place = np.array([[4.0, 4.0, -2.0, 6.0]])
    assert network.observe(place, 1) == network.observe(place, 1)
    assert 0.0 <= network.regret(network.evaluate(place))[0] <= 1.0


def test_what_a_workload_lacks_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "Box2D", None)
    assert "Box2D" in lacking("push-3")
    assert lacking("rover") is None
    assert lacking("camel") is None


def test_speed_is_measured_with_every_result_told():
    speed = compare_speed.measured(compare_speed.Cell("sobol", 6, 50))
    assert (speed.algorithm, speed.dimension, speed.n) == ("sobol", 6, 50)
    assert speed.first_s > 0
    assert speed.refit_s == 0.0
    assert speed.megabytes > 10


def test_refits_count_in_what_a_suggestion_takes():
    speed = compare_speed.measured(compare_speed.Cell("gp-ei", 6, 20))
    assert speed.refit_s > 0
    assert speed.whole_s == speed.ask_s + speed.refit_s


def test_the_speed_table_gives_shares_of_the_yardstick_s_seconds():
    rows = [
        compare_speed.Speed("auto", 6, 100, 1.0, 0.1, 0.15, 100.0),
        compare_speed.Speed(compare_speed.YARDSTICK, 6, 100, 1.0, 0.5, 0.0, 100.0),
        compare_speed.Speed("auto", 24, 100, 1.0, 0.1, 0.0, 100.0),
    ]
    _, _, first, other, second = compare_speed.table(rows)
    assert "| 0.1 | 1/5 | 0.25 | 1/2 |" in first
    assert "| 0.1 |  | 0.1 |  | 1 |" in other
    assert "| 0.5 | 1 | 0.5 | 1 |" in second


def test_the_parallel_table_is_over_the_seeds_that_ran_both_ways(tmp_path):
    store = Store(tmp_path)
    alone, crowd = compare_parallel.pairs(["camel"])[0]
    contender = Contender("sobol")
    for contest, seeds, regret in ((alone, 2, 1.0), (crowd, 1, 2.0)):
        for job in contest.jobs(contender, seeds):
            regrets = (9.0,) * 10 + (regret,) * 140
            store.keep(Kept(job, Record(job, regrets, (0.0,) * 150, 10)))
    rows = compare_parallel.measured([(alone, crowd)], [contender], store)
    (_, _, line) = compare_parallel.table(rows)
    assert line == "| camel | sobol | 1 | 1 | 1 | 2 | 2.00 | 1 | 1 | 2 | 2.00 | 2 to 2 |"
    said = compare_parallel.verdict(rows, "sobol")
    assert said.count("**missed** on 1 of 1: camel (2)") == 2
    assert "met on all 0" in compare_parallel.verdict(rows, "auto")


def test_the_parallel_table_says_what_one_worker_had_found_seven_evaluations_before(tmp_path):
    store = Store(tmp_path)
    alone, crowd = compare_parallel.pairs(["camel"])[0]
    contender = Contender("sobol")
    for contest in (alone, crowd):
        for job in contest.jobs(contender, 3):
            late = 0 if contest is alone else 7
            falling = tuple(0.9 ** (i - late) for i in range(150))
            store.keep(Kept(job, Record(job, falling, (0.0,) * 150, 10)))
    (row,) = compare_parallel.measured([(alone, crowd)], [contender], store)
    for moment in (row.half, row.full):
        assert moment.behind == moment.crowd == pytest.approx(moment.alone / 0.9**7, rel=1e-5)
        assert moment.ratio == pytest.approx(0.9**-7, rel=1e-5)


def test_a_ratio_of_few_runs_comes_with_how_far_luck_carries_it(tmp_path):
    store = Store(tmp_path)
    alone, crowd = compare_parallel.pairs(["camel"])[0]
    contender = Contender("sobol")
    # One of five runs on another hill, alone and in parallel, under different seeds.
    for contest, unlucky in ((alone, 0), (crowd, 4)):
        for job in contest.jobs(contender, 5):
            regret = 5.0 if job.seed == unlucky else 1.0
            regrets = (9.0,) * 10 + (regret,) * 140
            store.keep(Kept(job, Record(job, regrets, (0.0,) * 150, 10)))
    (row,) = compare_parallel.measured([(alone, crowd)], [contender], store)
    low, high = row.likely
    assert (row.full.alone, row.full.crowd) == (1.0, 1.0)
    assert 0.19 < low <= 1.0 <= high < 5.1
    assert (low, high) != (1.0, 1.0)
    assert row.likely == compare_parallel.measured([(alone, crowd)], [contender], store)[0].likely


def test_refits_are_shared_by_the_results_that_came_meanwhile(monkeypatch):
    """By a clock that refits alone move on: one of two seconds for every five results."""
    now = [0.0]

    class Refitting:
        told = fitted = 0

        def tell(self, observations):
            self.told += len(observations)

        def ask(self, *_):
            return []

        def refit_due(self):
            return 1 if self.told - self.fitted >= 5 else None

        def compute_refit(self, number):
            now[0] += 2.0
            return number

        def adopt(self, _):
            self.fitted = self.told

    monkeypatch.setattr("benchmarks.comparison.speed.registry.build", lambda *_: Refitting())
    monkeypatch.setattr("benchmarks.comparison.speed.time.process_time", lambda: now[0])
    speed = compare_speed.measured(compare_speed.Cell("auto", 6, 40))
    assert (speed.first_s, speed.ask_s, speed.refit_s) == (2.0, 0.0, 4 * 2.0 / 20)
