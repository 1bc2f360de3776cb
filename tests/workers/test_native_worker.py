"""The worker in C++: it keeps every rule of the protocol's kit, and serves ns-3's network to a real run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from native_lab import NEEDS_A_COMPILER, QUADRATIC, SERVED, NativeLab
from worker_lab import PATIENCE_S, eventually, failure, result

from evaluators.native import launcher
from evaluators.trial_folders import TrialFolders
from orchestrator.wire.conformance import check_worker
from orchestrator.wire.messages import Heartbeat, Progress, Result
from orchestrator.wire.scripted import ScriptedOrchestrator

PROJECT = Path(__file__).resolve().parents[2]
needs_ns3 = pytest.mark.skipif(
    SERVED is launcher.WITHOUT_NS3, reason="ns-3's network cannot be built: libns3-dev missing"
)
pytestmark = NEEDS_A_COMPILER


def test_it_keeps_every_rule_of_the_kit(native: NativeLab, tmp_path: Path) -> None:
    command = [str(native.program), "--connect", "{address}", "--directory", str(tmp_path / "files")]
    findings = list(check_worker(command, QUADRATIC, {"x": 0.5}, {"x": 0.5, "nap_s": 600}))

    assert [finding for finding in findings if not finding.kept] == []
    assert len(findings) == 17


@needs_ns3
def test_a_run_has_its_trials_from_ns3_without_python_in_between(native: NativeLab, tmp_path: Path) -> None:
    spec = yaml.safe_load((PROJECT / "configs" / "papers" / "wlan.yaml").read_text(encoding="utf-8"))
    # A short path, from the folder of both: the names of such sockets may have 107 characters.
    address = "ipc://wire"
    spec |= {"algorithm": {"name": "random"}, "budget": {"trials": 3}}
    spec |= {"workers": {"local": 0, "listen": address}}
    spec["evaluation"]["options"] = {"duration": 0.3}
    (tmp_path / "spec.yaml").write_text(yaml.safe_dump(spec, sort_keys=False))
    worker = native.start(address, "--slots", "2")
    ran = subprocess.run(
        [sys.executable, "-m", "orchestrator", "run", "spec.yaml", "--quiet"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert worker.wait(PATIENCE_S) == 0
    (journal,) = (tmp_path / "logs").glob("*/journal.jsonl")
    written = journal.read_text(encoding="utf-8")
    capacities = [
        [float(n) for n in row.split(",")] for row in re.findall(r'"factors":\[([\d.,e+]+)\]', written)
    ]
    assert [len(row) for row in capacities] == [12, 12, 12]
    assert all(sum(row) > 1000.0 for row in capacities)


@needs_ns3
def test_it_reports_progress_and_refuses_powers_that_cannot_be(native: NativeLab) -> None:
    with ScriptedOrchestrator("evaluators.wlan:network", options={"duration": 0.2}) as wire:
        native.start(wire.address)
        wire.greet()
        powers = {f"power_{number}": 10.0 for number in range(1, 13)}
        wire.evaluate("L1", powers)
        steps = [wire.expect(Progress, passing_over=(Heartbeat,)) for _ in range(3)]
        assert [step.step for step in steps] == [1, 2, 3]
        assert steps[-1].values["capacity_mbps"] > 0.0
        assert len(result(wire, "L1").factors or []) == 12
        wire.evaluate("L2", powers | {"power_3": -1.0})
        refused = failure(wire, "L2")
        assert (refused.kind, refused.message) == (
            "invalid",
            "expected a power above 0 mW for access point 3, got -1",
        )


def test_a_quantity_that_is_infinite_is_reported_as_such(
    wire: ScriptedOrchestrator, native: NativeLab
) -> None:
    native.start(wire.address)
    wire.greet()
    wire.evaluate("L1", {"x": 1e200})
    reported = wire.expect(Progress, passing_over=(Heartbeat,))
    assert (reported.values, reported.not_finite) == ({}, {"value": "-inf"})
    assert failure(wire, "L1").kind == "invalid"


def test_what_is_no_number_is_invalid(wire: ScriptedOrchestrator, native: NativeLab) -> None:
    native.start(wire.address)
    wire.greet()
    wire.evaluate("L1", {"x": "wide"})
    refused = failure(wire, "L1")

    assert (refused.kind, refused.message) == ("invalid", 'expected a number as x, got "wide"')


def test_what_it_keeps_of_a_trial_lies_in_a_folder_of_its_run(native: NativeLab, tmp_path: Path) -> None:
    with ScriptedOrchestrator(QUADRATIC, run="../wing") as wire:
        native.start(wire.address)
        wire.greet()
        wire.evaluate("7.1", {"x": 0.5}, trial=7)
        result(wire, "7.1")
    of_run = TrialFolders(tmp_path / "w" / "trials").of("../wing", 7)
    assert (of_run / "attempt-1.json").exists()


def test_a_result_is_on_disk_until_acknowledged_and_a_damaged_one_is_set_aside(
    wire: ScriptedOrchestrator, native: NativeLab, tmp_path: Path
) -> None:
    outbox = tmp_path / "w" / "outbox"
    outbox.mkdir(parents=True)
    (outbox / "000000000007.json").write_text('{"type":"result","run":"run-1","lea')
    native.start(wire.address)
    wire.greet()
    wire.evaluate("L1", {"x": 0.5})
    assert wire.expect(Result).value == pytest.approx(-0.04)
    assert [path.name for path in outbox.glob("*.json")] == ["000000000001.json"]
    wire.evaluate("L1", {"x": 0.5})
    result(wire, "L1")
    eventually(lambda: not list(outbox.glob("*.json")))
    assert (outbox / "000000000007.json.damaged").exists()
    assert "1 files of the outbox cannot be read" in native.said


def test_two_workers_do_not_share_a_directory(wire: ScriptedOrchestrator, native: NativeLab) -> None:
    native.start(wire.address)
    wire.greet()

    assert native.start(wire.address).wait(PATIENCE_S) == 1
    assert "belongs to a running worker" in native.said


def test_an_option_that_it_does_not_have_is_refused(native: NativeLab) -> None:
    with ScriptedOrchestrator(QUADRATIC, options={"depth": 3}) as wire:
        worker = native.start(wire.address)
        wire.greet()
        assert worker.wait(PATIENCE_S) == 2
    assert "has no option `depth`" in native.said
