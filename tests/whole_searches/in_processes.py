"""The search of a draft as a run with workers in processes of their own, killed once and resumed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import yaml
from commands_given import DONE, FAILED, answered
from drafts import Draft
from ended import Ended, noting
from tables_read_back import told_otherwise

from orchestrator.errors import UsageError
from orchestrator.spec.load import LoadedSpec

TRIALS, BEFORE_THE_KILL = 6, 2
PATIENCE_S = 180.0
"""Of a machine that has other things to do."""
HERE = Path(__file__).parent
MODULES = os.pathsep.join(map(str, [HERE, HERE.parent, HERE.parents[1]]))


def lived_in_processes(draft: Draft, seed: int, loaded: LoadedSpec, folder: Path) -> Ended:
    """How it went; it is killed, as by a power cut, once there are some results."""
    ended = Ended((*draft.features, "in processes"))
    spec = yaml.safe_load(loaded.text)
    spec["budget"] = {"trials": TRIALS}
    spec["evaluation"] = {"evaluator": "drawn_evaluations:evaluate", "options": {"seed": seed}}
    told = [set(one) for one in spec["parameters"].values() if isinstance(one, dict)]
    # Where the worker is the machine, there is one.
    alone = any(keys & {"travel", "change"} for keys in told)
    spec["workers"] = {"local": 1 if alone else 1 + seed % 2}
    (folder / "drawn.yaml").write_text(yaml.safe_dump(spec, sort_keys=False))
    with noting(ended, "in processes"):
        first = _started(folder, "run", "drawn.yaml", "--quiet")
        journal = _killed_amid(first, folder)
        run = journal.parent
        said = _started(folder, "resume", str(run), "--quiet").communicate(timeout=PATIENCE_S)[1]
        if "Traceback" in said:
            raise ChildProcessError(said)
        ended.trials = journal.read_bytes().count(b'"ResultArrived"')
        for command in ("status", "best", "fsck"):
            try:
                answered(run, command)
            except UsageError as refused:
                ended.refused[command] = str(refused)
        ended.faults += told_otherwise(run, {})
    return ended


def _started(folder: Path, *command: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": MODULES}
    return subprocess.Popen(
        [sys.executable, "-m", "orchestrator", *command],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def _killed_amid(run: subprocess.Popen[str], folder: Path) -> Path:
    """Once it has some results, unless it ended before; its journal. Raises ChildProcessError."""
    until = time.monotonic() + PATIENCE_S
    journal = None
    while run.poll() is None and time.monotonic() < until:
        journal = next(folder.glob("logs/*/journal.jsonl"), None)
        if journal is not None and journal.read_bytes().count(b'Arrived"') >= BEFORE_THE_KILL:
            break
        time.sleep(0.05)
    run.kill()
    said = run.communicate(timeout=PATIENCE_S)[1]
    if journal is None or "Traceback" in said or run.returncode not in (DONE, FAILED, -9):
        raise ChildProcessError(f"it ended with {run.returncode}: {said}")
    return journal
