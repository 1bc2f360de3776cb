"""Runs of the comparison, each in a process of its own with one thread.

As a program it is that process: a job as JSON on its standard input, its file in the store in the end.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path

from benchmarks.comparison.store import KILLED, Kept, Store, fingerprint
from benchmarks.measuring.apart import ONE_THREAD
from benchmarks.project import PROJECT
from benchmarks.regrets.run import Job, run
from benchmarks.regrets.store import job_from

# A run ends by itself after the ask that took it beyond its cap. One that takes far longer is killed.
# Evaluations, which the cap does not count, have this long. All of it in seconds of the processor; of the
# clock, a run may be starved by others for hours.
PATIENCE = 3.0
EVALUATING_S = 900.0
HUNG_S = 6 * 3600.0


@dataclass
class Runner:
    """Runs what the store lacks: ``jobs`` processes at a time, each allowed ``cap_s`` seconds of choosing.

    ``say`` is called with a line whenever a run ends.
    """

    store: Store
    jobs: int = 1
    cap_s: float = 600.0
    say: Callable[[str], None] = print
    _running: set[subprocess.Popen[str]] = field(init=False, default_factory=set)
    _ended: threading.Event = field(init=False, default_factory=threading.Event)

    def run_all(self, jobs: Sequence[Job]) -> list[Kept]:
        """What the store has of the jobs in the end, in their order. One that fails holds up no other."""
        kept = {job.key: self.store.find(job) for job in jobs}
        missing = []
        for job in jobs:
            known = kept[job.key]
            if known is None or not known.final(self.cap_s):
                missing.append(job)
        for number, found in enumerate(self._outcomes(missing), start=1):
            kept[found.job.key] = found
            self.say(f"[{number}/{len(missing)}] {_line(found)}")
        return [known for job in jobs if (known := kept[job.key]) is not None]

    def _outcomes(self, jobs: Sequence[Job]) -> Iterator[Kept]:
        with ThreadPoolExecutor(max(1, self.jobs)) as pool, self._ending():
            futures = [pool.submit(self._one, job) for job in jobs]
            for future in as_completed(futures):
                if (found := future.result()) is not None:
                    yield found

    def _one(self, job: Job) -> Kept | None:
        """None where the runner was interrupted."""
        if self._ended.is_set():
            return None
        told = {
            "job": asdict(job),
            "cap_s": self.cap_s,
            "folder": str(self.store.folder),
            "parent": os.getpid(),
        }
        child = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.comparison.run"],
            cwd=PROJECT,
            env={**os.environ, **ONE_THREAD},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._running.add(child)
        if self._ended.is_set():
            # It was not among those that were ended.
            child.kill()
        try:
            _, complaint = child.communicate(json.dumps(told), timeout=HUNG_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            return self._failed(job, f"{KILLED} after {HUNG_S / 3600:.0f} h")
        finally:
            self._running.discard(child)
        if self._ended.is_set():
            return None
        if child.returncode == -signal.SIGXCPU:
            return self._failed(job, f"{KILLED} after {_most(self.cap_s)} s of the processor")
        if child.returncode != 0:
            last = (complaint.strip().splitlines() or ["no word of it"])[-1]
            how = f"signal {-child.returncode}: " if child.returncode < 0 else ""
            return self._failed(job, f"{how}{last}")
        return self.store.find(job) or self._failed(job, "ended without a result")

    def _failed(self, job: Job, sentence: str) -> Kept:
        code = fingerprint(job.contender.algorithm)
        kept = Kept(job, None, sentence, self.cap_s, date.today().isoformat(), code)
        self.store.keep(kept)
        return kept

    @contextmanager
    def _ending(self) -> Iterator[None]:
        """Whatever ends the runner ends its processes, and what has not begun never will."""
        try:
            yield
        except BaseException:
            self._ended.set()
            for child in list(self._running):
                child.send_signal(signal.SIGKILL)
            raise


def _most(cap_s: float) -> int:
    """The seconds of the processor after which a run with this cap is killed."""
    return round(PATIENCE * cap_s + EVALUATING_S)


def _line(kept: Kept) -> str:
    job = kept.job
    where = f"{job.case.slug}, {job.contender.title}, seed {job.seed}"
    if kept.record is None:
        return f"{where}: {kept.failed}"
    record = kept.record
    capped = "" if record.cap_s is None else f" (capped after {len(record.regrets)})"
    return f"{where}: regret {record.simple_regret(job.budget):.3g}{capped}, {record.mean_ask_s:.3g} s an ask"


def main() -> int:
    """The process of one run."""
    # Only here, as it loads the runtime.
    from orchestrator.system.parent_death import end_with_parent

    told = json.load(sys.stdin)
    end_with_parent(told["parent"])
    most = _most(told["cap_s"])
    resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
    job = job_from(told["job"])
    # Before the run, during which somebody may edit the code.
    code = fingerprint(job.contender.algorithm)
    # The processor's seconds, as what else the machine does counts in those of a clock.
    record = run(job, told["cap_s"], time.process_time)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    kept = Kept(job, record, "", told["cap_s"], date.today().isoformat(), code, megabytes)
    Store(Path(told["folder"])).keep(kept)
    return 0


if __name__ == "__main__":
    sys.exit(main())
