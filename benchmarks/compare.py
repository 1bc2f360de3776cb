"""Our algorithms and those of other projects on the same problems, with the same starts, budgets and seeds.

python -m benchmarks.compare --suite public --peers all
python -m benchmarks.compare --problems hartmann6,shekel4 --algorithms auto,gp-ei --seeds 3 --no-page

Suites: `public` (every problem), `speed` (seconds an ask against results told), `parallel` (eight
asynchronous workers against one), `untold` (nothing said of noise), `few` (few trials). Peers need the extra
[compare]; those of a missing library are left out and said to be. Every run is a process of its own with one
thread, and ends after `--cap` seconds of choosing. Its result is a file in `benchmarks/results/compare`, and
what is there is not run again, so that an interrupted command can be repeated; `speed` alone measures again
all that it is asked for. The page, `docs/comparison.md`, is written from all that is kept; with `--seeds 0`
nothing is run for it. What it is written from is kept beside it, too, in `docs/comparison/runs.jsonl`, and
counts as run wherever that page is written: to measure afresh, name another folder and another page.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.comparison import few as compare_few
from benchmarks.comparison import parallel as compare_parallel
from benchmarks.comparison import speed as compare_speed
from benchmarks.comparison import untold as compare_untold
from benchmarks.comparison.archive import archive, restore
from benchmarks.comparison.page import PAGE, write_page
from benchmarks.comparison.run import Runner
from benchmarks.comparison.store import FOLDER, Kept, Store
from benchmarks.comparison.suite import Contest, find, peers_named, public_suite
from benchmarks.functions.workloads import lacking
from benchmarks.regrets.run import Contender, Job
from benchmarks.regrets.table import summarise, table
from benchmarks.typed_seeds import typed_seeds
from orchestrator.algorithms import registry
from orchestrator.algorithms.peers.offered import PEERS, absence
from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.values.typed_numbers import typed_count

# A rough order of seconds an ask, of no meaning but for what goes first.
DEAR_PEERS = {"optuna-tpe": 0.01, "botorch-turbo": 0.1, "optuna-gp": 0.3, "botorch-log-ei": 1.0}
DEAREST = 3.0


def in_order(contests: Sequence[Contest], contenders: Sequence[Contender], seeds: int | None) -> list[Job]:
    """Every job: seed by seed, so that an interrupted command has some of everything; within a seed the few
    dimensions before the many, and the cheap algorithms before the dear.
    """
    queue = []
    for contest in contests:
        for contender in contenders:
            dear = DEAR_PEERS.get(contender.algorithm, DEAREST if contender.algorithm in PEERS else 0.0)
            weight = contest.dimension * contest.budget * (0.1 + dear)
            queue += [(job.seed, weight, job) for job in contest.jobs(contender, seeds)]
    return [job for _, _, job in sorted(queue, key=lambda entry: entry[:2])]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run and print. The exit code: 0, 1 if a run failed, 2 for what does not exist, 130 if interrupted."""
    asked = _parser().parse_args(arguments)
    try:
        return _measured(asked)
    except KeyboardInterrupt:
        _say("interrupted: what has ended is kept, and the same command goes on from there")
        return 130


def _measured(asked: argparse.Namespace) -> int:
    try:
        contenders = _contenders(asked)
        names = asked.problems.split(",") if asked.problems else None
        contests = find(names) if names else public_suite()
        suites = {"few": compare_few, "parallel": compare_parallel, "untold": compare_untold}
        of_suite = suites.get(asked.suite)
        pairs = [] if of_suite is None else of_suite.pairs(names)
    except OrchestratorError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    runner = Runner(Store(asked.results), asked.jobs, asked.cap, _say)
    pages = ([PAGE] if asked.results == FOLDER else []) + ([asked.page] if asked.page is not None else [])
    for page in pages:
        if brought := restore(runner.store, page):
            _say(f"{brought} runs of {page.name} that were not here count as run")
    if asked.suite == "speed":
        compare_speed.measure(contenders, runner.store.folder, _say)
        complete = True
    elif asked.suite == "parallel":
        complete = _both_ways(pairs, contenders, runner, asked)
        rows = compare_parallel.measured(pairs, contenders, runner.store)
        print("\n".join(compare_parallel.table(rows)))
    elif asked.suite == "untold":
        complete = _both_ways(pairs, contenders, runner, asked)
        print("\n".join(compare_untold.table(compare_untold.measured(pairs, contenders, runner.store))))
    elif asked.suite == "few":
        complete = _both_ways(pairs, contenders, runner, asked)
        print("\n".join(compare_few.table(compare_few.measured(pairs, contenders, runner.store))))
    else:
        complete = _public(contests, contenders, runner, asked)
    if asked.page is not None:
        _say(f"wrote {write_page(runner.store, asked.page)}")
        archive(runner.store, asked.page)
    return 0 if complete else 1


def _public(
    contests: Sequence[Contest], contenders: Sequence[Contender], runner: Runner, asked: argparse.Namespace
) -> bool:
    runnable = []
    for contest in contests:
        if (lack := lacking(contest.case.function)) is None:
            runnable.append(contest)
        else:
            _say(f"{contest.name} is left out: {lack}")
    jobs = in_order(runnable, contenders, asked.seeds)
    kept = _run(jobs, runner, asked)
    for contest in runnable:
        mine = [k for k in kept if k.record is not None and k.job.case == contest.case]
        records = sorted((k.record for k in mine if k.record is not None), key=lambda r: r.job.seed)
        order = [contender.title for contender in contenders]
        if records:
            records.sort(key=lambda r: order.index(r.job.contender.title))
            print(f"\n{contest.name}\n{table(summarise(records), contest.budget)}")
    return all(k.record is not None for k in kept)


def _both_ways(
    pairs: Sequence[tuple[Contest, Contest]],
    contenders: Sequence[Contender],
    runner: Runner,
    asked: argparse.Namespace,
) -> bool:
    jobs = in_order([contest for both in pairs for contest in both], contenders, asked.seeds)
    kept = _run(jobs, runner, asked)
    return all(k.record is not None for k in kept)


def _run(jobs: Sequence[Job], runner: Runner, asked: argparse.Namespace) -> list[Kept]:
    fresh = set(asked.fresh.split(","))
    for job in jobs:
        if job.contender.algorithm in fresh:
            runner.store.forget(job)
    kept = runner.run_all(jobs)
    stale = sorted({k.job.contender.algorithm for k in kept if k.stale})
    if stale:
        _say(
            f"kept from before the code changed: some runs of {', '.join(stale)};"
            f" `--fresh {','.join(stale)}` runs them again"
        )
    return kept


def _contenders(asked: argparse.Namespace) -> list[Contender]:
    peers = peers_named(asked.peers)
    own = [name.strip() for name in asked.algorithms.split(",") if name.strip()]
    for name in own:
        registry.load(name)
    able = []
    for name in peers:
        if (sentence := absence(name)) is None:
            able.append(name)
        elif asked.peers == "all":
            _say(f"left out: {sentence}")
        else:
            raise UsageError(sentence)
    return [Contender(name) for name in dict.fromkeys([*own, *able])]


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    said = (__doc__ or "").split("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compare", description=said)
    tell = parser.add_argument
    tell(
        "--suite",
        choices=["public", "speed", "parallel", "untold", "few"],
        default="public",
        help="what to measure",
    )
    tell("--problems", metavar="A,B", help="some of the suite, or other synthetic functions (default: all)")
    tell("--algorithms", default="auto", metavar="A,B", help="ours, as a spec has them (default: auto)")
    tell("--peers", default="none", metavar="A,B|all|none", help="of other projects (default: none)")
    tell("--seeds", type=typed_seeds, metavar="K", help="from 0 (default: 10 where cheap, 5 otherwise)")
    tell("--jobs", type=typed_count, default=1, help="processes at a time (default: 1)")
    tell("--cap", type=float, default=600.0, metavar="S", help="seconds of choosing a run (default: 600)")
    tell("--fresh", default="", metavar="A,B", help="run these algorithms again, whatever is kept")
    tell("--results", type=Path, default=FOLDER, help="folder of results")
    tell("--page", type=Path, default=PAGE, help="the page (default: docs/comparison.md)")
    tell("--no-page", dest="page", action="store_const", const=None, help="write no page")
    return parser


if __name__ == "__main__":
    # A shell that starts it in the background has it ignore interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main())
