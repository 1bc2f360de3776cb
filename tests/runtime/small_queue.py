"""A queue of a few lines, for runs of tests: a folder that has the jobs, and how many run at a time.

python small_queue.py submit FOLDER NAME OUTPUT SCRIPT ...   prints the job's number
python small_queue.py list FOLDER                            a line a job: number, name, state, reason
python small_queue.py cancel FOLDER NUMBER ...               ends them

Jobs are processes of their own, which outlive whoever submitted them. `FOLDER/places` holds how many run at a
time. Where there is a file `FOLDER/refuses`, `hangs` or `swallows`, submitting fails with its text, waits
until that is gone, or takes the job and does not answer. It waits no longer than a story may take: one that
is cut removes no file.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

Job = dict[str, Any]
WAITS_AT_MOST_S = 300.0


def wait_while(file: Path) -> None:
    """Until it is gone, or nobody will remove it any more."""
    until = time.monotonic() + WAITS_AT_MOST_S
    while file.exists() and time.monotonic() < until:
        time.sleep(0.05)


def runs(job: Job) -> bool:
    """Whether its process is there, and no zombie."""
    if job["process"] is None:
        return False
    try:
        stat = Path(f"/proc/{job['process']}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rsplit(")", 1)[1].split()[0] not in "ZX"


class Queue:
    """What the folder holds; one command at a time looks at it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "jobs.json"
        self.jobs: list[Job] = json.loads(self.file.read_text()) if self.file.exists() else []

    def turn(self) -> None:
        """Forget what has ended, and start what there is a place for."""
        self.jobs = [job for job in self.jobs if job["process"] is None or runs(job)]
        free = int((self.folder / "places").read_text()) - sum(
            job["process"] is not None for job in self.jobs
        )
        for job in [job for job in self.jobs if job["process"] is None][: max(0, free)]:
            with Path(job["output"]).open("ab") as output:
                job["process"] = subprocess.Popen(
                    job["arguments"],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    env=job["environment"],
                    start_new_session=True,
                ).pid
        self.keep()

    def keep(self) -> None:
        whole = self.folder / "whole"
        whole.write_text(json.dumps(self.jobs))
        whole.replace(self.file)

    def submit(self, name: str, output: str, *arguments: str) -> int:
        counter = self.folder / "counter"
        number = int(counter.read_text()) + 1 if counter.exists() else 101
        counter.write_text(str(number))
        job = {"number": number, "name": name, "output": output, "arguments": arguments, "process": None}
        self.jobs.append(job | {"environment": dict(os.environ)})
        self.turn()
        return number

    def cancel(self, *numbers: str) -> None:
        for job in self.jobs:
            if str(job["number"]) in numbers and job["process"] is not None:
                with suppress(ProcessLookupError):
                    os.killpg(job["process"], signal.SIGTERM)
        self.jobs = [job for job in self.jobs if str(job["number"]) not in numbers or job["process"]]
        self.turn()


def main(what: str, folder: str, *rest: str) -> int:
    place = Path(folder)
    if what == "submit":
        if (place / "refuses").exists():
            print((place / "refuses").read_text(), file=sys.stderr)
            return 1
        wait_while(place / "hangs")
    with (place / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        queue = Queue(place)
        match what:
            case "submit":
                number = queue.submit(*rest)
            case "cancel":
                queue.cancel(*rest)
            case "list":
                queue.turn()
                for job in queue.jobs:
                    state = "RUNNING None" if job["process"] else "PENDING Resources"
                    print(job["number"], job["name"], state)
    if what == "submit":
        wait_while(place / "swallows")
        print(number)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
