"""The specs to copy of who evaluates do what they say: programs, people, workers elsewhere, jobs."""

from __future__ import annotations

import shutil
import signal

import pytest
from lab_bench import PATIENCE_S, Bench

from benchmarks.running.free_port import free_port


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_any_program_is_an_evaluator_and_one_that_complains_is_quoted(bench: Bench) -> None:
    spec = bench.shorten(
        "program.yaml",
        budget={"trials": 4},
        initial={"points": [{"angle": 40.0, "mass": 0.0}]},
        parameters={"mass": {"type": "float", "bounds": [0.0, 2.0]}},
    )
    bench.says("run", spec, "--quiet")
    complained, *thrown = bench.trials()
    assert (complained["state"], complained["attempts"]) == ("failed", 2)
    assert "exit code 2" in complained["message"]
    assert "expected -v angle=DEGREES" in complained["message"]
    assert [trial["state"] for trial in thrown] == ["completed"] * 3
    assert all(1.0 < trial["distance"] < 25.0 and trial["height"] > 1.5 for trial in thrown)


WITHOUT_AN_END = """\
import time
from evaluators.context import Context
from evaluators.learning import network

class Unstopped(Context):
    def report(self, step, **values):
        super().report(step, **values)
        if step == 3 and values["accuracy"] < 0.8:
            time.sleep(600)

def trained(parameters, *, context, **options):
    told = {name: getattr(context, name) for name in ("trial", "attempt", "seed", "directory")}
    report = lambda step, values: context.report(step, **values)
    return network(parameters, context=Unstopped(**told, options=options, report=report), **options)
"""
"""The network, whose training never ends where it should have been stopped."""


def test_a_hopeless_training_is_stopped_and_its_trial_says_so(bench: Bench) -> None:
    (bench.folder / "without_an_end.py").write_text(WITHOUT_AN_END)
    # A learning rate of a millionth learns nothing; one of a hundredth is right in nearly every case.
    points = [
        {"neurons_1": 30, "neurons_2": 30, "batch_size": 32, "learning_rate": rate} for rate in (1e-6, 1e-2)
    ]
    spec = bench.shorten(
        "stop-early.yaml",
        budget={"trials": 2},
        initial={"points": points},
        workers={"local": 1},
        evaluation={
            "evaluator": "without_an_end:trained",
            "options": {"dataset": "wine", "repeats": 4},
        },
    )
    said = bench.says("run", spec, "--plain")
    hopeless, good = bench.trials()
    assert (hopeless["state"], hopeless["accuracy"]) == ("failed", None)
    assert hopeless["attempts"] == 1, "nothing is gained by trying it again"
    assert hopeless["message"].startswith("stopped: accuracy was ")
    assert hopeless["message"].endswith(" at step 3, below 0.8")
    assert (good["state"], good["attempts"]) == ("completed", 1)
    assert good["accuracy"] > 0.9
    assert "trial 1 stopped: accuracy was" in said


def test_a_person_approves_records_and_refuses(bench: Bench) -> None:
    spec = bench.shorten("by-hand.yaml", budget={"trials": 4})
    with bench.going("run", spec, "--plain"):
        bench.until(lambda: list((bench.folder / "logs").glob("*/journal.jsonl")) != [])
        bench.until(lambda: len(bench.trials()) == 1)
        early = bench.says("record", "1", "--value", "9.9", code=1)
        assert "approved" in early, "nothing is recorded that was not approved"
        assert "trial 1 is approved" in bench.says("approve", "1", "--by", "Ada")
        bench.says("record", "1", "--value", "3.2", "--extra", "weather=calm")
        bench.until(lambda: len(bench.trials()) == 2)
        bench.says("approve", "2")
        bench.says("record", "2", "--failed", "the cable came off")
        bench.until(lambda: len(bench.trials()) == 3)
        bench.says("refuse", "3", "--reason", "too close to the window")
        bench.until(lambda: len(bench.trials()) == 4)
        bench.says("approve")
        bench.says("record", "4", "--value", "4.1")
    first, second, third, fourth = bench.trials()
    assert (first["state"], first["distance"], first["weather"]) == ("completed", 3.2, "calm")
    assert (first["shoulder"], first["gripper"]) == (45.0, "rubber"), "what the person would try comes first"
    assert second["attempts"] == 1, "a person is not asked to do it again"
    assert (second["state"], second["message"]) == ("failed", "error: the cable came off")
    assert third["state"] == "failed"
    assert "too close to the window" in third["message"]
    assert (fourth["state"], fourth["distance"]) == ("completed", 4.1)


def test_what_a_person_types_in_after_they_stopped_counts_when_they_go_on(bench: Bench) -> None:
    spec = bench.shorten("by-hand.yaml", budget={"trials": 2})
    with bench.going("run", spec, "--plain") as run:
        bench.until(lambda: list((bench.folder / "logs").glob("*/journal.jsonl")) != [])
        bench.until(lambda: len(bench.trials()) == 1)
        bench.says("approve", "1")
        run.send_signal(signal.SIGINT)
    assert "taken up when it is resumed" in bench.says("record", "1", "--value", "3.2")
    assert "left    trial 1 is to be recorded with 3.2\n" in bench.says("status")
    with bench.going("resume", "--plain"):
        bench.until(lambda: len(bench.trials()) == 2)
        bench.says("approve", "2")
        bench.says("record", "2", "--value", "3.4")
    first, second = bench.trials()
    assert (first["state"], first["distance"]) == ("completed", 3.2)
    assert second["gripper"] == "steel", "of what the person says a part the rest is chosen"
    assert "left    " not in bench.says("status")


def test_a_worker_elsewhere_works_with_its_key_and_a_stranger_does_not(bench: Bench) -> None:
    port = free_port()
    spec = bench.shorten(
        "remote.yaml",
        workers={"listen": f"tcp://0.0.0.0:{port}"},
        budget={"trials": 3},
        evaluation={"options": {"dataset": "wine", "repeats": 2, "epochs": 5}},
    )
    refused = bench.says("run", spec, "--plain", code=2)
    assert "orchestrator keys new" in refused, "without keys nobody is let in, and it is said"

    bench.says("keys", "new", "lab-1")
    bench.says("keys", "new", "lab-2", "--keys", "other-keys")
    dial = ("worker", "--connect", f"tcp://127.0.0.1:{port}", "--evaluator", "evaluators.learning:network")
    strange = ("--key", "other-keys/lab-2.json", "--name", "lab-2")
    with bench.going("run", spec, "--plain"), bench.going(*dial, *strange) as stranger:
        with bench.going(*dial, "--key", "keys/lab-1.json", "--name", "lab-1") as known:
            assert known.wait(PATIENCE_S) == 0
        stranger.terminate()
    trials = bench.trials()
    assert [(trial["state"], trial["worker"]) for trial in trials] == [("completed", "lab-1")] * 3


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_jobs_of_a_queue_work_leave_when_their_time_is_up_and_end_with_the_run(bench: Bench) -> None:
    port = free_port()
    may_throw = "touch began-{trial}; until [ -e may-throw -o -e may-throw-{trial} ]; do sleep 0.05; done"
    throw = ["sh", "-c", f"{may_throw}; awk -v angle={{angle}} -v mass={{mass}} -f configs/labs/throw.awk"]
    spec = bench.shorten(
        "cluster.yaml",
        # There is no queue here: what it would start is started by hand.
        workers={"listen": f"tcp://0.0.0.0:{port}", "jobs": None},
        algorithm={"name": "sobol"},
        budget={"trials": 10},
        evaluation={"command": throw},
    )
    bench.says("keys", "new", "cluster")

    def at_work() -> dict[str, int]:
        running = [trial for trial in bench.trials() if trial["state"] == "running"]
        # What is still on its way to a worker, one that takes nothing more would not begin.
        begun = [trial for trial in running if (bench.folder / f"began-{trial['trial']}").exists()]
        return {trial["worker"]: trial["trial"] for trial in begun}

    with bench.going("run", spec, "--plain"):
        bench.until(lambda: list((bench.folder / "logs").glob("*/journal.jsonl")) != [])
        with bench.job(1, port) as first, bench.job(2, port) as second:
            bench.until(lambda: at_work().keys() == {"job-1", "job-2"})
            first.send_signal(signal.SIGTERM)  # as Slurm does some time before it ends a job
            bench.until(lambda: "job-1 finishes what it has and takes nothing more" in bench.said("run"))
            (bench.folder / f"may-throw-{at_work()['job-1']}").touch()
            assert first.wait(PATIENCE_S) == 0
            bench.until(lambda: "job-1 left: drained by SIGTERM" in bench.said("run"))
            (bench.folder / "may-throw").touch()
            assert second.wait(PATIENCE_S) == 0
    assert [(trial["state"], trial["attempts"]) for trial in bench.trials()] == [("completed", 1)] * 10
    assert [trial["worker"] for trial in bench.trials()].count("job-1") == 1
    where = ("worker", "SLURM_JOB_ID", "SLURMD_NODENAME")
    jobs = {tuple(trial[name] for name in where) for trial in bench.trials()}
    assert jobs == {("job-1", "61", "node1"), ("job-2", "62", "node2")}


def test_a_robot_chooses_with_the_run_and_ends_with_it(bench: Bench) -> None:
    port = free_port()
    patience = {"wait_s": PATIENCE_S, "silence_s": PATIENCE_S}
    nodes = {"listen": f"tcp://0.0.0.0:{port}", "keys": "keys"} | patience
    spec = bench.shorten(
        "team.yaml",
        algorithm={"options": {"nodes": nodes, "start_points": 4}},
        budget={"trials": 6},
        mode={"kind": "sequential"},
    )
    refused = bench.says("run", spec, "--plain", code=2)
    assert "orchestrator keys new" in refused, "without keys no robot is let in, and it is said"

    bench.says("keys", "new", "robot-1")
    dial = ("node", "--connect", f"tcp://127.0.0.1:{port}", "--name", "robot-1", "--factors", "3")
    with bench.going(*dial, "--key", "keys/robot-1.json") as robot, bench.going("run", spec, "--plain"):
        assert robot.wait(PATIENCE_S) == 0
    assert "holds factors 1, 2, 3" in bench.said("node")
    assert "the run has ended" in bench.said("node")
    assert "node robot-1, process" in bench.said("run")
    assert "served by this machine" not in bench.said("run")
    assert [trial["state"] for trial in bench.trials()] == ["completed"] * 6


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_a_program_reads_an_input_file_that_is_made_for_each_attempt(bench: Bench) -> None:
    points = [
        {"length": 40.0, "thickness": 0.1 + 0.2, "material": "copper"},
        {"length": 0.0, "thickness": 1.0, "material": "aluminium"},
    ]
    spec = bench.shorten(
        "input-file.yaml",
        budget={"trials": 4},
        initial={"points": points},
        parameters={"length": {"type": "float", "bounds": [0.0, 200.0], "unit": "mm"}},
        evaluation={"attempts": 2},
    )
    bench.says("run", spec, "--quiet")
    first, refused, *others = bench.trials()
    assert first["state"] == "completed"
    assert first["gain"] == pytest.approx(104.9, abs=0.01)
    assert (refused["state"], refused["attempts"]) == ("failed", 2)
    assert "fin.awk: expected a length and a thickness above 0" in refused["message"]
    assert [trial["state"] for trial in others] == ["completed"] * 2
    (run,) = (bench.folder / "logs").glob("*/trials")
    made = (run / "0001" / "attempt-1" / "fin.in").read_text(encoding="utf-8")
    assert "thickness = 0.30000000000000004   # mm\n    material  = copper\n}\nair { coefficient" in made
    assert sorted(path.name for path in (run / "0002").iterdir() if path.is_dir()) == [
        "attempt-1",
        "attempt-2",
    ]


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_a_run_is_resumed_with_the_templates_it_began_with(bench: Bench) -> None:
    spec = bench.shorten("input-file.yaml", budget={"trials": 4000}, algorithm={"name": "random"})
    with bench.going("run", spec, "--plain") as run:
        bench.until(lambda: list((bench.folder / "logs").glob("*/journal.jsonl")) != [])
        bench.until(lambda: len(bench.trials()) > 4)
        run.send_signal(signal.SIGINT)
    before = [trial["gain"] for trial in bench.trials() if trial["state"] == "completed"]
    assert len(before) >= 3
    with bench.going("resume", "--plain") as run:
        bench.until(lambda: len(bench.trials()) > len(before) + 3, "resume")
        run.send_signal(signal.SIGINT)
    after = [trial for trial in bench.trials() if trial["state"] == "completed"]
    assert [trial["gain"] for trial in after[: len(before)]] == before
    assert {trial["attempts"] for trial in after} == {1}
