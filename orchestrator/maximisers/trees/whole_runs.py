"""Runs of whole numbers as sides of a tree's cells: (first, last + 1), cut where the numbers' own cells meet.

On a log scale a number of the lower end may be as wide as thousands of the upper one, so that runs are halved
by width and not by count.
"""

from __future__ import annotations

from orchestrator.unit_cube.whole_numbers import WholeNumbers

Run = tuple[float, float]


def run_length(whole: WholeNumbers, run: Run) -> float:
    """How much of the unit interval its cells take; 0 for a single number, which cannot be cut."""
    start, end = _ends(whole, run)
    return end - start if run[1] - run[0] > 1 else 0.0


def run_middle(whole: WholeNumbers, run: Run) -> float:
    """The position of the number in the middle of its cells."""
    number = whole.at(0.5 * sum(_ends(whole, run)))
    return whole.position(min(max(number, int(run[0])), int(run[1]) - 1))


def run_cuts(whole: WholeNumbers, run: Run, parts: int) -> list[float]:
    """The numbers with which runs begin if it is cut into at most ``parts`` about as wide as each other, and
    that which it ends before. Each holds a number; a run of two or more is always cut.
    """
    start, end = _ends(whole, run)
    first, last = int(run[0]), int(run[1]) - 1
    inner = set()
    for k in range(1, parts):
        place = start + k * (end - start) / parts
        here = whole.at(place)
        nearest = here if place - whole.edge(here) < whole.edge(here + 1) - place else here + 1
        inner.add(min(max(nearest, first + 1), last))
    return [run[0], *sorted(inner), run[1]]


def _ends(whole: WholeNumbers, run: Run) -> tuple[float, float]:
    return whole.edge(int(run[0])), whole.edge(int(run[1]))
