"""Processes of the worker in C++, built as far as this machine can."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from worker_lab import eventually

from evaluators.compiled import built, missing
from evaluators.native import launcher
from orchestrator.wire.scripted import ScriptedOrchestrator

QUADRATIC = "native:quadratic"
SERVED = launcher.program_for_here()
_LACKING = missing(SERVED)
NEEDS_A_COMPILER = pytest.mark.skipif(
    bool(_LACKING), reason=f"the worker in C++ cannot be built: {' and '.join(_LACKING)} missing"
)


class NativeLab:
    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.program = built(SERVED)
        self.workers: list[subprocess.Popen[bytes]] = []

    def start(self, address: str, *arguments: str) -> subprocess.Popen[bytes]:
        given = ["--connect", address, "--name", "w", "--directory", str(self.directory / "w"), *arguments]
        with open(self.directory / "said", "ab") as said:
            worker = subprocess.Popen([self.program, *given], stderr=said, cwd=self.directory)
        self.workers.append(worker)
        return worker

    @property
    def said(self) -> str:
        """What the workers have written to standard error."""
        return (self.directory / "said").read_text()

    def close(self) -> None:
        for worker in self.workers:
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
