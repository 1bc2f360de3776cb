"""What each worker has of its own in whole runs: no other has it meanwhile, whoever dies and comes back."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest
from run_lab import BRISK, RunLab, checked, eventually, is_alive, spec

from orchestrator.scheduler.events import ResultArrived

ARMS = [f"/dev/ttyUSB{number}" for number in range(4)]
PRINTS_OWN = """printf '{"value": %s, "gpu": "%s", "told": "%s"}\n' "$1" "$GPU" "$3" """


def port_of(lab: RunLab, attempt: str) -> str:
    """Where the evaluation of a trial's attempt runs, once it does."""
    eventually((lab.directory / attempt).exists)
    return (lab.directory / f"{attempt}.port").read_text()


def on_arms(lab: RunLab, **changes: Any) -> dict[str, Any]:
    workers = {"local": 4, "each": {"ARM_PORT": ARMS}}
    return spec("gated_on_an_arm", options={"folder": str(lab.directory)}, workers=workers, **changes)


def test_four_local_workers_have_an_arm_each_and_one_that_is_killed_comes_back_with_its_own(
    lab: RunLab,
) -> None:
    run = lab.run(on_arms(lab, budget={"trials": 8}), BRISK)
    ports = {trial: port_of(lab, f"{trial}.1") for trial in (1, 2, 3, 4)}
    assert sorted(ports.values()) == ARMS
    evaluation = int(eventually((lab.directory / "3.1").read_text))
    (worker,) = lab.processes(f"ARM_PORT={ports[3]}")
    os.kill(worker, signal.SIGKILL)
    eventually(lambda: not is_alive(evaluation))
    assert port_of(lab, "3.2") == ports[3]
    (lab.directory / "open").touch()
    run.ends(0)
    trials = checked(run.folder).trials.values()
    assert {trial.worker: trial.extras["port"] for trial in trials} == {
        f"local-{place + 1}": port for place, port in enumerate(ARMS)
    }


@pytest.mark.long
def test_a_run_that_was_killed_and_resumed_hands_out_the_same(lab: RunLab) -> None:
    run = lab.run(on_arms(lab, budget={"trials": 8}), BRISK)
    for trial in (1, 2, 3, 4):
        port_of(lab, f"{trial}.1")
    run.kill()
    lab.all_gone()
    (lab.directory / "open").touch()
    lab.resume(run.folder).ends(0)
    trials = checked(run.folder).trials.values()
    assert len(trials) == 8
    assert all(
        trial.extras["port"] == ARMS[int((trial.worker or "").removeprefix("local-")) - 1] for trial in trials
    )


def test_a_program_finds_it_in_its_environment_and_where_its_command_names_it(lab: RunLab) -> None:
    gpus = {"local-1": "0,1", "local-2": "2,3"}
    workers = {"local": 2, "each": {"GPU": [*gpus.values()]}}
    command = ["sh", "-c", PRINTS_OWN, "sh", "{x}", "{y}", "{GPU}"]
    run = lab.run(spec(workers=workers) | {"evaluation": {"command": command}})
    run.ends(0)
    for trial in checked(run.folder).trials.values():
        gpu = gpus[trial.worker or ""]
        assert trial.extras == {"gpu": gpu, "told": gpu}


def test_a_worker_elsewhere_has_one_for_each_of_its_slots(lab: RunLab) -> None:
    arms = {"workers": {"local": 0}, "budget": {"trials": 6}}
    run = lab.run(spec("gated_on_an_arm", options={"folder": str(lab.directory)}, **arms), BRISK)
    each = ("--slots", "2", "--each", "ARM_PORT=left", "ARM_PORT=right")
    worker = lab.worker(run.opened()["address"], "far", "gated_on_an_arm", *each)
    assert {port_of(lab, "1.1"), port_of(lab, "2.1")} == {"left", "right"}
    (lab.directory / "open").touch()
    run.ends(0)
    worker.ends(0)
    arrived = run.of(ResultArrived)
    assert {one.own["ARM_PORT"] for one in arrived} == {"left", "right"}
    assert all(one.extras["port"] == one.own["ARM_PORT"] for one in arrived)
    assert [set(one.own) for one in checked(run.folder).trials.values()] == [{"ARM_PORT"}] * 6
