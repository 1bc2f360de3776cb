"""Runs whose points are chosen by nodes that dial in: the same points, whoever dies or comes back."""

from __future__ import annotations

import functools
import signal
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from forked_life import Nurseries
from run_lab import PATIENCE_S, RunLab, answered, eventually, spec, suggestions
from run_lab import Life as Process

from benchmarks.running.free_port import free_port

CHAIN = {name: {"type": "float", "bounds": [0.0, 1.0]} for name in ("x", "y", "z")}
START = 3
TRIALS = START + 3
Chosen: TypeAlias = Callable[[str], list[Mapping[str, Any]]]


def decentralised(
    nodes: Any, algorithm: str = "dumbo", function: str = "quick", **changes: Any
) -> dict[str, Any]:
    """Two factors that share a parameter; one trial after the other, so that points can be compared."""
    return spec(
        function,
        parameters=CHAIN,
        factors=[["x", "y"], ["y", "z"]],
        algorithm={"name": algorithm, "options": {"nodes": nodes, "start_points": START}},
        mode="sequential",
        **{"budget": {"trials": TRIALS}, **changes},
    )


def stands_still_at(trial: int, lab: RunLab, nodes: Any) -> Process:
    """A run whose trial of this number does not end before `go_on`, once it was asked for."""
    for sooner in range(1, trial):
        (lab.directory / f"open-{sooner}").touch()
    run = lab.run(decentralised(nodes, function="gated", options={"folder": str(lab.directory)}))
    answered(run, trial)
    return run


def go_on(lab: RunLab) -> None:
    (lab.directory / "open").touch()


def elsewhere(port: int, **more: Any) -> Mapping[str, Any]:
    return {"listen": f"tcp://127.0.0.1:{port}", "wait_s": 60, **more}


def node(lab: RunLab, port: int, name: str, *arguments: str) -> Process:
    return lab.command("node", "--connect", f"tcp://127.0.0.1:{port}", "--name", name, *arguments)


@pytest.fixture(scope="module")
def in_process(tmp_path_factory: pytest.TempPathFactory, nurseries: Nurseries) -> Chosen:
    """The points of a run that was left alone, of each algorithm once."""

    @functools.cache
    def chosen(algorithm: str) -> list[Mapping[str, Any]]:
        lab = RunLab(tmp_path_factory.mktemp(algorithm), nurseries)
        try:
            run = lab.run(decentralised("in-process", algorithm))
            run.ends(0)
            return suggestions(run.folder)
        finally:
            lab.close()

    return chosen


def log(folder: Path) -> str:
    return (folder / "run.log").read_text()


@pytest.mark.long
def test_the_same_points_in_one_process_in_processes_and_by_nodes_elsewhere(
    lab: RunLab, in_process: Chosen
) -> None:
    # Processes on this machine are no other for one algorithm than for the other, and tested beside each.
    for algorithm, places in (("dec-hbo", ()), ("dumbo", ("processes",))):
        port = free_port()
        nodes = [node(lab, port, name) for name in ("one", "two")]
        here = in_process(algorithm)
        for place in (*places, elsewhere(port)):
            run = lab.run(decentralised(place, algorithm))
            run.ends(0)
            assert suggestions(run.folder) == here
        for ended in nodes:
            ended.ends(0)
            assert "the run has ended" in ended.said
        assert len(here) == TRIALS
        assert "this machine" not in log(run.folder.path), "the nodes did it"
        (last,) = answered(run)[-1:]
        assert "nodes: factor 1 with one, factor 2 with two" in last.insight["notes"]


def test_a_node_killed_changes_no_point_and_the_run_says_who_stands_in(
    lab: RunLab, in_process: Chosen
) -> None:
    port = free_port()
    first = node(lab, port, "first")
    second = node(lab, port, "second")
    run = stands_still_at(START + 2, lab, elsewhere(port, wait_s=3.0))
    eventually(lambda: "node second, process" in log(run.folder.path))
    second.kill()
    go_on(lab)
    run.ends(0)
    first.ends(0)
    assert suggestions(run.folder) == in_process("dumbo")
    assert "served by this machine until one comes" in log(run.folder.path)


def test_nodes_outlive_a_killed_orchestrator_and_serve_the_resumed_run(
    lab: RunLab, in_process: Chosen
) -> None:
    port = free_port()
    nodes = [node(lab, port, name) for name in ("one", "two")]
    run = stands_still_at(START + 2, lab, elsewhere(port))
    run.kill()
    go_on(lab)
    again = lab.resume(run.folder)
    again.ends(0)
    for served in nodes:
        served.ends(0)
        assert served.said.count("welcome at") == 2
    assert suggestions(run.folder) == in_process("dumbo")


def test_status_says_which_factors_wait_for_a_node_and_ctrl_c_need_not_wait(lab: RunLab) -> None:
    port = free_port()
    path = lab.write(decentralised(elsewhere(port, wait_s=600)))
    run = lab.command("run", str(path), "--plain", "--logs", str(lab.logs), stdout=subprocess.DEVNULL)
    only = node(lab, port, "only")
    waits = "factor 2 (y × z) has no node: waiting up to"
    eventually(lambda: waits in run.said, why=lambda: run.said)

    def status() -> bool:
        said = lab.says("status", "--logs", str(lab.logs))
        return "waiting for the optimiser to choose 1 point" in said and waits in said

    eventually(status)
    only.signal(signal.SIGINT)
    only.ends(130)
    run.signal(signal.SIGINT)
    run.ends(130)
    lab.all_gone()


def test_the_command_line_says_what_a_node_needs(lab: RunLab) -> None:
    for arguments, words in (
        (("node",), "--connect"),
        (("node", "--connect", "nowhere"), "cannot connect to `nowhere`"),
        (("node", "--connect", "tcp://127.0.0.1:5560", "--name", "a b"), "expected a --name of letters"),
        (("node", "--connect", "tcp://127.0.0.1:5560", "--name", ""), "expected a --name of letters"),
        (
            ("node", "--connect", "tcp://127.0.0.1:5560", "--factors", "0"),
            "argument --factors: expected a whole number above 0, got 0",
        ),
        (
            ("node", "--connect", "tcp://127.0.0.1:5560", "--key", "none.json"),
            "expected a key file at none.json",
        ),
        (("node", "--conect", "tcp://127.0.0.1:5560"), "--connect"),
    ):
        said = lab.says(*arguments, code=2)
        assert words in said
        assert "Traceback" not in said


def test_a_run_that_lacks_keys_for_its_nodes_does_not_begin(lab: RunLab) -> None:
    port = free_port()
    path = lab.write(decentralised({"listen": f"tcp://0.0.0.0:{port}", "keys": "keys"}))
    refused = lab.command("run", str(path), "--plain")
    refused.ends(2)
    assert "orchestrator keys new" in refused.said
    assert not (lab.directory / "logs").exists()


def test_a_port_that_is_taken_ends_the_run_with_the_reason(lab: RunLab) -> None:
    port = free_port()
    whole = decentralised(elsewhere(port), workers={"local": 1, "listen": f"tcp://127.0.0.1:{port}"})
    run = lab.run(whole)
    assert run.process.wait(PATIENCE_S) != 0
    assert "Name another under algorithm.options.nodes.listen" in run.said + log(run.folder.path)


def test_help_imports_nothing_slow_on_account_of_nodes(lab: RunLab) -> None:
    slow = "numpy|scipy|pydantic|zmq|msgspec"
    for arguments in (["--help"], ["node", "--help"]):
        program = (
            "import sys\nfrom orchestrator import cli\n"
            f"try:\n    cli.main({arguments!r})\nexcept SystemExit:\n    pass\n"
            f"found = [name for name in '{slow}'.split('|') if name in sys.modules]\n"
            "sys.exit(f'slow: {found}' if found else 0)\n"
        )
        helped = lab._live(["-c", program], stdout=None)
        helped.ends(0)
