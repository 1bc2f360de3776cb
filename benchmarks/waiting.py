"""Waiting: how much of their time workers are busy, refits included, and the memory it takes.

    python -m benchmarks.waiting [--trials 400]

Evaluations of 0.2 s on 8 local workers, EGP-TS with its four kernels. Busy is the evaluations' own time
over the workers' time, from the first points to the last that had one to follow. Until the first points
the programs start, which is said apart.
"""

from __future__ import annotations

import argparse

from benchmarks.running.runs import run_spec, workplace

WORKLOAD = """\
import time

def slow(parameters):
    time.sleep(0.2)
    return -sum((value - 0.3) ** 2 for value in parameters.values())
"""
SPEC = """\
experiment: waiting
objective: {{name: y, goal: maximise}}
parameters:
  x1: {{type: float, bounds: [0, 1]}}
  x2: {{type: float, bounds: [0, 1]}}
  x3: {{type: float, bounds: [0, 1]}}
  x4: {{type: float, bounds: [0, 1]}}
algorithm: {{name: egp-ts}}
budget: {{trials: {trials}}}
evaluation: {{evaluator: "workload:slow", timeout: 60 s}}
workers: {{local: 8}}
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=400)
    trials = parser.parse_args().trials
    with workplace(WORKLOAD) as folder:
        finished = run_spec(folder, SPEC.format(trials=trials))
    results = finished.results()
    begin = max(finished.workers_ready_at(), finished.asks()[0].at)
    # The last of each worker's evaluations have nothing to follow them.
    end = results[-8].at
    inside = [event for event in results if event.at - event.elapsed >= begin and event.at <= end]
    busy = sum(event.elapsed for event in inside) / (8 * (end - begin))
    asks = finished.asks()
    print(f"started after         {begin:5.1f} s")
    suggested = sum(len(ask.suggestions) for ask in asks)
    print(f"workers busy          {100 * busy:5.1f} % of {8 * (end - begin):.0f} worker-seconds")
    print(f"a suggestion takes    {1e3 * sum(ask.seconds for ask in asks) / suggested:5.1f} ms")
    for name, megabytes in sorted(finished.megabytes.items()):
        print(f"memory, {name:13s} {megabytes:5.0f} MB at most")


if __name__ == "__main__":
    main()
