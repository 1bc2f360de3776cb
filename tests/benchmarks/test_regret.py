"""Algorithms run on synthetic functions: what is recorded, kept, resumed and tabulated."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.regret import main
from benchmarks.regrets.run import Case, Contender, Crew, Job, Record, run, space_of
from benchmarks.regrets.store import Bench
from benchmarks.regrets.table import Quartiles, summarise, table
from evaluators.synthetic import synthetic
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Noise
from orchestrator.algorithms.dumbo import Dumbo

CAMEL = Job(Case("camel"), Contender("random"), budget=30, seed=3)


def test_a_run_spends_its_budget_and_its_simple_regret_never_rises():
    record = run(CAMEL)
    assert len(record.regrets) == len(record.seconds) == 30
    assert (np.diff(record.curve) <= 0).all()
    assert record.simple_regret(30) == min(record.regrets) > 0
    assert record.simple_regret(15) == min(record.regrets[:15])


def test_the_same_job_gives_the_same_regrets_and_another_seed_does_not():
    assert run(CAMEL).regrets == run(CAMEL).regrets != run(replace(CAMEL, seed=4)).regrets


def test_every_algorithm_gets_the_same_start_design():
    starts = [
        run(replace(CAMEL, contender=Contender(name), budget=10)).regrets for name in ("sobol", "gp-ei")
    ]
    assert starts[0] == starts[1]


def test_regret_is_that_of_the_noiseless_value_and_learning_is_not():
    noisy = replace(CAMEL, case=Case("camel", noise=0.5), contender=Contender("egp-ts"), budget=14)
    exact = replace(noisy, case=Case("camel"))
    assert run(noisy).regrets[:10] == run(exact).regrets[:10]
    assert run(noisy).regrets != run(exact).regrets


def test_shifting_moves_the_optimum_away_from_where_it_was():
    case = Case("rastrigin-3", shifted=True)
    assert case.instance(1).evaluate(np.zeros((1, 3)))[0] < case.instance(1).optimum.value - 1
    assert (
        run(Job(case, Contender("sobol"), 5, 1)).regrets != run(Job(case, Contender("sobol"), 5, 2)).regrets
    )


def test_integers_and_choices_are_optimised_as_such():
    function = synthetic("mixed-ackley-10")
    space = space_of(function)
    point = np.array([[float(v) for v in space.decode(space.encode(_optimum(function))).values()]])
    assert function.regret(function.evaluate(point))[0] == pytest.approx(0, abs=1e-9)
    run(Job(Case("mixed-ackley-10"), Contender("random"), 5, 0))


def _optimum(function):
    whole = [kind != "float" for kind in function.box.kinds]
    point = function.optimum.points[0]
    return {f"x{i + 1}": int(v) if w else float(v) for i, (v, w) in enumerate(zip(point, whole, strict=True))}


@pytest.mark.parametrize("crew", [Crew(4), Crew(4, synchronous=True)], ids=["asynchronous", "synchronous"])
def test_several_at_a_time_spend_the_same_budget(crew):
    record = run(replace(CAMEL, case=Case("camel", crew=crew), contender=Contender("egp-ts"), budget=18))
    assert len(record.regrets) == len(record.seconds) == 18


def test_observed_factors_are_told(monkeypatch):
    told, tell = [], Dumbo.tell

    def heard(algorithm, observations):
        told.extend(observations)
        tell(algorithm, observations)

    monkeypatch.setattr(Dumbo, "tell", heard)
    case = Case("powell-8", structure="observed")
    run(Job(case, Contender("dumbo"), 12, 0))
    assert [len(one.factors) for one in told] == [2] * 12
    assert [float(sum(one.factors)) for one in told] == pytest.approx([one.value for one in told])


def test_a_cap_on_the_optimisers_time_ends_a_run_early():
    record = run(CAMEL, cap_s=0.0)
    assert record.cap_s == 0.0
    assert 1 <= len(record.regrets) < 30
    assert record.simple_regret(30) == record.regrets[0]


def test_what_is_in_the_folder_is_not_run_again(tmp_path):
    said: list[str] = []
    bench = Bench(cores=1, folder=tmp_path, say=said.append)
    jobs = [replace(CAMEL, seed=seed, budget=6) for seed in range(2)]
    first = bench.run_all(jobs)
    assert len(said) == 2
    (file,) = tmp_path.iterdir()
    file.write_text(file.read_text() + '\n{"job": {"ca')  # a crash in the middle of a line
    with pytest.warns(UserWarning, match=r"camel\.jsonl:3 is no record"):
        again = bench.run_all([*jobs, replace(CAMEL, seed=9, budget=6)])
    assert again[:2] == first
    assert len(said) == 3
    with pytest.warns(UserWarning, match=r"camel\.jsonl:3"):
        assert len(bench.stored(Case("camel"))) == 3


def running() -> dict[int, int]:
    """The parent of every process that has not ended, whether or not anybody has heard of its end."""
    found = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = status.read_text().rsplit(")", 1)[1].split()[:2]
        except OSError:
            continue
        if state not in "ZX":
            found[int(status.parent.name)] = int(parent)
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_a_command_that_is_killed_leaves_nothing_running(tmp_path):
    endless = ["camel", "--budget", "100000000", "--seeds", "2", "--algorithms", "random", "--cores", "2"]
    command = [sys.executable, "-m", "benchmarks.regret", *endless, "--results", str(tmp_path)]
    patience = time.monotonic() + 300.0
    with subprocess.Popen(command) as bench:
        # Two that run, and the one that multiprocessing keeps beside them.
        while len(started := {one for one, parent in running().items() if parent == bench.pid}) < 3:
            assert time.monotonic() < patience, "it starts no processes"
            time.sleep(0.05)
        bench.kill()
    while started & running().keys():
        assert time.monotonic() < patience, "they compute on for nobody"
        time.sleep(0.05)


def test_a_run_that_raises_is_reported_and_holds_up_no_other(tmp_path):
    said: list[str] = []
    bench = Bench(cores=1, folder=tmp_path, say=said.append)
    wrong = replace(CAMEL, contender=Contender("egp-ts", {"features": -1}))
    assert [record.job for record in bench.run_all([wrong, replace(CAMEL, budget=4)])] == [
        replace(CAMEL, budget=4)
    ]
    assert any("SpecError" in line and "features" in line for line in said)


def run_unless_killed(job: Job, cap_s: float | None) -> Record:
    """A run, of which the first seed's is ended as the kernel ends a process that memory is short for."""
    if job.seed == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return run(job, cap_s)


def test_a_run_whose_process_is_killed_holds_up_no_other(tmp_path, monkeypatch):
    monkeypatch.setattr("benchmarks.regrets.store.run", run_unless_killed)
    said: list[str] = []
    jobs = [replace(CAMEL, seed=seed, budget=4) for seed in range(3)]
    found = Bench(cores=1, folder=tmp_path, say=said.append).run_all(jobs)
    assert [record.job for record in found] == jobs[1:]
    assert any("seed 0: BrokenProcessPool" in line for line in said)


def test_the_table_shows_medians_and_quartiles_at_half_and_full_budget():
    records = [
        Record(replace(CAMEL, seed=k, budget=4), (9.0, 5.0 + k, 7.0, 1.0 + k), (0.0, 0.0, 2.0, 4.0), 2)
        for k in range(5)
    ]
    (row,) = summarise(records)
    assert row.half == Quartiles(6.0, 7.0, 8.0)
    assert row.full == Quartiles(2.0, 3.0, 4.0)
    assert row.ask_s == 3.0
    assert "7 [6, 8]" in table([row], 4)


def test_the_command_prints_a_table_and_refuses_what_does_not_exist(tmp_path, capsys):
    asked = ["camel", "--budget", "4", "--seeds", "1", "--results", str(tmp_path), "--cores", "1"]
    assert main([*asked, "--algorithms", "random,sobol"]) == 0
    assert "regret at 4" in capsys.readouterr().out
    assert main([*asked, "--algorithms", "rendom"]) == 2
    assert "did you mean `random`" in capsys.readouterr().err
    assert main(["camell", "--algorithms", "random", *asked[1:]]) == 2
    (file,) = tmp_path.iterdir()
    assert len([json.loads(line) for line in file.read_text().splitlines()]) == 2


@pytest.fixture
def slow_search(monkeypatch):
    """A random search that takes a second to ask and ten to tell, by the clock that is returned, and the
    problems that it was built for.
    """
    now, problems = [0.0], []
    build = registry.build

    def built(name, problem, options=None):
        problems.append(problem)
        algorithm = build(name, problem, options or {})
        ask, tell = algorithm.ask, algorithm.tell

        def slow_ask(*told):
            now[0] += 1.0
            return ask(*told)

        def slow_tell(observations):
            now[0] += 10.0
            tell(observations)

        monkeypatch.setattr(algorithm, "ask", slow_ask)
        monkeypatch.setattr(algorithm, "tell", slow_tell)
        return algorithm

    monkeypatch.setattr(registry, "build", built)
    return (lambda: now[0]), problems


def test_a_suggestion_takes_the_ask_and_all_that_was_told_since_the_one_before(slow_search):
    clock, _ = slow_search
    assert run(replace(CAMEL, budget=4), clock=clock).seconds == (1.0, 11.0, 11.0, 11.0)


def test_a_cap_counts_what_is_told_as_well(slow_search):
    clock, _ = slow_search
    record = run(CAMEL, cap_s=20.0, clock=clock)
    assert (record.seconds, record.cap_s) == ((1.0, 11.0, 11.0), 20.0)


@pytest.mark.parametrize(
    ("case", "told"),
    [
        (Case("camel"), Noise("known", 0.0)),
        (Case("camel", noise=0.5), Noise("known", 0.5)),
        (Case("camel", noise=0.5, noise_told=False), Noise()),
    ],
    ids=["exact", "noisy", "untold"],
)
def test_whoever_chooses_is_told_the_noise_the_start_design_and_the_budget(slow_search, case, told):
    clock, problems = slow_search
    run(replace(CAMEL, case=case, budget=4), clock=clock)
    (problem,) = problems
    assert (problem.noise, problem.start_points, problem.trials) == (told, 10, 4)
    assert problem.factors is None
