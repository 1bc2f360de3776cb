"""Start: CPU seconds of ``orchestrator --help`` and of importing the worker, beside a bare Python.

python -m benchmarks.startup
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

RUNS = 7


def cpu_seconds(arguments: list[str]) -> float:
    """The median of user and system time of a Python process, over several runs."""
    spent = []
    for _ in range(RUNS):
        before = os.times()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        after = os.times()
        spent.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )
    return statistics.median(spent)


def main() -> None:
    """Measure and print."""
    bare = cpu_seconds(["-c", "pass"])
    for name, arguments in {
        "python -c pass": ["-c", "pass"],
        "orchestrator --help": ["-m", "orchestrator", "--help"],
        "import the worker": ["-c", "import evaluators.worker_process.command_line"],
    }.items():
        spent = cpu_seconds(arguments)
        print(f"{name:26s} {spent:.3f} s of CPU   {spent / bare:4.1f} times a bare Python")


if __name__ == "__main__":
    main()
