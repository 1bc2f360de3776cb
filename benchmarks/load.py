"""Load: a thousand connected workers and a hundred thousand trials on one orchestrator, and how it grows.

    python -m benchmarks.load [--quick] [--parts dispatch paced growth asks long events]

How a load is run: `benchmarks.running.load_run`. Measured, with `random` but for the last three:

dispatch   evaluations that last no time: the most trials a second; memory; journal; recovery; `status` and
           `watch` from outside meanwhile
paced      evaluations of four seconds on average: from a result to the worker's next trial
growth     the processor's time, memory, journal and recovery at two numbers of trials and of workers
asks       EGP-TS in one process: `ask`, `tell`, refits, their adoption and a replay at up to 50,000 values
long       a run of 50,000 trials under EGP-TS: what its asks took, as its journal has it
events     the scheduler alone: a result, by how many workers there are, and how many trials wait
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence

from benchmarks.running.ask_growth import COUNTS, DIMENSION, REPEATS, ask_growth
from benchmarks.running.event_costs import KINDS, result_us
from benchmarks.running.load_run import Load, Measured, measure


def _say(name: str, figure: str) -> None:
    print(f"  {name:22s} {figure}")


def dispatch(size: Load) -> None:
    """The most that goes through, and what it costs."""
    found = measure(size, look_on=True)
    each = 1e6 / size.trials
    print(f"dispatch: {size.trials:,} trials of no duration on {size.workers:,} workers")
    _say("rate", f"{found.rate:.0f} trials a second")
    _say("orchestrator", f"{found.processor:.1f} s of a processor, {each * found.processor:.0f} µs a trial")
    _say("memory", f"{found.memory:.0f} MB at most, {found.memory_at_start:.0f} before the first trial")
    _say("journal", f"{found.journal:.1f} MB, {each * found.journal:.0f} bytes a trial")
    _say("recovery", f"{found.recovery:.2f} s of a processor, {each * found.recovery:.0f} µs a trial")
    _say("recovery, memory", f"{found.recovery_memory:.0f} MB")
    _say("`status`, once ended", f"{found.status_ended:.2f} s, and {found.status_replayed:.2f} s by replay")
    for name, seconds in (("`status`, processor", found.status), ("`watch`, a look", found.watch)):
        _say(name, f"{statistics.median(seconds):.3f} s median, {max(seconds):.3f} s at most")


def paced(size: Load) -> None:
    """From a result to the next trial, where the orchestrator is not the bottleneck."""
    found = measure(size, look_on=False)
    print(f"paced: {size.trials:,} trials of {size.seconds:g} s on {size.workers:,} workers")
    _say("rate", f"{found.rate:.0f} trials a second, {size.workers / size.seconds:.0f} at most")
    at_99 = f"{found.wait_ms(0.99):.1f} ms at the 99th percentile"
    _say("result to next trial", f"{found.wait_ms(0.5):.1f} ms median, {at_99}")


def growth(size: Load) -> None:
    """Twice the trials, four times the workers: each figure against the smaller one's."""
    whole = measure(size, look_on=False)
    for name, linear, less in (
        ("half the trials", "2 is linear", Load(size.trials // 2, size.workers, size.seconds)),
        ("a quarter of the workers", "1 is linear", Load(size.trials, size.workers // 4, size.seconds)),
    ):
        small = measure(less, look_on=False)
        print(f"growth: {size.trials:,} trials on {size.workers:,} workers against {name}; {linear}")
        _say("processor's time", f"{whole.processor / small.processor:.2f}")
        _say("memory above start", f"{_above(whole) / _above(small):.2f}")
        _say("journal", f"{whole.journal / small.journal:.2f}")
        _say("recovery", f"{whole.recovery / small.recovery:.2f}")


def _above(found: Measured) -> float:
    return max(1e-9, found.memory - found.memory_at_start)


def asks(most: int) -> None:
    """What EGP-TS takes as values come in."""
    rows = ask_growth([count * most // COUNTS[-1] for count in COUNTS])
    print(f"asks: EGP-TS in {DIMENSION} dimensions, {REPEATS} times in turn at each number of values")
    for row in rows:
        print(
            f"  {row.values:8,} values      ask {row.ask_ms:7.2f} ms   tell {row.tell_ms:6.2f} ms"
            f"   adopting a refit {row.adopt_ms:7.2f} ms"
        )
        print(f"{26 * ' '}a refit, beside {row.refit_s:7.2f} s   a replay {row.replay_s:7.2f} s")
    first = rows[0]
    for row in rows[1:]:
        print(
            f"  {row.values:,} against {first.values:,}: ask {row.ask_ms / first.ask_ms:.2f},"
            f" tell {row.tell_ms / first.tell_ms:.2f}, adopting {row.adopt_ms / first.adopt_ms:.2f},"
            f" refit {row.refit_s / first.refit_s:.2f}, replay {row.replay_s / first.replay_s:.2f}"
        )


def long(size: Load) -> None:
    """What asks took in a run of many trials under EGP-TS, by the clock."""
    found = measure(size, look_on=False)
    print(f"long: {size.trials:,} trials under {size.algorithm} in {size.dimension} dimensions")
    _say("rate", f"{found.rate:.0f} trials a second")
    _say("orchestrator", f"{1e6 / size.trials * found.processor:.0f} µs of a processor a trial")
    _say("memory", f"{found.memory:.0f} MB at most, {found.memory_at_start:.0f} before the first trial")
    _say("journal", f"{1e6 / size.trials * found.journal:.0f} bytes a trial")
    _say("recovery", f"{found.recovery:.2f} s of a processor, without the optimiser's")
    tenth = size.trials // 10
    for start in range(0, size.trials, tenth):
        times = sorted(ask.ms for ask in found.asks if start <= ask.trial < start + tenth)
        if not times:
            continue
        at_99 = times[int(0.99 * (len(times) - 1))]
        figures = f"{statistics.median(times):6.2f} ms median, {at_99:7.2f} ms at the 99th percentile"
        _say(f"ask, from {start:,}", f"{figures}, {times[-1]:7.1f} ms at most")


def events(most: int) -> None:
    """What the scheduler makes of a result, where trials take one slot or several."""
    crowds = (most // 100, most // 10, most)
    for name, slots in KINDS.items():
        for waiting in (0, 10 * most):
            each = [f"{workers:,} workers {result_us(slots, workers, waiting):,.0f}" for workers in crowds]
            print(f"events: {name}, {waiting:,} waiting: {', '.join(each)} µs a result")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    parts = ("dispatch", "paced", "growth", "asks", "long", "events")
    parser.add_argument("--parts", nargs="+", choices=parts, default=parts)
    parsed = parser.parse_args(arguments)
    share = 10 if parsed.quick else 1
    perform = {
        "dispatch": lambda: dispatch(Load(100_000 // share, 1_000 // share)),
        "paced": lambda: paced(Load(20_000 // share, 1_000 // share, 4.0)),
        "growth": lambda: growth(Load(40_000 // share, 800 // share)),
        "asks": lambda: asks(50_000 // share),
        "long": lambda: long(Load(50_000 // share, 32, 0.05, "egp-ts", 6)),
        "events": lambda: events(1_000 // share),
    }
    for part in parsed.parts:
        perform[part]()
        sys.stdout.flush()


if __name__ == "__main__":
    main()
