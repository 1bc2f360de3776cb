"""Where the specs to copy are tried, each as its first lines tell."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import yaml

from orchestrator import cli
from orchestrator.report.following.runs import find_run, read_run
from orchestrator.report.tables.trials import trials_table

PROJECT = Path(__file__).resolve().parents[2]
LABS = PROJECT / "configs" / "labs"
PATIENCE_S = 300.0


class Bench:
    """A folder where a spec is tried: shorter than it stands, otherwise to the letter."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "configs").mkdir()
        shutil.copytree(LABS, folder / "configs" / "labs")

    def shorten(self, name: str, **changes: Any) -> str:
        """The spec with some of its sections changed; its path as its first lines give it."""
        path = self.folder / "configs" / "labs" / name
        whole = yaml.safe_load(path.read_text(encoding="utf-8"))
        for section, change in changes.items():
            whole[section] = whole.get(section, {}) | change
        path.write_text(yaml.safe_dump(whole, sort_keys=False), encoding="utf-8")
        return str(path.relative_to(self.folder))

    def orchestrator(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A command in a process of its own, to its end."""
        return subprocess.run(
            [sys.executable, "-m", "orchestrator", *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )

    def trials_of(self, name: str, count: int) -> list[dict[str, Any]]:
        """So many trials of a spec, two at a time, all of which are completed."""
        spec = self.shorten(name, budget={"trials": count}, mode={"kind": "synchronous", "batch": 2})
        self.says("run", spec, "--quiet")
        trials = self.trials()
        assert [trial["state"] for trial in trials] == ["completed"] * count
        return trials

    def two_days_of_joints(self, one_day: int, the_next: int) -> tuple[list[dict[str, Any]], Any, Any]:
        """As `held.yaml` tells of them: the trials by then, and the best of each day."""
        self.trials_of("held.yaml", one_day)
        first = self.best()
        self.says("amend", "--held", "humidity=70", "--trials", str(the_next))
        (folder,) = (self.folder / "logs").iterdir()
        self.says("resume", "--quiet", str(folder))
        return self.trials(), first, self.best()

    def best(self) -> Any:
        """The best trial, or the front of several objectives."""
        return json.loads(self.says("best", "--format", "json"))

    def says(self, *arguments: str, code: int = 0) -> str:
        """A command in this process, which has imported what it needs, to its end: what it said.

        The optimiser and the workers of a run have their own.
        """
        words = io.StringIO()
        with contextlib.chdir(self.folder), redirect_stderr(words), redirect_stdout(words):
            assert cli.main(arguments) == code, words.getvalue()
        return words.getvalue()

    @contextmanager
    def going(self, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
        """A command that goes on meanwhile."""
        with (self.folder / f"{arguments[0]}.txt").open("wb") as said:
            process = subprocess.Popen(
                [sys.executable, "-m", "orchestrator", *arguments],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
            )
        try:
            yield process
            process.wait(PATIENCE_S)
        finally:
            process.kill()
            process.wait()

    @contextmanager
    def job(self, number: int, port: int) -> Iterator[subprocess.Popen[bytes]]:
        """What the queue starts on a node: the script of a cluster, told what the run tells its jobs."""
        (run,) = (self.folder / "logs").iterdir()
        found = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
        told = {
            "ORCHESTRATOR_ADDRESS": f"tcp://127.0.0.1:{port}",
            "ORCHESTRATOR_RUN": str(run),
            "ORCHESTRATOR_WORKER": f"job-{number}",
            "SLURM_JOB_ID": f"6{number}",
            "SLURMD_NODENAME": f"node{number}",
            "PATH": found,
        }
        script = str(LABS / "cluster.sbatch")
        process = subprocess.Popen(["/bin/sh", script], cwd=self.folder, env={**os.environ, **told})
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    def said(self, command: str) -> str:
        return (self.folder / f"{command}.txt").read_text(errors="replace")

    def trials(self) -> list[dict[str, Any]]:
        """Those of the one run there is, as `orchestrator trials` would show them."""
        table = trials_table(read_run(find_run(None, self.folder / "logs")))
        found: list[dict[str, Any]] = json.loads(table.written("json"))
        return found

    def until(self, true: Callable[[], bool], command: str = "run") -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not true():
            assert time.monotonic() < deadline, self.said(command)
            time.sleep(0.05)
