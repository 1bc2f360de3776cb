"""What people wait for: CPU seconds and memory of starts, and of commands that look at a run or fit models.

    python -m benchmarks.startup [--results 600]

Starts are beside a bare Python: `--help`, importing the worker, the default algorithm from nothing up to its
first point, and a run of one trial with all its processes. Commands are told of a run of `random` of so many
results in four parameters; models are of 500 of them at most, and of fewer than 620 others are fitted to hold
them against.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.running.runs import ENVIRONMENT, run_spec, workplace

RUNS = 7
WORKLOAD = """\
def bowl(parameters):
    return -sum((value - 0.3) ** 2 for value in parameters.values())
"""
SPEC = """\
experiment: startup
objective: {{name: y, goal: maximise}}
parameters:
  x1: {{type: float, bounds: [0, 1]}}
  x2: {{type: float, bounds: [0, 1]}}
  x3: {{type: float, bounds: [0, 1]}}
  x4: {{type: float, bounds: [0, 1]}}
algorithm: {{name: {algorithm}}}
budget: {{trials: {trials}}}
evaluation: {{evaluator: "workload:bowl"}}
workers: {{local: {workers}}}
"""
FIRST_POINT = """\
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Problem
from orchestrator.unit_cube.domain import Domain
registry.build("auto", Problem(Domain.continuous(4), seed=0)).ask(1, [], AskKey(1, 1))
"""
ORCHESTRATOR = ["-m", "orchestrator"]
STARTS = {
    "python -c pass": ["-c", "pass"],
    "orchestrator --help": [*ORCHESTRATOR, "--help"],
    "import the worker": ["-c", "import evaluators.worker_process.command_line"],
    "auto's first point": ["-c", FIRST_POINT],
    "a run of one trial": [*ORCHESTRATOR, "run", "one.yaml", "--logs", "one", "--quiet"],
}
COMMANDS = (
    "runs",
    "status RUN",
    "best RUN",
    "explain RUN 7",
    "export RUN --format csv",
    "report RUN --output report.html",
    "sensitivity RUN",
    "predict RUN",
    "compare RUN 5 --against 7",
    "tolerance RUN --off x1=0.05",
)


@dataclass(frozen=True, slots=True)
class Spent:
    """User and system time of a process and those that it waited for, and the largest memory of one in MB,
    which is never said to be less than what the process that started it had.
    """

    cpu_seconds: float
    megabytes: float


# Of a process that is begun here the most memory is told to be this one's, where that is more.
LAUNCHER = """
import os, sys
to_nowhere = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
process = os.posix_spawn(sys.executable, [sys.executable, *sys.argv[1:]], os.environ, file_actions=to_nowhere)
_, status, usage = os.wait4(process, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""


def spent_by(arguments: Sequence[str], folder: Path) -> Spent:
    """By a Python process. Raises RuntimeError if it does not end well."""
    launcher = [sys.executable, "-S", "-c", LAUNCHER, *arguments]
    told = subprocess.run(
        launcher, cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    code, seconds, kilobytes = map(float, told.split())
    if code != 0:
        raise RuntimeError(f"{' '.join(arguments)} ended with {code:g}")
    return Spent(seconds, kilobytes / 1024.0)


def median_of(arguments: Sequence[str], folder: Path) -> float:
    """The median CPU seconds of several runs."""
    return statistics.median(spent_by(arguments, folder).cpu_seconds for _ in range(RUNS))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=int, default=600, help="of the run that commands are told of")
    results = parser.parse_args().results
    with workplace(WORKLOAD) as folder:
        (folder / "one.yaml").write_text(SPEC.format(algorithm="auto", trials=1, workers=1), encoding="utf-8")
        bare = median_of(STARTS["python -c pass"], folder)
        for name, arguments in STARTS.items():
            seconds = median_of(arguments, folder)
            times = seconds / bare
            print(f"{name:20s} {seconds:6.3f} s of CPU   {times:5.1f} times a bare Python", flush=True)
        run_spec(folder, SPEC.format(algorithm="random", trials=results, workers=8))
        [run] = (folder / "logs").iterdir()
        for command in COMMANDS:
            given = [str(run) if word == "RUN" else word for word in command.split()]
            spent = spent_by([*ORCHESTRATOR, *given], folder)
            print(f"{given[0]:20s} {spent.cpu_seconds:6.3f} s of CPU   {spent.megabytes:4.0f} MB", flush=True)


if __name__ == "__main__":
    main()
