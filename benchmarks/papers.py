"""The papers' synthetic tables, in-process, with the papers' budgets and repeats.

python -m benchmarks.papers --table dumbo-2 --seeds 2 --write

Runs are spread over processes, the cheapest first and seed by seed, and kept as JSON lines in
`benchmarks/results/papers`: what is there is not run again, and an interrupted command can be repeated.
`--write` puts everything kept so far into `docs/results.md`, and the runs beside it, from where another
machine goes on; with `--seeds 0` nothing is run for it. What is beside the page that is written counts as
run: to measure afresh, name another folder and another page.
Each row also runs on shifted and permuted copies of the function, another copy for each seed.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from benchmarks.published.archive import archive, restore
from benchmarks.published.page import PAGE, write_page
from benchmarks.published.tables import TABLES, Entry, Experiment, PaperTable
from benchmarks.regrets.run import Job
from benchmarks.regrets.store import RESULTS, Bench
from benchmarks.typed_seeds import typed_seeds
from orchestrator.algorithms import registry
from orchestrator.algorithms.peers.offered import PEERS, absence

FOLDER = RESULTS.parent / "papers"
Which = Literal["all", "own", "quick"]
WITHOUT_MODEL = {"direct", "random", "sobol", "soo"}


def unavailable(entry: Entry) -> str | None:
    """Why an entry cannot be run here, in words; None if it can."""
    name = entry.contender.algorithm
    if name in PEERS:
        return None if absence(name) is None else "needs the extra [compare]"
    return None if name in registry.names() else "not built"


def cost(experiment: Experiment, entry: Entry) -> float:
    """A rough order of how long a run takes: of no meaning but for what goes first."""
    if entry.contender.algorithm in WITHOUT_MODEL:
        return 0.0
    dimension = experiment.case(entry, shifted=False).instance(0).dimension
    structured = 4.0 if entry.contender.algorithm in ("dumbo", "dec-hbo", "add-gp-ucb") else 1.0
    features = 0.2 if entry.contender.algorithm == "egp-ts" else 1.0
    return features * structured * dimension * experiment.budget**2


def jobs_of(
    tables: Sequence[PaperTable],
    seeds: int | None,
    which: Which = "all",
    functions: Sequence[str] = (),
    unshifted_only: bool = False,
) -> list[Job]:
    """What is to be run, in order: seed by seed, the papers' own algorithms first, the cheap before the dear.

    ``seeds``: how many at most; None: as many as the paper's repeats. ``which``: the papers' *own*
    algorithms, those that are *quick* because they have no model, or *all*.
    """
    queue: list[tuple[tuple[int, bool, float, bool], Job]] = []
    for table in tables:
        wanted = table.repeats if seeds is None else min(seeds, table.repeats)
        for experiment, entry in table.rows():
            quick = entry.contender.algorithm in WITHOUT_MODEL
            if unavailable(entry) or not {"all": True, "own": entry.own, "quick": quick}[which]:
                continue
            if functions and experiment.function not in functions:
                continue
            for shifted in (False,) if unshifted_only else (False, True):
                for job in experiment.jobs(entry, shifted, wanted):
                    dear = cost(experiment, entry)
                    queue.append(((job.seed, dear > 0 and not entry.own, dear, shifted), job))
    ordered = [job for _, job in sorted(queue, key=lambda pair: pair[0])]
    # The same row may stand in two tables.
    return list({job.key: job for job in reversed(ordered)}.values())[::-1]


def every_job(tables: Sequence[PaperTable]) -> list[Job]:
    """What the tables are made of, whether it can be run here or not."""
    jobs = [
        job
        for table in tables
        for experiment, entry in table.rows()
        for shifted in (False, True)
        for job in experiment.jobs(entry, shifted, table.repeats)
    ]
    return list({job.key: job for job in jobs}.values())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, and write if asked. The exit code: 0, 1 if a run raised, 2 for a function that no table has."""
    asked = _parser().parse_args(arguments)
    tables = [TABLES[asked.table]] if asked.table else list(TABLES.values())
    functions = list(dict.fromkeys(e.function for table in tables for e in table.experiments))
    if unknown := [name for name in asked.function if name not in functions]:
        sentence = f"--function: expected some of {', '.join(functions)}, got `{unknown[0]}`"
        print(sentence, file=sys.stderr)
        return 2
    jobs = jobs_of(tables, asked.seeds, asked.which, asked.function, asked.unshifted)
    bench = Bench(asked.cores, asked.results, asked.cap, say=lambda line: print(line, file=sys.stderr))
    pages = ([PAGE] if asked.results == FOLDER else []) + ([asked.page] if asked.write else [])
    for page in pages:
        if brought := restore(bench, page):
            bench.say(f"{brought} runs of {page.name} that were not here count as run")
    records = bench.run_all(jobs)
    if asked.write:
        page = write_page(bench, asked.page, unavailable)
        archive(bench, every_job(list(TABLES.values())), page)
        bench.say(f"wrote {page}")
    return 0 if len(records) == len(jobs) else 1


def _parser() -> argparse.ArgumentParser:
    said = (__doc__ or "").split("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.papers", description=said)
    tell = parser.add_argument
    tell("--table", choices=sorted(TABLES), help="one of them (default: all)")
    tell("--function", action="append", default=[], help="only rows of this function; repeatable")
    tell("--seeds", type=typed_seeds, metavar="K", help="at most so many (default: the paper's repeats)")
    only = parser.add_mutually_exclusive_group()
    for which, kind in (("own", "the papers' own algorithms"), ("quick", "baselines without a model")):
        only.add_argument(
            f"--{which}", dest="which", action="store_const", const=which, default="all", help=f"only {kind}"
        )
    tell("--unshifted", action="store_true", help="leave the shifted and permuted copies out")
    tell("--cores", type=int, default=os.cpu_count() or 1, help="processes (default: all)")
    tell("--cap", type=float, metavar="S", help="seconds of choosing that end a run early; the page says so")
    tell("--results", type=Path, default=FOLDER, help="folder of results")
    tell("--write", action="store_true", help="write the page from all that is kept")
    tell("--page", type=Path, default=PAGE, help="the page (default: docs/results.md)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
