"""Workloads: what an evaluation costs, what the orchestrator adds, and what thirty trials find.

    python -m benchmarks.workloads [--only push3,rover] [--data DIR] [--seeds N] [--write]

For each workload that can run here, three things, each in a fresh process and kept in
benchmarks/results/workloads.jsonl, so that the command goes on where it was stopped:

cost        the bare evaluator, called in a process of its own at the points of a random run: seconds of a
            core, and the process's largest memory
added       a short random run on one local worker: the time from one result to the next, less what the
            evaluator itself took in between, so that whatever else the machine does counts for neither
value       the best of 30 trials with random, sobol and egp-ts; five seeds where a trial takes less than a
            second, one otherwise

The table goes into docs/workloads.md, between its marks, and the picture of the best trial of all into
docs/workloads/. Workloads whose data files are not in DIR (default: data) are left out, and said to be.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from benchmarks.runs import ENVIRONMENT, run_spec
from evaluators.catalogue import workload_of
from evaluators.pictures import picture
from orchestrator.report.wording import counted

PROJECT = Path(__file__).resolve().parents[1]
KEPT = PROJECT / "benchmarks" / "results" / "workloads.jsonl"
PAGE = PROJECT / "docs" / "workloads.md"
PICTURES = PROJECT / "docs" / "workloads"
BEGIN, END = "<!-- measured -->", "<!-- end of measured -->"
TRIALS = 30
ALGORITHMS = ("random", "sobol", "egp-ts")
SEEDS = 5
SLOW_S = 1.0
"""An evaluation that takes longer gets one seed."""
BARE_CALLS = 10
ADDED_TRIALS = 12


@dataclass(frozen=True)
class Task:
    """A workload as it is measured: a paper's spec, with what is changed of its options."""

    name: str
    spec: str
    options: dict[str, Any] = field(default_factory=dict)
    note: str = ""


TASKS = (
    Task("push3", "push3"),
    Task("push4", "push4"),
    Task("push4 (MuJoCo)", "push4", {"engine": "mujoco"}),
    Task("rover", "dumbo-rover"),
    Task("network-wine", "network-wine", {"repeats": 3}, "3 repeats"),
    Task("network-breast-cancer", "network-breast-cancer", {"repeats": 3}, "3 repeats"),
    Task("faces", "faces"),
    Task("cosmo", "cosmo"),
    Task("cosmo20", "cosmo20"),
    Task("wlan", "wlan"),
    Task("xgboost", "xgboost"),
    Task("elastic-net", "elastic-net"),
    Task("mlp", "mlp"),
    Task("pic", "pic"),
    Task("cnn", "cnn"),
)


# -- the specs ------------------------------------------------------------------------------------------


def spec_of(task: Task, data: Path) -> dict[str, Any]:
    """The paper's spec, its data files looked for in ``data``.

    MNIST's test images stand for all of it where the training images are not there: a sixth tests.
    """
    path = PROJECT / "configs" / "papers" / f"{task.spec}.yaml"
    spec: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    options = spec["evaluation"].setdefault("options", {})
    options |= task.options
    workload = workload_of(spec["evaluation"]["evaluator"])
    assert workload is not None
    for file in workload.data:
        options[file.option] = str((data / Path(file.usual).name).resolve())
    if "test_images" in options and not Path(options["images"]).exists():
        options["images"], options["labels"] = options.pop("test_images"), options.pop("test_labels")
    return spec


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


def missing(spec: dict[str, Any]) -> list[str]:
    """What this machine lacks for a spec."""
    workload = workload_of(spec["evaluation"]["evaluator"])
    return [lack.what for lack in workload.lacking(spec["evaluation"]["options"])] if workload else []


# -- measuring ------------------------------------------------------------------------------------------

BARE = """\
import json, os, resource, sys, time
from pathlib import Path
from evaluators.calling import load_evaluator
from evaluators.context import Context
told = json.load(sys.stdin)
call = load_evaluator(told["evaluator"], told["options"])
walls, cores = [], []
for trial, parameters in enumerate(told["points"]):
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
    }
    done = subprocess.run(
        [sys.executable, "-c", BARE],
        input=json.dumps(told),
        capture_output=True,
        text=True,
        cwd=folder,
        env=ENVIRONMENT,
        check=True,
    )
    measured: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    first, *walls = measured.pop("walls")
    # Seconds of a core, which do not depend on what else the machine does; the clock ticks at a hundredth.
    core_s = statistics.fmean(measured.pop("cores")[1:])
    return measured | {"first_s": first, "walls": walls, "core_s": max(core_s, 0.0)}


def added(spec: dict[str, Any], trials: int) -> list[float]:
    """The seconds that pass between two results beyond the evaluator's own."""
    with tempfile.TemporaryDirectory(prefix="orchestrator-workload-") as name:
        results = run_spec(Path(name), shortened(spec, "random", 1000, trials)).results()
    return [round(after.at - before.at - after.elapsed, 5) for before, after in pairwise(results)]


@dataclass(frozen=True)
class Run:
    """One run of thirty trials, and its best."""

    task: str
    algorithm: str
    seed: int
    best: float
    wall_s: float
    asked_s: float
    failed: int
    best_parameters: dict[str, Any]
    best_extras: dict[str, Any]
    points: list[dict[str, Any]]


def measure_run(task: Task, spec: dict[str, Any], algorithm: str, seed: int) -> Run:
    """Run it through the command line, and read its journal."""
    with tempfile.TemporaryDirectory(prefix="orchestrator-workload-") as name:
        finished = run_spec(Path(name), shortened(spec, algorithm, seed, TRIALS))
    results = finished.results()
    if not results:
        raise RuntimeError(f"{task.name}: no trial of {algorithm} gave a value")
    suggested = [s for event in finished.asks() for s in event.suggestions]
    sign = 1.0 if spec["objective"]["goal"] == "maximise" else -1.0
    best = max(results, key=lambda event: sign * event.value)
    trial = int(best.lease.partition(".")[0])
    return Run(
        task=task.name,
        algorithm=algorithm,
        seed=seed,
        best=best.value,
        wall_s=finished.seconds,
        asked_s=round(sum(event.seconds for event in finished.asks()), 4),
        failed=TRIALS - len(results),
        best_parameters=dict(suggested[trial - 1].parameters),
        best_extras=dict(best.extras),
        points=[dict(s.parameters) for s in suggested[:BARE_CALLS]] if algorithm == "random" else [],
    )


# -- keeping --------------------------------------------------------------------------------------------


def kept() -> list[dict[str, Any]]:
    """The measurements so far."""
    if not KEPT.exists():
        return []
    return [json.loads(line) for line in KEPT.read_text(encoding="utf-8").splitlines() if line.strip()]


def keep(kind: str, row: dict[str, Any]) -> None:
    """Add a measurement."""
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    with KEPT.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"kind": kind, "date": date.today().isoformat(), **row}) + "\n")


def cost_of(measured: dict[str, Any]) -> float:
    """Seconds of a core that an evaluation takes; of the clock, where they are too few to be counted."""
    core_s: float = measured["core_s"]
    return core_s if core_s >= 0.05 else statistics.median(measured["walls"])


def measure(task: Task, data: Path, most: int) -> None:
    """What is not measured yet of a workload, with so many seeds at most."""
    spec = spec_of(task, data)
    if lacks := missing(spec):
        print(f"{task.name}: left out, for want of {', '.join(lacks)}", flush=True)
        return
    done = [row for row in kept() if row["task"] == task.name]
    runs = {(row["algorithm"], row["seed"]) for row in done if row["kind"] == "run"}
    if ("random", 0) not in runs:
        first = measure_run(task, spec, "random", 0)
        keep("run", asdict(first))
        points = first.points
    else:
        points = next(r["points"] for r in done if r["kind"] == "run" and r["points"])
    costs = [row for row in done if row["kind"] == "bare"]
    if not costs:
        with tempfile.TemporaryDirectory(prefix="orchestrator-workload-") as name:
            costs = [bare(spec, points, Path(name))]
        keep("bare", {"task": task.name, **costs[0]})
    if not any(row["kind"] == "added" for row in done):
        keep("added", {"task": task.name, "seconds": added(spec, ADDED_TRIALS)})
    seconds = cost_of(costs[0])
    seeds = min(most, SEEDS if seconds < SLOW_S else 1)
    print(f"{task.name}: {seconds:.3g} s of a core an evaluation, {counted(seeds, 'seed')}", flush=True)
    for algorithm in ALGORITHMS:
        for seed in range(seeds):
            if (algorithm, seed) in runs | {("random", 0)}:
                continue
            run = measure_run(task, spec, algorithm, seed)
            keep("run", asdict(run))
            print(f"  {algorithm}, seed {seed}: {run.best:.5g} in {run.wall_s:.0f} s", flush=True)


# -- writing --------------------------------------------------------------------------------------------


def table(rows: list[dict[str, Any]]) -> Iterator[str]:
    """The lines of the page: a row a workload."""
    yield "| workload | s of a core | memory, MB | added a trial, ms | random | sobol | egp-ts |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for task in TASKS:
        runs = [row for row in rows if row["task"] == task.name and row["kind"] == "run"]
        costs = [row for row in rows if row["task"] == task.name and row["kind"] == "bare"]
        between = [row["seconds"] for row in rows if row["task"] == task.name and row["kind"] == "added"]
        if not runs or not costs or not between:
            continue
        memory = max(costs[0]["megabytes"], costs[0]["megabytes_of_children"])
        goal = spec_of(task, Path())["objective"]["goal"]
        values = [_values([r["best"] for r in runs if r["algorithm"] == name]) for name in ALGORITHMS]
        note = f" ({task.note})" if task.note else ""
        arrow = "↑" if goal == "maximise" else "↓"
        yield (
            f"| {task.name}{note} {arrow} | {cost_of(costs[0]):.2g} | {memory:.0f} | "
            f"{1e3 * statistics.median(between[0]):.1f} | {' | '.join(values)} |"
        )


def _values(values: list[float]) -> str:
    if not values:
        return ""
    if len(values) == 1:
        return f"{values[0]:.4g}".replace("-", "−")
    ranked = sorted(values)
    spread = f"{ranked[0]:.3g} … {ranked[-1]:.3g}"
    return f"**{statistics.median(values):.4g}** ({spread})".replace("-", "−")


def draw(rows: list[dict[str, Any]]) -> None:
    """The best trial of each workload whose picture the page shows."""
    shown = re.findall(r"workloads/([\w-]+)\.svg", PAGE.read_text(encoding="utf-8"))
    for task in TASKS:
        spec = spec_of(task, Path())
        runs = [row for row in rows if row["task"] == task.name and row["kind"] == "run"]
        if not runs or task.name not in shown:
            continue
        sign = 1.0 if spec["objective"]["goal"] == "maximise" else -1.0
        best = max(runs, key=lambda row: sign * row["best"])
        evaluator = spec["evaluation"]["evaluator"]
        svg = picture(evaluator, best["best_parameters"], {"value": best["best"], **best["best_extras"]})
        if svg is not None:
            PICTURES.mkdir(parents=True, exist_ok=True)
            (PICTURES / f"{task.name}.svg").write_text(svg, encoding="utf-8")


def write_page(rows: list[dict[str, Any]]) -> None:
    """Put the table between the page's marks."""
    days = sorted({row["date"] for row in rows})
    when = days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"
    said = (
        f"Measured {when} with `python -m benchmarks.workloads`: {os.cpu_count()} cores that others used as "
        f"well, {platform.machine()}, Python {platform.python_version()}, one thread a process, one local "
        f"worker, sequential. Values after {TRIALS} trials: the median of {SEEDS} seeds (lowest … highest), "
        "or that of one seed. ↑ is to be maximised, ↓ to be minimised."
    )
    text = PAGE.read_text(encoding="utf-8")
    inside = "\n".join([BEGIN, said, "", *table(rows), END])
    changed = re.sub(f"{re.escape(BEGIN)}.*?{re.escape(END)}", lambda _: inside, text, flags=re.DOTALL)
    PAGE.write_text(changed, encoding="utf-8")


def main() -> None:
    """Measure what is missing, then write the table and the pictures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", metavar="NAMES", help="separated by commas")
    parser.add_argument("--data", type=Path, default=PROJECT / "data", metavar="DIR")
    parser.add_argument("--seeds", type=int, default=SEEDS, metavar="N", help="at most: a first look at all")
    parser.add_argument("--write", action="store_true", help="measure nothing more: write what there is")
    parsed = parser.parse_args()
    wanted = [name.strip() for name in parsed.only.split(",") if name.strip()]
    for task in TASKS:
        if not parsed.write and (not wanted or task.name in wanted):
            measure(task, parsed.data, parsed.seeds)
    rows = kept()
    if rows:
        draw(rows)
        write_page(rows)


if __name__ == "__main__":
    main()
