"""Runs of the real orchestrator, started as a user would, and what their journals and processes show."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from orchestrator.runtime.folder.journal import read_journal
from orchestrator.scheduler.events import Event, ResultArrived, SuggestionsMade, WorkerJoined

ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Finished:
    """A run that ended: its events, its wall time, and the largest memory of its processes in MB."""

    events: tuple[Event, ...]
    seconds: float
    megabytes: dict[str, float]
    journal_bytes: int

    def results(self) -> list[ResultArrived]:
        """The values, in the order they arrived."""
        return [event for event in self.events if isinstance(event, ResultArrived)]

    def asks(self) -> list[SuggestionsMade]:
        """The answers of the optimiser."""
        return [event for event in self.events if isinstance(event, SuggestionsMade)]

    def workers_ready_at(self) -> float:
        """When the last worker had joined."""
        return max(event.at for event in self.events if isinstance(event, WorkerJoined))


@contextmanager
def workplace(module: str) -> Iterator[Path]:
    """A folder holding a module ``workload`` with the given source, for evaluators of a benchmark."""
    with tempfile.TemporaryDirectory(prefix="orchestrator-benchmark-") as name:
        folder = Path(name)
        (folder / "workload.py").write_text(module, encoding="utf-8")
        yield folder


def run_spec(folder: Path, spec: str) -> Finished:
    """Run a spec in ``folder`` to its end, through the command line.

    Raises RuntimeError if it does not end well. What interrupts this ends the run at once.
    """
    (folder / "spec.yaml").write_text(spec, encoding="utf-8")
    command = [sys.executable, "-m", "orchestrator", "run", "spec.yaml", "--logs", "logs", "--quiet"]
    begun = time.perf_counter()
    with subprocess.Popen(command, cwd=folder, env=ENVIRONMENT) as process:
        memory = _Memory(process.pid)
        try:
            while process.poll() is None:
                memory.look()
                time.sleep(0.1)
        except BaseException:
            process.kill()
            raise
    seconds = time.perf_counter() - begun
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    journal = max((folder / "logs").glob("*/journal.jsonl"), key=lambda path: path.stat().st_mtime)
    return Finished(read_journal(journal).events, seconds, memory.peaks, journal.stat().st_size)


@dataclass
class _Memory:
    """The largest resident memory seen of the orchestrator and of its optimiser, in MB."""

    orchestrator: int
    peaks: dict[str, float] = field(default_factory=dict)

    def look(self) -> None:
        """Sample now."""
        self._note("orchestrator", self.orchestrator)
        for process in Path("/proc").iterdir():
            if process.name.isdigit() and self._is_our_optimiser(process):
                self._note("optimiser", int(process.name))

    def _is_our_optimiser(self, process: Path) -> bool:
        try:
            status = (process / "stat").read_text()
            parent = int(status.rpartition(")")[2].split()[1])
            return parent == self.orchestrator and b"optimiser.server" in (process / "cmdline").read_bytes()
        except OSError:
            return False

    def _note(self, name: str, pid: int) -> None:
        try:
            pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        except OSError:
            return
        self.peaks[name] = max(self.peaks.get(name, 0.0), pages * os.sysconf("SC_PAGE_SIZE") / 1e6)
