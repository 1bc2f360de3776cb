"""What the optimiser core costs: time against results and dimensions, memory, and where time goes.

python -m benchmarks.core --write

One algorithm after the other, each in a process of its own, on one core: about ten minutes by default, in
which every algorithm has as many seconds in each dimension, and what would take longer is left out and said
so. `--write` puts the tables into `docs/core.md`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.core_costs.growth import COUNTS, FUNCTIONS, UNSEEN_S, Cell, Measured, exponent, measured
from benchmarks.core_costs.shares import PARTS, Shares, shares
from benchmarks.core_costs.targets import Comparison, dumbo_against_direct, telling_against_refactoring
from benchmarks.measuring.apart import apart
from benchmarks.measuring.machine import machine
from benchmarks.project import PROJECT
from benchmarks.regrets.run import Case
from orchestrator.algorithms import registry
from orchestrator.errors import OrchestratorError

PAGE = PROJECT / "docs" / "core.md"
PAPERS = ("add-gp-ucb", "dec-hbo", "dumbo", "egp-ts", "boo")
SHOWN = ("auto", *PAPERS)
SHARES_AT = 200
POWELL = "powell-24"
LEAST_TELL = 30.0
LEAST_DIRECT = 10.0


@dataclass(frozen=True)
class Report:
    """All that was measured, and what could not be: sentences."""

    rows: Sequence[Measured]
    shares: Sequence[Shares]
    telling: Comparison
    asking: Comparison
    asking_shifted: Comparison
    failures: Sequence[str]


def measure(algorithms: Sequence[str], seconds: float, dimensions: Sequence[int]) -> Report:
    """Everything, with a line to stderr as it comes."""
    telling = apart(telling_against_refactoring)
    print(f"tell {telling.ratio:.0f} times faster than refactoring", file=sys.stderr)
    powell = Case(POWELL), Case(POWELL, shifted=True)
    asking, asking_shifted = (apart(dumbo_against_direct, case) for case in powell)
    for pair in (asking, asking_shifted):
        print(f"DuMBO's ask {pair.ratio:.1f} times faster than DIRECT, {pair.remark}", file=sys.stderr)
    rows: list[Measured] = []
    failures: list[str] = []
    for dimension in dimensions:
        for algorithm in algorithms:
            begun = time.perf_counter()
            try:
                found = apart(measured, Cell(algorithm, dimension, seconds))
            except Exception as error:
                failures.append(f"{algorithm} in {dimension} dimensions: {type(error).__name__}: {error}")
                print(failures[-1], file=sys.stderr)
                continue
            rows += found
            last = found[-1]
            print(
                f"{algorithm}, d = {dimension}: to n = {last.n}, ask {last.ask_s:.3g} s, tell"
                f" {last.tell_s:.3g} s ({time.perf_counter() - begun:.0f} s)",
                file=sys.stderr,
            )
    parts: list[Shares] = []
    for name in (name for name in algorithms if name in SHOWN):
        try:
            parts.append(apart(shares, Cell(name, 24, seconds), SHARES_AT))
        except Exception as error:
            failures.append(f"{name} sampled at n = {SHARES_AT}: {type(error).__name__}: {error}")
            print(failures[-1], file=sys.stderr)
    return Report(rows, parts, telling, asking, asking_shifted, failures)


def growth_table(rows: Sequence[Measured], of: str) -> list[str]:
    """Markdown: milliseconds of ``ask``, ``tell`` or ``fit`` by algorithm and dimension, a column for each n,
    and the exponents in n, and in D at the fewest results.
    """
    counts = sorted({row.n for row in rows})
    lines = [
        "| algorithm | d | " + " | ".join(f"n = {n:,}" for n in counts) + " | grows as | in d |",
        "|---|---|" + "---|" * (len(counts) + 2),
    ]
    for algorithm in dict.fromkeys(row.algorithm for row in rows):
        own = [row for row in rows if row.algorithm == algorithm]
        firsts = [(row.dimension, _seconds(row, of)) for row in own if row.n == counts[0]]
        in_d = _power("d", [(d, s) for d, s in firsts if s is not None])
        for dimension in sorted({row.dimension for row in own}):
            here = {row.n: _seconds(row, of) for row in own if row.dimension == dimension}
            found = [(n, s) for n, s in here.items() if s is not None]
            if not found:
                continue
            cells = [_milliseconds(here.get(n)) for n in counts]
            lines.append(
                f"| {algorithm} | {dimension} | " + " | ".join(cells) + f" | {_power('n', found)} | {in_d} |"
            )
            in_d = ""
    return lines


def page(report: Report, seconds: float, options: str = "") -> str:
    """`docs/core.md`. ``options`` are those of the command that measured, as they were given."""
    rows = report.rows
    command = f"python -m benchmarks.core {options}".strip()
    lines = [
        "# What the core costs",
        "",
        f"Measured on {machine()} with `{command}`: milliseconds of the processor"
        " (not of the clock, as others used the machine), one thread, medians of 5 tells and 3 asks. The"
        " functions are "
        + ", ".join(f"{name} (d = {d})" for d, name in FUNCTIONS.items())
        + f" at uniform points. Each algorithm had about {seconds:g} s in each dimension; a dash is what"
        " would have taken longer: where it stands for a refit, asks and tells from there on are of the model"
        " that was fitted last; *unseen* is what was too short for the processor's clock. Exponents are least"
        " squares on logarithms. A tree search is told points"
        " that it did not choose, and so has a small tree.",
        "",
        "## What was promised",
        "",
        *_promises(report),
        "",
        "## `ask`: one point",
        "",
        *growth_table(rows, "ask"),
        "",
        "## `tell`: one result, without a refit",
        "",
        *growth_table(rows, "tell"),
        "",
        "## A refit, computed and adopted",
        "",
        "Computed beside the loop: workers wait for the first, and for others where evaluations are quick.",
        "",
        *growth_table(rows, "fit"),
        "",
        "## Memory",
        "",
        "The most that a process held, the interpreter and its libraries included, and when it did.",
        "",
        *_memory(rows),
        "",
        f"## Where time goes, at n = {SHARES_AT} on Powell-24",
        "",
        "One refit with its adoption, then three asks and tells; the stack sampled every 2 ms. Decomposition"
        " holds the short fits by which structures are weighed; acquisition, all that is evaluated for the"
        " maximiser.",
        "",
        *_shares_table(report.shares),
        "",
        "## Left out",
        "",
        *([f"- {line}" for line in _left_out(report)] or ["Nothing."]),
    ]
    return "\n".join(lines) + "\n"


def _promises(report: Report) -> list[str]:
    direct = "DuMBO's `ask` at n = 200 on Powell-24, against one full-dimensional DIRECT of equal quality"
    shifted = "the same, shifted and permuted: its optimum is not next to the centre, where DIRECT begins"
    asking, asking_shifted = report.asking, report.asking_shifted
    return [
        "| | ours | the alternative | times faster | promised | holds |",
        "|---|---|---|---|---|---|",
        _promise(
            "`tell` of an exact GP at n = 1,000, against refactoring (the least of 15 each)",
            report.telling,
            LEAST_TELL,
        ),
        _promise(f"{direct} (DIRECT {asking.remark})", asking, LEAST_DIRECT),
        _promise(f"{shifted} (DIRECT {asking_shifted.remark})", asking_shifted, LEAST_DIRECT),
    ]


def _memory(rows: Sequence[Measured]) -> list[str]:
    largest = [
        max((r for r in rows if r.algorithm == a), key=lambda r: r.memory_mb) for a in _algorithms(rows)
    ]
    return [
        "| algorithm | d | n | MB |",
        "|---|---|---|---|",
        *(f"| {r.algorithm} | {r.dimension} | {r.n:,} | {r.memory_mb:.0f} |" for r in largest),
    ]


def _shares_table(found: Sequence[Shares]) -> list[str]:
    return [
        "| algorithm | " + " | ".join(PARTS) + " |",
        "|---|" + "---|" * len(PARTS),
        *(
            f"| {s.algorithm} | " + " | ".join(f"{100 * s.parts[part]:.0f} %" for part in PARTS) + " |"
            for s in found
        ),
    ]


def _left_out(report: Report) -> list[str]:
    too_long = [
        f"{a} from n = {min(n for n in COUNTS if n > most):,} on in {d} dimensions"
        for (a, d), most in _reached(report.rows).items()
        if most < max(COUNTS)
    ]
    return [*too_long, *_not_asked(report), *report.failures]


def _promise(what: str, found: Comparison, least: float) -> str:
    holds = "yes" if found.ratio >= least else "**no**"
    ours, other = _milliseconds(found.ours_s), _milliseconds(found.other_s)
    ratio = f"{'' if found.done else 'over '}{found.ratio:.3g}"
    return f"| {what} | {ours} ms | {other} ms | {ratio} | {least:g} | {holds} |"


def _seconds(row: Measured, of: str) -> float | None:
    return {"ask": row.ask_s, "tell": row.tell_s, "fit": row.fit_s}[of]


def _milliseconds(seconds: float | None) -> str:
    if seconds is not None and seconds <= UNSEEN_S:
        return "unseen"
    return "-" if seconds is None else f"{1e3 * seconds:,.3g}" if seconds < 1 else f"{1e3 * seconds:,.0f}"


def _power(of: str, found: Sequence[tuple[int, float]]) -> str:
    p = exponent([size for size, _ in found], [seconds for _, seconds in found])
    return "" if p is None else f"{of}^{p:.1f}"


def _not_asked(report: Report) -> list[str]:
    """Sentences on what is built in and was not to be measured: the options said so."""
    dimensions = [str(d) for d in FUNCTIONS if d not in {row.dimension for row in report.rows}]
    tried = {*_algorithms(report.rows), *(failure.split()[0] for failure in report.failures)}
    others = [name for name in registry.OF_ANY_OBJECTIVE if name not in tried]
    found = []
    if dimensions:
        found.append(f"{' and '.join(dimensions)} dimensions, by the options of the command")
    if others:
        found.append(f"{', '.join(others)}, by the options of the command")
    return found


def _algorithms(rows: Sequence[Measured]) -> list[str]:
    return list(dict.fromkeys(row.algorithm for row in rows))


def _reached(rows: Sequence[Measured]) -> dict[tuple[str, int], int]:
    pairs = dict.fromkeys((row.algorithm, row.dimension) for row in rows)
    return {p: max(row.n for row in rows if (row.algorithm, row.dimension) == p) for p in pairs}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print or write the page. The exit code: 0, 1 if an algorithm raised, 2 for one that does
    not exist.
    """
    asked = _parser().parse_args(arguments)
    algorithms = asked.algorithms.split(",")
    try:
        for name in algorithms:
            registry.load(name)
    except OrchestratorError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    report = measure(algorithms, asked.seconds, asked.dimensions)
    options = " ".join(arguments if arguments is not None else sys.argv[1:])
    text = page(report, asked.seconds, options)
    if asked.write:
        asked.page.write_text(text, encoding="utf-8")
        print(f"wrote {asked.page}", file=sys.stderr)
    else:
        print(text)
    return 1 if report.failures else 0


def _parser() -> argparse.ArgumentParser:
    said = (__doc__ or "").split("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.core", description=said)
    tell = parser.add_argument
    every = ",".join((*PAPERS, *(name for name in registry.OF_ANY_OBJECTIVE if name not in PAPERS)))
    tell("--algorithms", default=every, metavar="A,B,C", help="default: all that are built in")
    tell("--dimensions", type=int, nargs="+", choices=list(FUNCTIONS), default=list(FUNCTIONS))
    tell("--seconds", type=float, default=8.0, help="for each algorithm and dimension (default: 8)")
    tell("--write", action="store_true", help="write the page")
    tell("--page", type=Path, default=PAGE, help="the page (default: docs/core.md)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
