"""Workloads: what an evaluation costs, what the orchestrator adds, and what thirty trials find.

    python -m benchmarks.workloads [--only push3,rover] [--data DIR] [--seeds N] [--write]

For each workload that can run here, three things, each in a fresh process and kept in
benchmarks/results/workloads.jsonl, so that the command goes on where it was stopped:

cost        the bare evaluator, called in a process of its own at the points of a random run: seconds of a
            core, and the process's largest memory
added       in that random run, on one local worker: the time from one result to the next, less what the
            evaluator itself took in between; it grows with what else the machine does
value       the best of 30 trials with random, sobol and egp-ts; five seeds where a trial takes less than a
            second, three under three seconds, one otherwise

The table goes into docs/workloads.md, between its marks, and the picture of the best trial of all into
docs/workloads/. Workloads whose data files are not in DIR (default: data) are left out, and said to be;
lines of the table that were measured elsewhere stay.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from benchmarks.kept.json_lines import add_line, lines_of
from benchmarks.project import PROJECT
from benchmarks.real_workloads.page import USUAL_SEEDS, cost_of, draw, write_page
from benchmarks.real_workloads.tasks import TASKS, Task, make_photographs, missing, note_of, spec_of
from benchmarks.running.runs import ENVIRONMENT, Finished, run_spec
from benchmarks.typed_seeds import typed_seeds
from orchestrator.report.words.wording import counted

KEPT = PROJECT / "benchmarks" / "results" / "workloads.jsonl"
TRIALS = 30
ALGORITHMS = ("random", "sobol", "egp-ts")
SEEDS = ((1.0, USUAL_SEEDS), (3.0, 3), (math.inf, 1))
"""How many runs of each algorithm, where an evaluation takes less than so many seconds."""
BARE_CALLS = 10
BARE_S = 60.0
"""Of a slow evaluator, four calls are enough."""


def shortened(spec: dict[str, Any], algorithm: str, seed: int, trials: int) -> str:
    """So many trials of an algorithm, one after another."""
    changed = {
        **spec,
        "algorithm": {"name": algorithm},
        "budget": {"trials": trials},
        "mode": "sequential",
        "workers": {"local": 1},
        "seed": seed,
    }
    changed.pop("initial", None)
    return yaml.safe_dump(changed, sort_keys=False)


# -- measuring ------------------------------------------------------------------------------------------

BARE = """\
import json, os, resource, sys, time
from pathlib import Path
from evaluators.child_process.calling import load_evaluator
from evaluators.context import Context
told = json.load(sys.stdin)
call = load_evaluator(told["evaluator"], told["options"])
walls, cores = [], []
started = time.perf_counter()
for trial, parameters in enumerate(told["points"]):
    if trial > 3 and time.perf_counter() - started > told["enough_s"]:
        break
    context = Context(trial=trial, attempt=1, seed=0, options=told["options"], directory=Path("bare"))
    begun, used = time.perf_counter(), sum(os.times()[:4])
    call(parameters, context)
    walls.append(time.perf_counter() - begun)
    cores.append(sum(os.times()[:4]) - used)
used = [resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(json.dumps({"walls": walls, "cores": cores, "megabytes": used[0], "megabytes_of_children": used[1]}))
"""


def bare(spec: dict[str, Any], points: list[dict[str, Any]], folder: Path) -> dict[str, Any]:
    """The evaluator called without an orchestrator; the first call, which loads its data, apart."""
    told = {
        "evaluator": spec["evaluation"]["evaluator"],
        "options": spec["evaluation"]["options"],
        "points": [points[0], *points],
        "enough_s": BARE_S,
    }
    done = subprocess.run(
        [sys.executable, "-c", BARE],
        input=json.dumps(told),
        capture_output=True,
        text=True,
        cwd=folder,
        env=ENVIRONMENT,
        check=False,
    )
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no word of it"])[-1]
        raise RuntimeError(f"{told['evaluator']} ended with {done.returncode}: {last}")
    measured: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    first, *walls = measured.pop("walls")
    # Seconds of a core, which do not depend on what else the machine does; the clock ticks at a hundredth.
    core_s = statistics.fmean(measured.pop("cores")[1:])
    return measured | {"first_s": first, "walls": walls, "core_s": max(core_s, 0.0)}


def added(finished: Finished) -> list[float]:
    """The seconds that pass between two results beyond the evaluator's own."""
    return [round(after.at - before.at - after.elapsed, 5) for before, after in pairwise(finished.results())]


@dataclass(frozen=True)
class Run:
    """One run of thirty trials, and its best."""

    task: str
    algorithm: str
    seed: int
    best: float
    wall_s: float
    failed: int
    best_parameters: dict[str, Any]
    best_extras: dict[str, Any]
    points: list[dict[str, Any]]
    added: list[float]


def measure_run(task: Task, spec: dict[str, Any], algorithm: str, seed: int) -> Run:
    """Run it through the command line, and read its journal."""
    with tempfile.TemporaryDirectory(prefix="orchestrator-workload-") as name:
        finished = run_spec(Path(name), shortened(spec, algorithm, seed, TRIALS))
    results = finished.results()
    if not results:
        raise RuntimeError(f"{task.name}: no trial of {algorithm} gave a value")
    suggested = [s for event in finished.asks() for s in event.suggestions]
    sign = 1.0 if spec["objective"]["goal"] == "maximise" else -1.0
    best = max(results, key=lambda event: -math.inf if event.value is None else sign * event.value)
    assert best.value is not None, "nobody compares its trials"
    trial = int(best.lease.partition(".")[0])
    return Run(
        task=task.name,
        algorithm=algorithm,
        seed=seed,
        best=best.value,
        wall_s=finished.seconds,
        failed=TRIALS - len(results),
        best_parameters=dict(suggested[trial - 1].parameters),
        best_extras=dict(best.extras),
        points=[dict(s.parameters) for s in suggested[:BARE_CALLS]] if algorithm == "random" else [],
        added=added(finished) if algorithm == "random" else [],
    )


# -- keeping --------------------------------------------------------------------------------------------


def kept() -> list[dict[str, Any]]:
    """The measurements so far."""
    return lines_of(KEPT, dict)


def keep(kind: str, row: dict[str, Any]) -> None:
    """Add a measurement."""
    add_line(KEPT, {"kind": kind, "date": date.today().isoformat(), **row})


def measure(task: Task, data: Path, most: int) -> None:
    """What is not measured yet of a workload, with so many seeds at most."""
    if task.made_up:
        data = KEPT.parent
    spec = spec_of(task, data)
    if task.made_up:
        make_photographs(Path(spec["evaluation"]["options"]["data"]))
    if lacks := missing(spec):
        print(f"{task.name}: left out, for want of {', '.join(lacks)}", flush=True)
        return
    done = [row for row in kept() if row["task"] == task.name]
    runs = {(row["algorithm"], row["seed"]): row for row in done if row["kind"] == "run"}
    if (first := runs.get(("random", 0))) is None:
        first = asdict(measure_run(task, spec, "random", 0))
        keep("run", first)
    if not any(row["kind"] == "added" for row in done):
        keep("added", {"task": task.name, "seconds": first["added"]})
    costs = [row for row in done if row["kind"] == "bare"]
    if not costs:
        with tempfile.TemporaryDirectory(prefix="orchestrator-workload-") as name:
            costs = [bare(spec, first["points"], Path(name))]
        keep("bare", {"task": task.name, "note": note_of(task, spec), **costs[0]})
    seconds = cost_of(costs[0])
    seeds = min(most, next(count for below, count in SEEDS if seconds < below))
    print(f"{task.name}: {seconds:.3g} s of a core an evaluation, {counted(seeds, 'seed')}", flush=True)
    for seed in range(seeds):
        for algorithm in ALGORITHMS:
            if (algorithm, seed) in {*runs, ("random", 0)}:
                continue
            run = measure_run(task, spec, algorithm, seed)
            keep("run", asdict(run))
            print(f"  {algorithm}, seed {seed}: {run.best:.5g} in {run.wall_s:.0f} s", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is missing, then write the table and the pictures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", metavar="NAMES", help="separated by commas")
    parser.add_argument("--data", type=Path, default=PROJECT / "data", metavar="DIR")
    parser.add_argument(
        "--seeds", type=typed_seeds, default=USUAL_SEEDS, metavar="N", help="at most: a first look at all"
    )
    parser.add_argument("--write", action="store_true", help="measure nothing more: write what there is")
    parsed = parser.parse_args(arguments)
    wanted = [name.strip() for name in parsed.only.split(",") if name.strip()]
    names = [task.name for task in TASKS]
    if unknown := [name for name in wanted if name not in names]:
        parser.error(f"--only: expected some of {', '.join(names)}, got `{unknown[0]}`")
    for task in TASKS:
        if not parsed.write and (not wanted or task.name in wanted):
            measure(task, parsed.data, parsed.seeds)
    rows = kept()
    if rows:
        draw(rows)
        write_page(rows, ALGORITHMS, TRIALS)


if __name__ == "__main__":
    main()
