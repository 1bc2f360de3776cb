"""What a local worker had finished when the orchestrator died counts in its next life, and is done once."""

from __future__ import annotations

from pathlib import Path

from run_lab import RunLab, checked, eventually, spec

from benchmarks.running.free_port import free_port
from evaluators.worker_process.outbox import Outbox
from orchestrator.runtime.folder.left_results import left_results
from orchestrator.scheduler.events import ResultArrived
from orchestrator.wire.codec import encode
from orchestrator.wire.messages import Failure, Result


def leave(workers: Path, name: str, *outcomes: Result | Failure) -> None:
    """What a worker of this name kept, and was not told to be safe."""
    outbox = Outbox(workers / name)
    for outcome in outcomes:
        outbox.begin(outcome.run)
        outbox.keep(outcome.run, outcome.lease, encode(outcome), durable=True)
    outbox.close()


def test_results_of_the_run_are_found_wherever_a_worker_left_them(tmp_path: Path) -> None:
    mine = Result(run="wing-1", lease="1.1", trial=1, value=1.0)
    failed = Failure(run="wing-1", lease="2.1", trial=2, kind="error", message="no", elapsed_s=0.0)
    others = Result(run="wing-2", lease="3.1", trial=3, value=3.0)
    leave(tmp_path, "local-1", mine, failed)
    leave(tmp_path, "local-2", others, Result(run="wing-1", lease="4.1", trial=4, value=4.0))
    (tmp_path / "local-3" / "outbox.jsonl").mkdir(parents=True)
    found = left_results(tmp_path, "wing-1")
    assert [(worker, result.lease) for worker, result in found] == [("local-1", "1.1"), ("local-2", "4.1")]
    assert left_results(tmp_path / "nowhere", "wing-1") == []


def test_what_was_acknowledged_or_torn_is_none(tmp_path: Path) -> None:
    leave(tmp_path, "local-1", Result(run="wing-1", lease="1.1", trial=1, value=1.0))
    outbox = Outbox(tmp_path / "local-1")
    outbox.begin("wing-1")
    outbox.keep("wing-1", "2.1", encode(Result(run="wing-1", lease="2.1", trial=2, value=2.0)), durable=True)
    outbox.acknowledge("1.1")
    outbox.close()
    with (tmp_path / "local-1" / "outbox.jsonl").open("ab") as file:
        file.write(b"00000000 {torn")
    assert [result.lease for _, result in left_results(tmp_path, "wing-1")] == ["2.1"]


def test_another_worker_that_comes_first_is_not_given_a_trial_whose_value_is_there(lab: RunLab) -> None:
    whole = spec(
        "gated",
        options={"folder": str(lab.directory)},
        workers={"local": 1, "listen": f"tcp://127.0.0.1:{free_port()}"},
        budget={"trials": 2},
        mode="sequential",
    )
    run = lab.run(whole)
    eventually((lab.directory / "1.1").exists)
    run.kill()
    eventually(lambda: not lab.processes("evaluators.worker"))
    value = Result(run=run.folder.name, lease="1.1", trial=1, value=0.5)
    wrong = Result(run=run.folder.name, lease="7.1", trial=7, value=0.5)
    leave(run.folder.path / "workers", "local-1", value, wrong)

    lab.worker(whole["workers"]["listen"], "far", "gated")
    again = lab.resume(run.folder)
    (lab.directory / "open").touch()
    again.ends(0)
    state = checked(run.folder)
    trial = state.trials[1]
    assert (trial.value, trial.worker, trial.attempts.given) == (0.5, "local-1", 1)
    assert not (lab.directory / "1.2").exists()
    assert [event.lease for event in again.of(ResultArrived)].count("1.1") == 1
