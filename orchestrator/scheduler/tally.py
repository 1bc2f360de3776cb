"""What is counted of a run's trials and results."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Tally:
    """How many trials ``completed``, ``failed``, were ``stopped`` or ``abandoned``; ``withdrawn`` are those
    abandoned that the budget does not pay for, and ``spent`` adds up what the others cost.

    ``out_of_attempts`` counts the trials of this life that failed at every attempt, and ``failing_alike`` has
    those for which the run stopped last, as they all failed in the same words. ``known`` are the results
    from elsewhere, of which ``added`` came to be known after the start; ``points_added`` are the trials that
    people did. ``late`` are results that came when they had no effect any more.
    """

    completed: int = 0
    failed: int = 0
    stopped: int = 0
    abandoned: int = 0
    withdrawn: int = 0
    spent: float = 0.0
    out_of_attempts: int = 0
    failing_alike: frozenset[int] = frozenset()
    known: int = 0
    added: int = 0
    points_added: int = 0
    late: int = 0
