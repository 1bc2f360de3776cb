"""Simulate laboratories: ``python -m tests.simulation --seconds 60 [--seed N]``.

Runs as many seeds as it has time for, from N on or from a number of its own, and says how many it managed.
With a single ``--seed`` and no ``--seconds``: that one, with everything that happened in it if it fails.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from laboratory import Laboratory
from virtual_world import Broken


def main() -> int:
    """The exit code: 1 if a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("--seconds", type=float, help="how long to go on (60, unless a seed is given)")
    parser.add_argument("--seed", type=int, help="the first seed (one that was not tried, unless given)")
    parser.add_argument("--keep-going", action="store_true", help="after a broken promise, try the next seed")
    options = parser.parse_args()
    seconds = options.seconds if options.seconds is not None else (60.0 if options.seed is None else 0.0)
    seed = options.seed if options.seed is not None else time.time_ns() // 1_000_000
    begun = time.monotonic()
    seeds = steps = events = lives = broken = 0
    while seeds == 0 or time.monotonic() - begun < seconds:
        try:
            outcome = Laboratory(seed).run()
        except Broken as promise:
            broken += 1
            print(_at_length(seed, str(promise)) if not options.keep_going else str(promise).splitlines()[0])
            if not options.keep_going:
                return 1
        else:
            steps += outcome.steps
            events += outcome.events
            lives += outcome.lives
        seeds += 1
        seed += 1
    minutes = (time.monotonic() - begun) / 60.0
    print(
        f"{seeds} seeds to {seed - 1} in {60.0 * minutes:.0f} s, {broken} broken: "
        f"{lives} lives of orchestrators, {events} events, {steps} steps\n"
        f"a minute: {seeds / minutes:.0f} seeds, {events / minutes:.0f} events, {steps / minutes:.0f} steps"
    )
    return 1 if broken else 0


def _at_length(seed: int, briefly: str) -> str:
    """The same seed once more, with everything written down."""
    try:
        Laboratory(seed, tracing=True).run()
    except Broken as promise:
        return str(promise)
    return f"{briefly}\n(and not a second time: something depends on more than the seed)"


if __name__ == "__main__":
    sys.exit(main())
