"""A live orchestrator under attack, with an honest worker beside: what it costs either.

    python tests/security/fuzz.py [--messages 200000] [--seed 1]

Twice: an open door on the loopback, and one with keys, where half of the messages come from a worker whose
key is known, and others knock without one. It fails (exit code 1) if the orchestrator dies, grows by more
than 50 MB, loses or forges a value of the honest worker, or keeps it waiting for more than 100 ms longer at
the 99th percentile than while the same attackers, on the same machine, attack a decoy.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import zmq
from hostile_frames import structured_frames

from benchmarks.running.free_port import free_port
from orchestrator.runtime.connections.keyring import Keyring
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.scheduler.events import ResultArrived
from orchestrator.scheduler.invariants import violations
from orchestrator.wire.codec import decode_from_orchestrator, encode
from orchestrator.wire.credentials import Credentials, read_credentials
from orchestrator.wire.messages import (
    PROTOCOL,
    Acknowledge,
    Evaluate,
    Heartbeat,
    Hello,
    Reject,
    Result,
    Welcome,
)

EVALUATOR = "honest:work"
HONEST = "honest"
GROWTH_LIMIT_MB = 50.0
DELAY_LIMIT_MS = 100.0
EVALUATION_S = 0.02
STRUCTURED = 600
"""Frames, made once for all attackers."""
ANY_RUN = "the-run-under-attack"
"""What stands in them for its name, so that they are made once for both doors."""
ATTACKERS = str(Path(__file__).with_name("attackers.py"))
SPEC = """\
experiment: under-attack
objective: {{name: y, goal: maximise}}
parameters:
  x: {{type: float, bounds: [0, 1]}}
algorithm: random
budget: {{trials: 1000000}}
evaluation: {{evaluator: "{evaluator}"}}
workers: {{local: 0, listen: "tcp://127.0.0.1:{port}"{keys}}}
"""


@dataclass
class HonestWorker:
    """Evaluates one trial at a time, in a thread of its own. Waits are from a result to its acknowledgement
    and the next trial, in milliseconds."""

    address: str
    credentials: Credentials | None
    waits: list[float] = field(default_factory=list)
    acknowledged: dict[str, float] = field(default_factory=dict)
    stop: threading.Event = field(default_factory=threading.Event)
    refused: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Until stopped."""
        context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        wire = context.socket(zmq.DEALER)
        if self.credentials is not None:
            wire.curve_publickey = self.credentials.public.encode()
            wire.curve_secretkey = self.credentials.secret.encode()
            wire.curve_serverkey = self.credentials.server.encode()
        wire.connect(self.address)
        hello = Hello(protocol=PROTOCOL, worker=HONEST, session="honest", evaluators=[EVALUATOR])
        wire.send(encode(hello))
        task: Evaluate | None = None
        finish = next_beat = sent = 0.0
        values: dict[str, float] = {}
        while not self.stop.is_set():
            if wire.poll(2):
                message = decode_from_orchestrator(wire.recv())
                now = time.monotonic()
                if isinstance(message, Evaluate):
                    task, finish = message, now + EVALUATION_S
                    if sent:
                        self.waits.append(1e3 * (now - sent))
                elif isinstance(message, Acknowledge):
                    self.acknowledged[message.lease] = values[message.lease]
                elif isinstance(message, Reject):
                    self.refused.append(message.reason)
                    wire.send(encode(hello))
                elif isinstance(message, Welcome):
                    next_beat = now
            now = time.monotonic()
            if next_beat and now >= next_beat:
                wire.send(encode(Heartbeat(leases=[task.lease] if task else [])))
                next_beat = now + 1.0
            if task is not None and now >= finish:
                value = values[task.lease] = -float(task.parameters["x"])
                wire.send(encode(Result(run=task.run, lease=task.lease, trial=task.trial, value=value)))
                task, sent = None, time.monotonic()
        context.destroy(linger=0)


@dataclass
class Damage:
    """What an attack did. Sizes in MB, waits in milliseconds at the 99th percentile."""

    door: str
    messages: int
    grown: float = 0.0
    calm_wait: float = 0.0
    attacked_wait: float = 0.0
    evaluations: int = 0
    journal: float = 0.0
    seconds: float = 0.0
    complaints: list[str] = field(default_factory=list)

    @property
    def delay(self) -> float:
        """How much longer the honest worker waited."""
        return self.attacked_wait - self.calm_wait


def besiege(directory: Path, messages: int, seed: int, *, keys: bool, compared: bool = True) -> Damage:
    """Attack one orchestrator with so many messages, and a decoy before it, which the wait is ``compared``
    with. What is wrong stands in `Damage.complaints`.
    """
    damage = Damage("with keys" if keys else "open", messages)
    port = free_port()
    ring = Keyring(directory / "keys")
    credentials = [read_credentials(ring.new_worker(name)) for name in (HONEST, "mallory")] if keys else None
    (directory / "spec.yaml").write_text(
        SPEC.format(evaluator=EVALUATOR, port=port, keys=", keys: keys" if keys else "")
    )
    command = [sys.executable, "-m", "orchestrator", "run", "spec.yaml", "--quiet"]
    with (directory / "said.txt").open("w") as said:
        process = subprocess.Popen(command, cwd=directory, stdout=said, stderr=said)
    try:
        folder = _begun(directory, process)
        frames = directory / "frames"
        made = b"\n".join(structured_frames(ANY_RUN, EVALUATOR, STRUCTURED))
        frames.write_bytes(made.replace(ANY_RUN.encode(), folder.name.encode()))
        address = f"tcp://127.0.0.1:{port}"
        honest = HonestWorker(address, None if credentials is None else credentials[0])
        thread = threading.Thread(target=honest.run)
        thread.start()
        _until(lambda: len(honest.waits) > 20, "the honest worker was never served")
        if compared:
            damage.calm_wait = _while_a_decoy_is_attacked(honest, frames, messages // 5, seed)
        begin = len(honest.waits)
        begun = time.monotonic()
        before = _memory(process.pid)
        attackers = _attackers(address, folder.name, frames, messages, seed, directory, credentials)
        while any(attacker.poll() is None for attacker in attackers):
            damage.grown = max(damage.grown, _memory(process.pid) - before)
            time.sleep(0.05)
        damage.seconds = time.monotonic() - begun
        damage.attacked_wait = _at_99(honest.waits[begin:])
        damage.evaluations = len(honest.waits) - begin
        after = len(honest.waits)
        if process.poll() is not None:
            damage.complaints.append(f"it died: {(directory / 'said.txt').read_text()[-2000:]}")
        else:
            _until(lambda: len(honest.waits) > after + 5, "the honest worker is served no more")
            damage.grown = max(damage.grown, _memory(process.pid) - before)
        honest.stop.set()
        thread.join()
        if any(attacker.returncode for attacker in attackers):
            damage.complaints.append("an attacker fell over its own feet")
        # Two at once may be one to a process that is busy; a third changes nothing.
        while process.poll() is None:
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.5)
        damage.journal = folder.journal.stat().st_size / 1e6
        damage.complaints += _lies(folder, honest)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
    if damage.grown > GROWTH_LIMIT_MB:
        damage.complaints.append(f"it grew by {damage.grown:.0f} MB")
    return damage


def _while_a_decoy_is_attacked(honest: HonestWorker, frames: Path, messages: int, seed: int) -> float:
    """The honest worker's wait while the processor is as busy, and the orchestrator is let alone."""
    address = f"tcp://127.0.0.1:{free_port()}"
    command = [sys.executable, ATTACKERS, address, "run", str(frames), "--decoy"]
    decoy = subprocess.Popen(command)
    try:
        begin = len(honest.waits)
        attackers = _attackers(address, "run", frames, messages, seed, Path(), None)
        for attacker in attackers:
            attacker.wait()
        return _at_99(honest.waits[begin:])
    finally:
        decoy.kill()
        decoy.wait()


def _attackers(
    address: str,
    run: str,
    frames: Path,
    messages: int,
    seed: int,
    directory: Path,
    credentials: Sequence[Credentials] | None,
) -> list[subprocess.Popen[bytes]]:
    command = [sys.executable, ATTACKERS, address, run, str(frames)]
    each = messages // 2
    knocks = ["--knock", "--messages", str(max(20, messages // 200))]
    if credentials is None:
        parties = [["--messages", str(each), "--seed", str(seed + k)] for k in range(2)]
        parties.append([*knocks, "--seed", str(seed)])
    else:
        key = ["--key", str(directory / "keys" / "mallory.json")]
        parties = [[*key, "--messages", str(each), "--seed", str(seed + k)] for k in range(2)]
        # A key may begin with a dash.
        parties.append([*knocks, "--seed", str(seed), f"--server={credentials[0].server}"])
    return [subprocess.Popen([*command, *party]) for party in parties]


def _lies(folder: RunFolder, honest: HonestWorker) -> list[str]:
    """What the journal holds that is not so, or does not hold that is."""
    replay = Replay.of(folder)
    said: dict[str, float] = {}
    for event in replay.reader:
        replay.scheduler.handle(event)
        if isinstance(event, ResultArrived) and event.worker == HONEST:
            said[event.lease] = event.value
    found = list(violations(replay.scheduler.state))
    for lease, value in honest.acknowledged.items():
        if said.get(lease) != value:
            found.append(f"{value} of lease {lease} was acknowledged, and the journal has {said.get(lease)}")
    return found[:10]


def _begun(directory: Path, process: subprocess.Popen[bytes]) -> RunFolder:
    def journals() -> list[Path]:
        if process.poll() is not None:
            raise AssertionError((directory / "said.txt").read_text())
        return list((directory / "logs").glob("*/journal.jsonl"))

    _until(journals, "the orchestrator did not start")
    time.sleep(0.5)
    return RunFolder(journals()[0].parent)


def _until(holds: object, otherwise: str) -> None:
    deadline = time.monotonic() + 120
    while not holds():  # type: ignore[operator]
        if time.monotonic() > deadline:
            raise AssertionError(otherwise)
        time.sleep(0.02)


def _at_99(waits: Sequence[float]) -> float:
    return sorted(waits)[int(0.99 * (len(waits) - 1))] if waits else float("inf")


def _memory(process: int) -> float:
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> int:
    """Attack both doors and print what came of it."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--messages", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parsed = parser.parse_args()
    failed = False
    for keys in (False, True):
        with tempfile.TemporaryDirectory(prefix="orchestrator-fuzz-") as name:
            damage = besiege(Path(name), parsed.messages // 2, parsed.seed, keys=keys)
        if damage.delay > DELAY_LIMIT_MS:
            damage.complaints.append(f"the honest worker waited {damage.delay:.0f} ms longer")
        print(
            f"{damage.door:10s} {damage.messages:,} messages in {damage.seconds:.0f} s, seed {parsed.seed}: "
            f"grew by {damage.grown:.1f} MB, journal {damage.journal:.1f} MB; "
            f"the honest worker waited {damage.attacked_wait:.1f} ms at the 99th percentile of "
            f"{damage.evaluations:,}, and {damage.calm_wait:.1f} ms while a decoy was attacked",
            flush=True,
        )
        for complaint in damage.complaints:
            print(f"  {complaint}", flush=True)
        failed = failed or bool(damage.complaints)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
