"""Algorithms side by side on a synthetic function: simple regret at half and at full budget, seconds an ask.

python -m benchmarks.regret hartmann-6 --algorithms egp-ts,random --budget 100 --seeds 5 --shifted

Every (algorithm, seed) is a run in one of as many processes as there are cores. Results are kept as JSON
lines in `benchmarks/results/regret`, and what is there is not run again. The same start design (10 points for
up to 10 parameters, 20 above), the same shift and the same noise for all under the same seed.

For other benchmarks to build on: `regrets.run` (what a run is, and `run`), `regrets.store.Bench` (many of
them), and `regrets.table` (`summarise` and `table`).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.regrets.run import Case, Contender, Crew, Job
from benchmarks.regrets.store import RESULTS, Bench
from benchmarks.regrets.table import summarise, table
from orchestrator.algorithms import registry
from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.values.typed_numbers import typed_count


def main(arguments: Sequence[str] | None = None) -> int:
    """Run and print. The exit code: 0, 1 if a run raised, 2 for what does not exist."""
    asked = _parser().parse_args(arguments)
    try:
        case = Case(
            asked.function,
            shifted=asked.shifted,
            noise=asked.noise,
            noise_told=not asked.noise_untold,
            structure=asked.structure,
            start_points=asked.start_points,
            crew=Crew(asked.parallel, asked.synchronous),
        )
        case.instance(0)
        contenders = [Contender(name, _options(asked.options, name)) for name in asked.algorithms.split(",")]
        for contender in contenders:
            registry.load(contender.algorithm)
    except OrchestratorError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    # Seeds outside, so that an interrupted run has some of every contender.
    jobs = [Job(case, c, asked.budget, seed) for seed in range(asked.seeds) for c in contenders]
    bench = Bench(asked.cores, asked.results, asked.cap, say=lambda line: print(line, file=sys.stderr))
    records = bench.run_all(jobs)
    if records:
        print(table(summarise(records), asked.budget))
    return 0 if len(records) == len(jobs) else 1


def _options(told: Sequence[tuple[str, str]], name: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for algorithm, text in told:
        if algorithm == name:
            try:
                options |= json.loads(text)
            except (ValueError, TypeError) as error:
                sentence = f"--options {name}: expected a JSON object, got {text!r} ({error})"
                raise UsageError(sentence) from None
    return options


def _parser() -> argparse.ArgumentParser:
    said = (__doc__ or "").split("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.regret", description=said)
    tell = parser.add_argument
    tell("function", help="a name of `python -m evaluators.synthetic`")
    tell("--algorithms", required=True, metavar="A,B,C", help="names, as a spec has them")
    tell("--budget", type=typed_count, required=True, help="evaluations")
    tell("--seeds", type=typed_count, default=5, help="how many, from 0 (default: 5)")
    tell("--shifted", action="store_true", help="shifted and permuted, by seed")
    tell("--noise", type=float, default=0.0, metavar="SD", help="standard deviation of noise")
    tell("--noise-untold", action="store_true", help="leave the noise, even none, to be inferred")
    tell("--structure", choices=["hidden", "known", "observed"], default="hidden", help="of factors")
    tell("--start-points", type=typed_count, help="start design (default: 10, or 20 above 10-d)")
    tell("--parallel", type=typed_count, default=1, help="evaluations at a time (default: 1)")
    tell("--synchronous", action="store_true", help="in batches rather than asynchronously")
    tell("--cores", type=typed_count, default=os.cpu_count() or 1, help="processes (default: all)")
    tell("--cap", type=float, metavar="S", help="seconds of choosing that end a run early")
    tell("--results", type=Path, default=RESULTS, help="folder of results")
    pair = ("ALGORITHM", "JSON")
    tell("--options", nargs=2, action="append", default=[], metavar=pair, help="of an algorithm; repeatable")
    return parser


if __name__ == "__main__":
    sys.exit(main())
