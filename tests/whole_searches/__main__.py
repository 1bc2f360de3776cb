"""Whole searches of features drawn together: ``python -m tests.whole_searches --seconds 60 [--seed N]``.

Runs as many seeds as it has time for, from N on or from a number of its own, and says of the first that ended
in an error of our own, or broke what it promises, what it was made of. With a single ``--seed`` and no
``--seconds``: that one alone.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

from drawn_features import FEATURES
from searched_seeds import SHORT, searched


def main() -> int:
    """The exit code: 1 if something is at fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.whole_searches")
    parser.add_argument("--seconds", type=float, help="how long to go on (60, unless a seed is given)")
    parser.add_argument("--seed", type=int, help="the first seed (one that was not tried, unless given)")
    parser.add_argument("--keep-going", action="store_true", help="after a fault, try the next seed")
    parser.add_argument("--short", action="store_true", help="14 trials each, and no dear questions")
    parser.add_argument(
        "--loud", action="store_true", help="say of each seed what it is, and what is refused"
    )
    options = parser.parse_args()
    seconds = options.seconds if options.seconds is not None else (60.0 if options.seed is None else 0.0)
    first = seed = options.seed if options.seed is not None else time.time_ns() // 1_000_000
    begun, faulty, met = time.monotonic(), 0, Counter[str]()
    while seed == first or time.monotonic() - begun < seconds:
        ended = searched(seed, trials=SHORT, questions=0) if options.short else searched(seed)
        met.update(ended.features)
        if options.loud:
            print(f"seed {seed}: {', '.join(ended.features)}: {ended.trials} trials, {ended.slowest:.1f} s")
            for name, words in ended.refused.items():
                print(f"    {name}: {words}", flush=True)
        seed += 1
        if ended.faults:
            faulty += 1
            print(f"seed {seed - 1}: {', '.join(ended.features)}", *ended.faults, sep="\n  ", flush=True)
            if not options.keep_going:
                break
    took = f"{seed - first} seeds to {seed - 1} in {time.monotonic() - begun:.0f} s"
    print(f"{took}, {faulty} at fault; {len(met)} of {len(FEATURES)} features")
    return 1 if faulty else 0


if __name__ == "__main__":
    sys.exit(main())
