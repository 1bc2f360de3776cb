"""The worker in C++: it keeps every rule of the protocol's kit, and serves ns-3's network to a real run."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
import yaml
import zmq
from worker_lab import PATIENCE_S, Lab, eventually, failure, in_the_place_of, is_alive, result

from evaluators.compiled import built, missing
from evaluators.native import launcher
from evaluators.trial_folders import TrialFolders
from orchestrator.system.echoed_signals import ECHO_S
from orchestrator.wire.codec import decode_from_worker
from orchestrator.wire.conformance import check_worker
from orchestrator.wire.credentials import Credentials, write_secret
from orchestrator.wire.messages import Cancel, Goodbye, Heartbeat, Hello, Progress, Reject, Result
from orchestrator.wire.scripted import ScriptedOrchestrator

PROJECT = Path(__file__).resolve().parents[2]
QUADRATIC = "native:quadratic"
SERVED = launcher.program_for_here()
LACKING = missing(SERVED)
pytestmark = pytest.mark.skipif(
    bool(LACKING), reason=f"the worker in C++ cannot be built: {' and '.join(LACKING)} missing"
)
needs_ns3 = pytest.mark.skipif(
    SERVED is launcher.WITHOUT_NS3, reason="ns-3's network cannot be built: libns3-dev missing"
)

Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture(scope="module")
def program() -> Path:
    return built(SERVED)


@pytest.fixture
def wire() -> Iterator[ScriptedOrchestrator]:
    with ScriptedOrchestrator(QUADRATIC, heartbeat_s=1.0) as scripted:
        yield scripted


@pytest.fixture
def start(program: Path, tmp_path: Path) -> Iterator[Start]:
    workers: list[subprocess.Popen[bytes]] = []

    def started(address: str, *arguments: str) -> subprocess.Popen[bytes]:
        given = ["--connect", address, "--name", "w", "--directory", str(tmp_path / "w"), *arguments]
        with open(tmp_path / "said", "ab") as said:
            workers.append(subprocess.Popen([program, *given], stderr=said, cwd=tmp_path))
        return workers[-1]

    yield started
    for worker in workers:
        worker.kill()
        worker.wait()


def children(worker: subprocess.Popen[bytes]) -> list[int]:
    return [int(pid) for pid in Path(f"/proc/{worker.pid}/task/{worker.pid}/children").read_text().split()]


def arm_of(process: int) -> str:
    """What the environment of a process says of its arm."""
    eventually(lambda: b"evaluate" in Path(f"/proc/{process}/cmdline").read_bytes())
    entries = Path(f"/proc/{process}/environ").read_text().split("\0")
    (value,) = (entry.removeprefix("ARM=") for entry in entries if entry.startswith("ARM="))
    return value


def evaluating(wire: ScriptedOrchestrator, worker: subprocess.Popen[bytes]) -> int:
    """Have the worker begin what takes ten minutes; the process that does it."""
    wire.greet()
    wire.evaluate("L1", {"x": 0.5, "nap_s": 600})
    eventually(lambda: children(worker))
    return children(worker)[0]


def test_it_keeps_every_rule_of_the_kit(program: Path, tmp_path: Path) -> None:
    command = [str(program), "--connect", "{address}", "--directory", str(tmp_path / "files")]
    findings = list(check_worker(command, QUADRATIC, {"x": 0.5}, {"x": 0.5, "nap_s": 600}))

    assert [finding for finding in findings if not finding.kept] == []
    assert len(findings) == 17


@needs_ns3
def test_a_run_has_its_trials_from_ns3_without_python_in_between(start: Start, tmp_path: Path) -> None:
    spec = yaml.safe_load((PROJECT / "configs" / "papers" / "wlan.yaml").read_text(encoding="utf-8"))
    # A short path: the names of such sockets may have 107 characters.
    with tempfile.TemporaryDirectory() as short:
        address = f"ipc://{short}/wire"
        spec |= {"algorithm": {"name": "random"}, "budget": {"trials": 3}}
        spec |= {"workers": {"local": 0, "listen": address}}
        spec["evaluation"]["options"] = {"duration": 0.3}
        (tmp_path / "spec.yaml").write_text(yaml.safe_dump(spec, sort_keys=False))
        worker = start(address, "--slots", "2")
        ran = subprocess.run(
            [sys.executable, "-m", "orchestrator", "run", "spec.yaml", "--quiet"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
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
def test_it_reports_progress_and_refuses_powers_that_cannot_be(start: Start) -> None:
    with ScriptedOrchestrator("evaluators.wlan:network", options={"duration": 0.2}) as wire:
        start(wire.address)
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


def test_a_quantity_that_is_infinite_is_reported_as_such(wire: ScriptedOrchestrator, start: Start) -> None:
    start(wire.address)
    wire.greet()
    wire.evaluate("L1", {"x": 1e200})
    reported = wire.expect(Progress, passing_over=(Heartbeat,))
    assert (reported.values, reported.not_finite) == ({}, {"value": "-inf"})
    assert failure(wire, "L1").kind == "invalid"


def test_what_is_no_number_is_invalid(wire: ScriptedOrchestrator, start: Start) -> None:
    start(wire.address)
    wire.greet()
    wire.evaluate("L1", {"x": "wide"})
    refused = failure(wire, "L1")

    assert (refused.kind, refused.message) == ("invalid", 'expected a number as x, got "wide"')


@pytest.mark.parametrize(("number", "words"), [(signal.SIGKILL, "9 (Killed)"), (signal.SIGTERM, "15")])
def test_an_evaluation_that_is_killed_is_a_failure_that_names_the_signal(
    wire: ScriptedOrchestrator, start: Start, number: signal.Signals, words: str
) -> None:
    child = evaluating(wire, start(wire.address))
    eventually(lambda: b"evaluate" in Path(f"/proc/{child}/cmdline").read_bytes())
    os.kill(child, number)
    failed = failure(wire, "L1")

    assert failed.kind == "killed"
    assert f"signal {words}" in failed.message


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_its_evaluation_dies_with_it(wire: ScriptedOrchestrator, start: Start) -> None:
    worker = start(wire.address)
    child = evaluating(wire, worker)
    worker.kill()
    worker.wait()

    eventually(lambda: not is_alive(child))


def test_its_hello_says_of_which_run_its_leases_are(wire: ScriptedOrchestrator, start: Start) -> None:
    start(wire.address)
    assert wire.greet().run == ""
    wire.send(Reject(code="hello", reason="expected hello first"))
    assert wire.expect(Hello).run == wire.assignment.run


def test_what_it_keeps_of_a_trial_lies_in_a_folder_of_its_run(start: Start, tmp_path: Path) -> None:
    with ScriptedOrchestrator(QUADRATIC, run="../wing") as wire:
        start(wire.address)
        wire.greet()
        wire.evaluate("7.1", {"x": 0.5}, trial=7)
        result(wire, "7.1")
    of_run = TrialFolders(tmp_path / "w" / "trials").of("../wing", 7)
    assert (of_run / "attempt-1.json").exists()


def test_what_waits_for_another_run_waits_on(lab: Lab, start: Start) -> None:
    yesterday = lab.orchestrator(QUADRATIC, run="yesterday", heartbeat_s=1.0)
    start(yesterday.address)
    yesterday.greet()
    yesterday.evaluate("1.1", {"x": 0.5, "nap_s": 600})
    while "1.1" not in yesterday.expect(Heartbeat).leases:
        pass
    today = in_the_place_of(yesterday, lab, "today")
    today.evaluate("1.1", {"x": 0.5})
    while "1.1" not in today.expect(Heartbeat).leases:
        pass
    resumed = in_the_place_of(today, lab, "yesterday")
    resumed.send(Cancel(lease="1.1"))
    resumed.evaluate("2.1", {"x": 0.5}, trial=2)
    assert result(resumed, "2.1").run == "yesterday"
    assert result(in_the_place_of(resumed, lab, "today"), "1.1").run == "today"


def test_two_slots_work_at_a_time_and_a_third_lease_waits(wire: ScriptedOrchestrator, start: Start) -> None:
    worker = start(wire.address, "--slots", "2")
    assert wire.greet().slots == 2
    for lease in ("L1", "L2", "L3"):
        wire.evaluate(lease, {"x": 0.5, "nap_s": 600})
    while sorted(wire.expect(Heartbeat).leases) != ["L1", "L2", "L3"]:
        pass
    assert len(children(worker)) == 2


def test_each_slot_has_variables_of_its_own_and_says_so(wire: ScriptedOrchestrator, start: Start) -> None:
    worker = start(
        wire.address, "--slots", "2", "--each", "ARM=left", "ARM=right", "--each=GPU=3", "--each=GPU=3"
    )
    assert wire.greet().own == {"GPU": "3"}
    for trial in (1, 2):
        wire.evaluate(f"L{trial}", {"x": 0.5, "nap_s": 600}, trial=trial)
    eventually(lambda: len(children(worker)) == 2)
    arms = {arm_of(child): child for child in children(worker)}
    assert arms.keys() == {"left", "right"}
    os.kill(arms["left"], signal.SIGKILL)
    assert failure(wire, "L1").own == {"ARM": "left", "GPU": "3"}
    wire.evaluate("L3", {"x": 0.5}, trial=3)
    assert result(wire, "L3").own == {"ARM": "left", "GPU": "3"}


def test_its_slots_own_outdoes_what_it_was_started_with(
    wire: ScriptedOrchestrator, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARM", "any")
    assert arm_of(evaluating(wire, start(wire.address, "--each", "ARM=a=b"))) == "a=b"


def test_without_any_of_its_own_it_says_nothing_of_it(wire: ScriptedOrchestrator, start: Start) -> None:
    start(wire.address)
    assert wire.greet().own == {}
    wire.evaluate("L1", {"x": 0.5})
    assert result(wire, "L1").own == {}


def test_of_a_sigterm_that_reaches_it_twice_at_once_the_second_is_an_echo(
    wire: ScriptedOrchestrator, start: Start
) -> None:
    worker = start(wire.address)
    child = evaluating(wire, worker)
    worker.send_signal(signal.SIGTERM)
    time.sleep(ECHO_S / 20.0)  # else both are one
    worker.send_signal(signal.SIGTERM)
    while not wire.expect(Heartbeat).draining:
        pass
    assert wire.expect(Heartbeat).draining
    assert is_alive(child)
    worker.send_signal(signal.SIGINT)
    assert wire.expect(Goodbye).reason == "interrupted by SIGINT"


def test_asked_once_it_drains_and_asked_twice_it_kills(wire: ScriptedOrchestrator, start: Start) -> None:
    worker = start(wire.address)
    child = evaluating(wire, worker)
    worker.send_signal(signal.SIGTERM)
    while not wire.expect(Heartbeat).draining:
        pass
    assert is_alive(child)
    time.sleep(ECHO_S)
    worker.send_signal(signal.SIGTERM)

    assert wire.expect(Goodbye).reason == "interrupted by SIGTERM"
    assert worker.wait(PATIENCE_S) == 130
    assert not is_alive(child)


def test_what_a_queue_announces_and_then_ends_with_it_did_not_fail(
    wire: ScriptedOrchestrator, start: Start
) -> None:
    worker = start(wire.address)
    child = evaluating(wire, worker)
    eventually(lambda: b"evaluate" in Path(f"/proc/{child}/cmdline").read_bytes())
    for process in (child, worker.pid):
        os.kill(process, signal.SIGUSR1)
    while not wire.expect(Heartbeat).draining:
        pass
    assert is_alive(child)
    os.kill(child, signal.SIGTERM)
    assert wire.expect(Goodbye).reason == "drained by SIGUSR1, by which trial 1 ended too"


def test_a_terminal_that_is_closed_drains_it_however_often_it_is_said(
    wire: ScriptedOrchestrator, start: Start
) -> None:
    worker = start(wire.address)
    child = evaluating(wire, worker)
    for _ in range(2):
        worker.send_signal(signal.SIGHUP)
        while not wire.expect(Heartbeat).draining:
            pass
        wire.expect(Heartbeat)
    assert is_alive(child)


def test_a_result_is_on_disk_until_acknowledged_and_a_damaged_one_is_set_aside(
    wire: ScriptedOrchestrator, start: Start, tmp_path: Path
) -> None:
    outbox = tmp_path / "w" / "outbox"
    outbox.mkdir(parents=True)
    (outbox / "000000000007.json").write_text('{"type":"result","run":"run-1","lea')
    start(wire.address)
    wire.greet()
    wire.evaluate("L1", {"x": 0.5})
    assert wire.expect(Result).value == pytest.approx(-0.04)
    assert [path.name for path in outbox.glob("*.json")] == ["000000000001.json"]
    wire.evaluate("L1", {"x": 0.5})
    result(wire, "L1")
    eventually(lambda: not list(outbox.glob("*.json")))
    assert (outbox / "000000000007.json.damaged").exists()
    assert "1 files of the outbox cannot be read" in (tmp_path / "said").read_text()


def test_two_workers_do_not_share_a_directory(
    wire: ScriptedOrchestrator, start: Start, tmp_path: Path
) -> None:
    start(wire.address)
    wire.greet()

    assert start(wire.address).wait(PATIENCE_S) == 1
    assert "belongs to a running worker" in (tmp_path / "said").read_text()


def test_an_option_that_it_does_not_have_is_refused(start: Start, tmp_path: Path) -> None:
    with ScriptedOrchestrator(QUADRATIC, options={"depth": 3}) as wire:
        worker = start(wire.address)
        wire.greet()
        assert worker.wait(PATIENCE_S) == 2
    assert "has no option `depth`" in (tmp_path / "said").read_text()


def test_whose_hello_makes_no_sense_to_the_other_side_it_ends_with_the_reason(
    wire: ScriptedOrchestrator, start: Start, tmp_path: Path
) -> None:
    worker = start(wire.address)
    wire.expect(Hello)
    wire.send(Reject(code="malformed", reason="expected 1 to 1024 slots, got 2000"))
    assert worker.wait(PATIENCE_S) == 2
    assert "expected 1 to 1024 slots, got 2000" in (tmp_path / "said").read_text()


def test_with_a_key_it_speaks_in_cipher(start: Start, tmp_path: Path) -> None:
    public, secret = zmq.curve_keypair()
    own_public, own_secret = (key.decode() for key in zmq.curve_keypair())
    credentials = Credentials("robot", own_public, own_secret, public.decode())
    write_secret(tmp_path / "robot.json", msgspec.json.encode(credentials))
    with zmq.Context.instance().socket(zmq.ROUTER) as socket:
        socket.curve_server = True
        socket.curve_secretkey = secret
        port = socket.bind_to_random_port("tcp://127.0.0.1")
        start(f"tcp://127.0.0.1:{port}", "--key", str(tmp_path / "robot.json"))
        assert socket.poll(60_000)
        assert isinstance(decode_from_worker(socket.recv_multipart()[1]), Hello)


def has_bound(socket: zmq.Socket[bytes], port: int) -> bool:
    """Whether it listens there, where another may just have hung up."""
    with suppress(zmq.ZMQError):
        socket.bind(f"tcp://127.0.0.1:{port}")
        return True
    return False


def test_where_one_side_alone_has_keys_it_says_so_and_dials_on_until_others_listen_there(
    start: Start, tmp_path: Path
) -> None:
    with zmq.Context.instance().socket(zmq.ROUTER) as locked:
        locked.curve_server = True
        locked.curve_secretkey = zmq.curve_keypair()[1]
        port = locked.bind_to_random_port("tcp://127.0.0.1")
        start(f"tcp://127.0.0.1:{port}")
        said = "speaks with keys and this worker without, or the other way about"
        eventually(lambda: said in (tmp_path / "said").read_text())
    with zmq.Context.instance().socket(zmq.ROUTER) as socket:
        eventually(lambda: has_bound(socket, port))
        assert socket.poll(60_000)
        assert isinstance(decode_from_worker(socket.recv_multipart()[1]), Hello)


def test_it_dials_an_address_of_ipv6(start: Start) -> None:
    with zmq.Context.instance().socket(zmq.ROUTER) as socket:
        socket.ipv6 = True
        try:
            port = socket.bind_to_random_port("tcp://[::1]")
        except zmq.ZMQError:
            pytest.skip("this machine has no address of IPv6")
        start(f"tcp://[::1]:{port}")
        assert socket.poll(60_000)
        assert isinstance(decode_from_worker(socket.recv_multipart()[1]), Hello)
